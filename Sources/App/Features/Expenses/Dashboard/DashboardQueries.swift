import Domain
import Postgres

/// The queries of the dashboard, sent in one round trip. The sums come from ranges of the table `expense_day`.
struct DashboardQueries: Sendable {
    let database: Database

    /// Amounts in minor units of the household's currency.
    struct Sum: Sendable {
        /// The spending in the period.
        var now: Int64 = 0
        /// The spending in the period before it.
        var before: Int64 = 0
        /// The spending on the same days a year earlier.
        var yearBefore: Int64 = 0
    }

    /// The figures of the page. Amounts are in minor units of the household's currency.
    struct Result: Sendable {
        /// By category; spending without a category has an identifier of zeros.
        let spending: [CategoryID: Sum]
        let income: Int64
        /// The cash withdrawals.
        let cash: Int64
        /// The payees with the highest spending, the highest first. `key` is the normalised name.
        let payees: [(key: String, name: String?, amount: Int64)]
        /// The spending by payer, including former members. Entries without a payer have `ExpenseFilter.withoutPayer`.
        let members: [(person: PersonID, name: String?, amount: Int64)]
        /// The spending of the last `trendMonths` months. Months without spending are missing.
        let trend: [Month: Int64]
        /// For the forecast: for each month in `trend`, the spending after today's day of the month. If today is the
        /// 17th, this is the spending from the 18th on; it may be 0. Days that the current month does not have count as
        /// its last day. Excludes the payees of recurring expenses.
        let remainders: [Month: Int64]
        let recurring: [StoredRecurring]
        /// The number of entries in the period that no sum includes: expenses and receipts for which an
        /// exchange rate is missing.
        let withoutRate: Int64
        /// The number of recent expenses of bank files that may be the same payments as other entries.
        let bankPairCount: Int64
        let choices: ExpenseChoices
        let naming: Naming
        /// Whether there is any expense that the member may see.
        let hasAny: Bool
    }

    /// The number of months in the trend, including the current one.
    static let trendMonths = 13
    /// The number of payees that the page shows.
    static let payeeCount: Int32 = 8

    func load(
        _ period: ExpensePeriod, _ days: Range<LocalDate>, _ member: Member, today: LocalDate
    ) async throws -> Result {
        let household = member.household
        let rows = try await database.read(household, batch: Self.statements(period, days, member, today: today))
        var spending: [CategoryID: Sum] = [:]
        var others: [MoneyFlow: Int64] = [:]
        for (flow, category, now, before, yearBefore) in try rows[0].decode(
            (MoneyFlow, CategoryID, Int64, Int64, Int64).self)
        {
            if flow == .spending {
                spending[category] = Sum(now: now, before: before, yearBefore: yearBefore)
            } else {
                others[flow, default: 0] += now
            }
        }
        let trend = try rows[3].decode((LocalDate, Int64, Int64).self)
        return Result(
            spending: spending, income: others[.income] ?? 0, cash: others[.withdrawal] ?? 0,
            payees: try rows[1].decode((String, String?, Int64).self).map { key, name, amount in
                (key: key, name: name, amount: amount)
            },
            members: try rows[2].decode((PersonID, String?, Int64).self).map { person, name, amount in
                (person: person, name: name, amount: amount)
            },
            trend: Dictionary(trend.map { day, spent, _ in (day.month, spent) }) { first, _ in first },
            remainders: Dictionary(trend.map { day, _, remainder in (day.month, remainder) }) { first, _ in first },
            recurring: try rows[7].decode(StoredRecurring.self), withoutRate: try rows[4].first(Int64.self) ?? 0,
            bankPairCount: Int64(try BankPair.probable(rows[8]).count), choices: try ExpenseChoices(rows[9...]),
            naming: try Naming(rows[6]), hasAny: !rows[5].isEmpty)
    }

