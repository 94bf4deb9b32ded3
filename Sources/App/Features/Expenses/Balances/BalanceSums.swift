import Domain
import Postgres

/// Recomputes `balance_month`, the difference between each member's payments and shares, for the months that a
/// transaction has changed.
enum BalanceSums {
    /// Divides each amount like `Division`: rounds the parts down, and adds the remaining minor units, one each, to the
    /// parts with the largest remainders.
    ///
    /// - Parameter months: the first day of each month.
    static func statements(months: some Sequence<LocalDate>, _ household: HouseholdID) -> [SQL] {
        let months = Set(months).sorted()
        guard !months.isEmpty else { return [] }
        return [
            "DELETE FROM balance_month WHERE household_id = \(household) AND month = ANY(\(months))",
            """
            WITH split AS MATERIALIZED (\(expenses(months, household)) UNION ALL \(receipts(months, household))),
            part AS (
                SELECT p.id, p.month, p.currency, p.sign, p.person_id, p.whole
                    + CASE WHEN row_number() OVER (PARTITION BY p.id ORDER BY p.rest DESC, p.person_id)
                        <= p.size - sum(p.whole) OVER (PARTITION BY p.id) THEN 1 ELSE 0 END AS amount
                FROM (
                    SELECT s.id, s.month, s.currency, sign(s.amount) AS sign, abs(s.amount) AS size, x.person_id,
                        div(abs(s.amount)::numeric * x.weight, sum(x.weight) OVER (PARTITION BY s.id)) AS whole,
                        mod(abs(s.amount)::numeric * x.weight, sum(x.weight) OVER (PARTITION BY s.id)) AS rest
                    FROM split s
                    JOIN expense_share x ON x.household_id = \(household) AND x.expense_id = s.id) p)
            INSERT INTO balance_month (household_id, month, person_id, currency, amount_minor)
            SELECT \(household), b.month, b.person_id, b.currency, sum(b.amount)::bigint FROM (
                SELECT month, paid_by AS person_id, currency, amount FROM split
                UNION ALL
                SELECT month, person_id, currency, -(sign * amount) FROM part
                UNION ALL
                SELECT date_trunc('month', t.day)::date, v.person_id, t.currency, v.amount
                FROM settlement t CROSS JOIN LATERAL (
                    VALUES (t.from_person, t.amount_minor), (t.to_person, -t.amount_minor)) v (person_id, amount)
                WHERE t.household_id = \(household) AND t.discarded_at IS NULL
                    AND date_trunc('month', t.day)::date = ANY(\(months))
                    AND t.day >= \(months[0]) AND t.day < \(months[months.count - 1].month.next.firstDay)) b
            GROUP BY 2, 3, 4 HAVING sum(b.amount) <> 0
            """,
        ]
    }

    /// Selects split expenses without a receipt. The amount is what the payer paid; it is negative for received money.
    private static func expenses(_ months: [LocalDate], _ household: HouseholdID) -> SQL {
        """
        SELECT e.id, m.month, e.currency, e.paid_by,
            CASE WHEN e.kind = 'expense' THEN e.amount_minor ELSE -e.amount_minor END AS amount
        FROM unnest(\(months)::date[]) AS m (month)
        CROSS JOIN LATERAL (SELECT * FROM expense e WHERE e.household_id = \(household) AND e.day >= m.month
            AND e.day < (m.month + interval '1 month')::date AND e.discarded_at IS NULL OFFSET 0) e
        WHERE e.split <> '' AND e.paid_by IS NOT NULL AND NOT e.is_personal AND e.kind <> 'withdrawal'
        """
    }

    private static func receipts(_ months: [LocalDate], _ household: HouseholdID) -> SQL {
        """
        SELECT e.id, m.month, r.currency, coalesce(e.paid_by, r.person_id), \(RollUps.total)
        FROM unnest(\(months)::date[]) AS m (month)
        CROSS JOIN LATERAL (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.purchase_day >= m.month
            AND r.purchase_day < (m.month + interval '1 month')::date AND r.booked_month IS NOT NULL
            AND r.discarded_at IS NULL OFFSET 0) r
        JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
        WHERE e.split <> '' AND coalesce(e.paid_by, r.person_id) IS NOT NULL AND \(RollUps.total) IS NOT NULL
        """
    }
}
