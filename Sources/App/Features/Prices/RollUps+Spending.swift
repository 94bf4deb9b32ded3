import Domain
import Postgres

extension RollUps {
    /// Recomputes all sums of these months: the spending by day and category, the expenses and the balances.
    ///
    /// The amount of a line is added to the line's category, as defined by `spentCategory`. The difference between a
    /// receipt's total and its lines is added to the receipt's category, so that the sums add up to the amounts paid.
    /// Receipts in other currencies are converted. Receipts without a known exchange rate are left out.
    static func spending(_ months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        guard !months.isEmpty else { return [] }
        let days: SQL = """
            ARRAY(SELECT generate_series(t.month, t.month + interval '1 month - 1 day', interval '1 day')::date
                FROM unnest(\(months)::date[]) AS t (month))
            """
        let receipts: SQL = """
            (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.booked_month = ANY(\(months))) r
            """
        return spending(days, of: receipts, months, household) + ExpenseSums.statements(months: months, household)
    }

    /// Recomputes all sums of these days after the category or the stated amount of receipts changed. Prices do not
    /// depend on these two values.
    static func spending(days: Set<LocalDate>, _ household: HouseholdID) -> [SQL] {
        guard !days.isEmpty else { return [] }
        let sorted = days.sorted()
        let ranges: SQL = """
            unnest(\(sorted)::date[], \(sorted.map { $0.adding(days: 1) })::date[]) AS t (first, next)
            """
        let months = Set(sorted.map(\.month.firstDay)).sorted()
        return spending("\(sorted)::date[]", of: ReceiptSource.counted(in: ranges, household), months, household)
            + ExpenseSums.statements(days: days, household)
    }

    /// Recomputes `spending_day` for days, and `spending_month` for their months.
    ///
    /// - Parameters:
    ///   - days: an SQL expression for the days.
    ///   - receipts: a table expression with the receipts of these days as `r`.
    private static func spending(
        _ days: SQL, of receipts: SQL, _ months: [LocalDate], _ household: HouseholdID
    ) -> [SQL] {
        [
            "DELETE FROM spending_day d WHERE d.household_id = \(household) AND d.day = ANY(\(days))",
            "DELETE FROM spending_month WHERE household_id = \(household) AND month = ANY(\(months))",
            """
            INSERT INTO spending_day (household_id, day, category_id, amount_minor)
            SELECT \(household), s.purchase_day, s.category_id, sum(s.amount_minor)
            FROM (\(amounts("r.purchase_day", of: receipts, household))) s GROUP BY 2, 3
            """,
            """
            INSERT INTO spending_month (household_id, month, category_id, amount_minor)
            SELECT \(household), t.month, d.category_id, sum(d.amount_minor)
            FROM unnest(\(months)::date[]) AS t (month)
            CROSS JOIN LATERAL (SELECT * FROM spending_day d WHERE d.household_id = \(household) AND d.day >= t.month
                AND d.day < (t.month + interval '1 month')::date OFFSET 0) d
            GROUP BY 2, 3
            """,
        ]
    }

    /// Adds receipts that count and that the sums do not contain yet.
    ///
    /// - Parameter months: the months in which the receipts count.
    static func spending(adding receipts: [ReceiptID], months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        guard !receipts.isEmpty else { return [] }
        let source = ReceiptSource.receipts(receipts, household, where: "r.booked_month IS NOT NULL")
        return [
            """
            WITH added AS MATERIALIZED (
                SELECT s.purchase_day AS day, s.category_id, sum(s.amount_minor)::bigint AS amount
                FROM (\(amounts("r.purchase_day", of: source, household))) s GROUP BY 1, 2),
            days AS (
                INSERT INTO spending_day AS d (household_id, day, category_id, amount_minor)
                SELECT \(household), day, category_id, amount FROM added
                ON CONFLICT (household_id, day, category_id) DO UPDATE
                SET amount_minor = d.amount_minor + excluded.amount_minor)
            INSERT INTO spending_month AS m (household_id, month, category_id, amount_minor)
            SELECT \(household), date_trunc('month', day)::date, category_id, sum(amount) FROM added GROUP BY 2, 3
            ON CONFLICT (household_id, month, category_id) DO UPDATE
            SET amount_minor = m.amount_minor + excluded.amount_minor
            """,
            ExpenseSums.adding(receipts, household),
        ] + BalanceSums.statements(months: months, household)
    }