    static func statements(
        _ period: ExpensePeriod, _ days: Range<LocalDate>, _ member: Member, today: LocalDate
    ) -> [SQL] {
        let household = member.household
        let (before, yearBefore) = (period.before(days), period.yearBefore(days))
        let first = today.month.adding(1 - Self.trendMonths).firstDay
        return [
            """
            SELECT x.flow, x.category_id,
                coalesce(sum(x.amount_minor) FILTER (WHERE x.k = 0), 0)::bigint,
                coalesce(sum(x.amount_minor) FILTER (WHERE x.k = 1), 0)::bigint,
                coalesce(sum(x.amount_minor) FILTER (WHERE x.k = 2), 0)::bigint
            FROM (\(Self.rows(days, 0, member)) UNION ALL \(Self.rows(before, 1, member))
                UNION ALL \(Self.rows(yearBefore, 2, member))) x
            GROUP BY 1, 2
            """,
            """
            SELECT p.payee_key, (SELECT coalesce(nullif(e.payee, ''), e.what) FROM expense e
                WHERE e.household_id = \(household) AND e.payee_key = p.payee_key
                    AND e.day >= \(days.lowerBound) AND e.day < \(days.upperBound) AND \(ExpenseVisibility.condition(member)) ORDER BY e.day DESC LIMIT 1), p.amount
            FROM (SELECT x.payee_key, sum(x.amount_minor)::bigint AS amount FROM \(Self.rows(days, 0, member)) x
                WHERE x.flow = 'spending' AND x.payee_key <> '' GROUP BY 1
                HAVING sum(x.amount_minor) <> 0 ORDER BY 2 DESC, 1 LIMIT \(Self.payeeCount)) p
            """,
            """
            SELECT t.paid_by,
                (SELECT \(PersonName.distinct(household)) FROM person p WHERE p.id = t.paid_by), t.amount
            FROM (
                SELECT x.paid_by, sum(x.amount_minor)::bigint AS amount FROM \(Self.rows(days, 0, member)) x
                WHERE x.flow = 'spending' GROUP BY 1) t
            ORDER BY 3 DESC, 1
            """,
            """
            SELECT date_trunc('month', x.day)::date, sum(x.amount_minor)::bigint,
                coalesce(sum(x.amount_minor) FILTER (
                    WHERE least(extract(day FROM x.day)::integer, \(Int32(today.month.dayCount))::integer)
                        > \(Int32(today.day))
                    AND NOT x.payee_key = ANY(ARRAY(SELECT r.payee_key FROM recurring_expense r
                        WHERE r.household_id = \(household) AND NOT r.is_dismissed
                            AND \(StoredRecurring.isSeen(by: member))))), 0)::bigint
            FROM \(Self.rows(first..<today.adding(days: 1), 0, member)) x WHERE x.flow = 'spending' GROUP BY 1
            """,
            """
            SELECT (SELECT count(*) FROM expense e JOIN household h ON h.id = \(household)
                WHERE e.household_id = \(household) AND e.discarded_at IS NULL
                    AND e.day >= \(days.lowerBound) AND e.day < \(days.upperBound) AND e.currency <> h.currency
                    AND \(ExpenseVisibility.condition(member)) AND \(HomeAmount.of("e")) IS NULL)
                + (SELECT count(*) FROM (SELECT * FROM receipt r WHERE r.household_id = \(household)
                    AND r.purchase_day >= \(days.lowerBound) AND r.purchase_day < \(days.upperBound)
                    AND r.discarded_at IS NULL OFFSET 0) r
                JOIN household h ON h.id = \(household) AND h.currency <> r.currency
                WHERE r.stage = \(Stage.confirmed.sql) AND \(Visibility.condition(member)) AND \(HomeAmount.isMissing))
            """,
            newestDay(member),
            Naming.query(household),
            StoredRecurring.query(member),
            BankPair.query(.since(today.adding(days: -BankPair.countedDays)), member),
        ] + ExpenseChoices.queries(household)
    }

    /// Selects the newest day with an entry that the member may see; no row if there is none.
    static func newestDay(_ member: Member) -> SQL {
        """
        SELECT d.day FROM (SELECT d.day, d.seen_by FROM expense_day d WHERE d.household_id = \(member.household)
            ORDER BY d.day DESC OFFSET 0) d WHERE \(ExpenseSums.isSeen(by: member)) LIMIT 1
        """
    }

    /// Selects the sums on these days that the member may see, including the member's own hidden receipts.
    ///
    /// - Parameter number: the value of the column `k`, which tells the periods apart.
    static func rows(_ days: Range<LocalDate>, _ number: Int32, _ member: Member) -> SQL {
        """
        (SELECT \(number)::integer AS k, d.day, d.flow, d.category_id, d.paid_by, d.payee_key, d.amount_minor
            FROM expense_day d WHERE d.household_id = \(member.household) AND d.day >= \(days.lowerBound)
                AND d.day < \(days.upperBound) AND \(ExpenseSums.isSeen(by: member))
        UNION ALL
        SELECT \(number)::integer, g.purchase_day, 'spending', g.category_id, \(member.person), '', g.amount_minor
            FROM \(RollUps.giftAmounts(days, seenBy: member)) g)
        """
    }
}
