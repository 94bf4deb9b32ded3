import Domain
import Postgres

/// Recomputes the tables `expense_day` and `expense_month`, which contain sums for dashboards and budgets, for the
/// dates that a transaction has changed. Also recomputes the balances of the months of these dates.
enum ExpenseSums {
    /// Recomputes whole months, given by their first days.
    static func statements(months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        statements(months.map { $0..<$0.month.next.firstDay }, household)
    }

    static func statements(days: Set<LocalDate>, _ household: HouseholdID) -> [SQL] {
        statements(days.sorted().map { $0..<$0.adding(days: 1) }, household)
    }

    private static func statements(_ ranges: [Range<LocalDate>], _ household: HouseholdID) -> [SQL] {
        guard !ranges.isEmpty else { return [] }
        let rangeTable: SQL = """
            unnest(\(ranges.map(\.lowerBound))::date[], \(ranges.map(\.upperBound))::date[]) AS t (first, next)
            """
        let receiptTable = ReceiptSource.counted(in: rangeTable, household)
        let months = Set(ranges.map { $0.lowerBound.month.firstDay }).sorted()
        return [
            """
            DELETE FROM expense_day d WHERE d.household_id = \(household) AND d.day = ANY(ARRAY(
                SELECT generate_series(t.first, t.next - 1, interval '1 day')::date FROM \(rangeTable)))
            """,
            """
            INSERT INTO expense_day (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
            SELECT \(household), p.day, p.seen_by, p.flow, p.category_id, p.paid_by, p.payee_key, sum(p.amount_minor)
            FROM (\(receipts(in: receiptTable, household)) UNION ALL \(expenses(in: rangeTable, household))) p
            GROUP BY 2, 3, 4, 5, 6, 7
            """,
            "DELETE FROM expense_month m WHERE m.household_id = \(household) AND m.month = ANY(\(months))",
            """
            INSERT INTO expense_month (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
            SELECT \(household), t.month, d.seen_by, d.flow, d.category_id, d.paid_by, sum(d.amount_minor)
            FROM unnest(\(months)::date[]) AS t (month)
            CROSS JOIN LATERAL (SELECT * FROM expense_day d WHERE d.household_id = \(household) AND d.day >= t.month
                AND d.day < (t.month + interval '1 month')::date OFFSET 0) d
            GROUP BY 2, 3, 4, 5, 6
            """,
        ] + BalanceSums.statements(months: months, household)
    }

    /// A statement that adds newly confirmed receipts to the sums.
    static func adding(_ receipts: [ReceiptID], _ household: HouseholdID) -> SQL {
        """
        WITH added AS (
            SELECT p.day, p.seen_by, p.flow, p.category_id, p.paid_by, p.payee_key, sum(p.amount_minor)::bigint AS amount
            FROM (\(Self.receipts(in: ReceiptSource.receipts(receipts, household, where: "r.booked_month IS NOT NULL"), household))) p
            GROUP BY 1, 2, 3, 4, 5, 6),
        days AS (
            INSERT INTO expense_day AS d (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
            SELECT \(household), a.day, a.seen_by, a.flow, a.category_id, a.paid_by, a.payee_key, a.amount FROM added a
            ON CONFLICT (household_id, day, seen_by, flow, category_id, paid_by, payee_key) DO UPDATE
            SET amount_minor = d.amount_minor + excluded.amount_minor)
        INSERT INTO expense_month AS m (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
        SELECT \(household), date_trunc('month', a.day)::date, a.seen_by, a.flow, a.category_id, a.paid_by, sum(a.amount)
        FROM added a GROUP BY 2, 3, 4, 5, 6
        ON CONFLICT (household_id, flow, category_id, month, seen_by, paid_by) DO UPDATE
        SET amount_minor = m.amount_minor + excluded.amount_minor
        """
    }

    /// Selects expenses without a receipt, except those for which no exchange rate is known.
    private static func expenses(in rangeTable: SQL, _ household: HouseholdID) -> SQL {
        """
        SELECT e.day, CASE WHEN e.is_personal THEN coalesce(e.person_id, \(none)) ELSE \(none) END AS seen_by,
            CASE e.kind WHEN 'income' THEN 'income' WHEN 'withdrawal' THEN 'withdrawal' ELSE 'spending' END AS flow,
            coalesce(e.paid_by, \(none)) AS paid_by, e.payee_key, coalesce(e.category_id, \(none)) AS category_id,
            CASE WHEN e.kind = 'refund' THEN -\(HomeAmount.of("e")) ELSE \(HomeAmount.of("e")) END AS amount_minor
        FROM \(rangeTable)
        JOIN household h ON h.id = \(household)
        CROSS JOIN LATERAL (SELECT * FROM expense e WHERE e.household_id = \(household) AND e.day >= t.first
            AND e.day < t.next AND e.discarded_at IS NULL OFFSET 0) e
        WHERE \(HomeAmount.of("e")) IS NOT NULL
        """
    }

    /// Selects the `RollUps.amounts` of receipts.
    ///
    /// - Parameter receiptTable: a table expression with the receipts as `r`.
    private static func receipts(in receiptTable: SQL, _ household: HouseholdID) -> SQL {
        RollUps.amounts(
            """
            r.purchase_day AS day, \(none) AS seen_by, 'spending' AS flow,
                coalesce(e.paid_by, r.person_id, \(none)) AS paid_by, coalesce(s.chain, '') AS payee_key
            """,
            of: receiptTable, joins: "LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id",
            household)
    }

    /// Replaces a missing payer, category or person in the keys of `expense_day`, which cannot be NULL.
    static let none: SQL = "'00000000-0000-0000-0000-000000000000'::uuid"

    /// A condition on a row of `expense_day` or `expense_month`: whether the member may see it.
    static func isSeen(_ row: SQL = "d", by member: Member) -> SQL { "\(row).seen_by IN (\(none), \(member.person))" }
}