    /// An SQL expression: the total of receipt `r`, or the sum of its lines if it has no total; NULL if it has neither.
    /// Equals the sum of the receipt's `amounts`.
    static let total: SQL = """
        coalesce(r.total_minor, (SELECT sum(a.total_minor)::bigint FROM receipt_line a
            WHERE a.household_id = r.household_id AND a.receipt_id = r.id))
        """

    /// Selects the amounts of receipts in the household's currency, with a row for each line and for each difference to
    /// a total: `columns`, then `category_id` (the nil identifier when there is none) and `amount_minor`. All sums of
    /// receipts are computed from these rows. Receipts for which no exchange rate is known are left out.
    ///
    /// - Parameters:
    ///   - columns: columns of the receipt `r`, of `e` in `receiptExpense`, and of `joins`.
    ///   - receipts: a table expression with the receipts as `r`.
    ///   - joins: joins that `columns` needs, with at most one row for each receipt.
    static func amounts(_ columns: SQL, of receipts: SQL, joins: SQL = "", _ household: HouseholdID) -> SQL {
        let source: SQL = """
            FROM \(receipts)
            JOIN household h ON h.id = \(household)
            CROSS JOIN \(HomeAmount.factor) f
            \(receiptExpense(household))
            \(joins)
            """
        return """
            SELECT \(columns), \(spentCategory(household)) AS category_id, \(HomeAmount.line) AS amount_minor
            \(source)
            JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
            \(categoryLookup(household))
            UNION ALL
            SELECT \(columns), \(receiptCategory), \(HomeAmount.difference(from: "l.total"))
            \(source)
            CROSS JOIN LATERAL (SELECT coalesce(sum(a.total_minor), 0)::bigint AS total FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id) l
            WHERE r.total_minor <> l.total
            """
    }

    /// A table expression: the `amounts` of a member's own gifts in a range of days, with the column `purchase_day`. A
    /// gift is a receipt that is hidden from the other members until a date. Until then it is not in the sums of the
    /// household.
    static func giftAmounts(_ days: Range<LocalDate>, seenBy member: Member) -> SQL {
        let receipts: SQL = """
            (SELECT * FROM \(hiddenReceipts(seenBy: member)) g
                WHERE g.purchase_day >= \(days.lowerBound) AND g.purchase_day < \(days.upperBound)) r
            """
        return "(\(amounts("r.purchase_day", of: receipts, member.household)))"
    }

    /// Selects a member's own receipts that are still hidden from the others. Uses the index of hidden receipts.
    private static func hiddenReceipts(seenBy member: Member) -> SQL {
        """
        (SELECT * FROM receipt r WHERE r.household_id = \(member.household) AND r.booked_month IS NULL
            AND \(Visibility.isOwnGift(member)) OFFSET 0)
        """
    }

    /// Selects, by currency, the spending of a month for which no exchange rate is known.
    static func unconvertedSpending(_ month: Month, seenBy member: Member) -> SQL {
        let household = member.household
        let (first, next) = (month.firstDay, month.next.firstDay)
        return """
            SELECT r.currency, sum(\(total))::bigint
            FROM (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.booked_month = \(first)
                UNION ALL
                SELECT * FROM \(hiddenReceipts(seenBy: member)) g
                WHERE g.purchase_day >= \(first) AND g.purchase_day < \(next)) r
            JOIN household h ON h.id = r.household_id AND h.currency <> r.currency
            WHERE \(HomeAmount.isMissing)
            GROUP BY 1 HAVING sum(\(total)) IS NOT NULL ORDER BY 1
            """
    }
}
