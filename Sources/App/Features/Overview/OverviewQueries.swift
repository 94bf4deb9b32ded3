import Domain
import Postgres

/// The queries of the overview. They take one round trip, another if the current month is empty, and another for a
/// household without receipts.
struct OverviewQueries: Sendable {
    let database: Database

    /// The spending for a category in the month and in the compared days of the month before, in minor units.
    struct CategorySpending: Sendable {
        let category: CategoryID
        let now: Int64
        let before: Int64
    }

    struct Result: Sendable {
        /// The newest waiting receipts, at most `inboxSize`.
        let waiting: [ListedReceipt]
        let waitingSums: [WaitingSum]
        /// The number of waiting receipts that need no review.
        let provenCount: Int64
        let spending: MonthSpending
        /// Whether there is a confirmed receipt that the member may see.
        let hasConfirmed: Bool
        /// The products with the largest price changes in each direction.
        let moved: [ListedProduct]
        /// Products that were bought in both periods of the inflation.
        let matched: [HouseholdInflation.MatchedProduct]
        /// Number of printed names that wait to be matched.
        let waitingNameCount: Int64
        let currency: Currency
        let naming: Naming
        let categories: Categories
        /// The expenses of a household without receipts; nil if it has receipts or no expenses.
        let expenses: MonthExpenses?
    }

    /// The expenses of the current month, in minor units of the household's currency.
    struct MonthExpenses: Sendable {
        let spent: Int64
        let income: Int64
    }

    /// Receipts waiting for confirmation, in one currency.
    struct WaitingSum: Sendable {
        let currency: Currency
        let count: Int64
        /// The sum of the known totals, in minor units.
        let sum: Int64
        /// Number of receipts without a total.
        let unknown: Int64
        /// The sum of the known totals of receipts from the current month, in minor units.
        let sumOfMonth: Int64
    }

    /// Spending of a month, of the month before, and of twelve months.
    struct MonthSpending: Sendable {
        let month: Month
        let spent: [CategorySpending]
        /// Spending in other currencies. It is not part of `spent`.
        let abroad: [Money]
        /// Whether an earlier month has receipts.
        let hasEarlier: Bool
        /// The last month of the trend.
        let end: Month
        /// In minor units; empty months are missing.
        let trend: [Month: Int64]

        var isEmpty: Bool { abroad.isEmpty && spent.allSatisfy { $0.now == 0 } }
    }

    /// The number of waiting receipts that the overview shows. Further receipts are only counted.
    static let inboxSize: Int32 = 5
    static let trendMonths = 12

    /// - Parameter month: nil for the current month or, if it is empty, the latest month with receipts.
    func load(_ member: Member, _ month: Month?, maximumMoves: Int32, today: LocalDate) async throws -> Result {
        let household = member.household
        let isWaiting = ListedReceipt.isWaiting(member)
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source) WHERE \(isWaiting)
                ORDER BY r.created_at DESC, r.id DESC LIMIT \(Self.inboxSize)
                """,
                """
                SELECT r.currency, count(*), coalesce(sum(r.total_minor), 0)::bigint, count(*) - count(r.total_minor),
                    coalesce(sum(r.total_minor) FILTER (WHERE r.purchase_day >= \(today.month.firstDay)), 0)::bigint
                FROM receipt r WHERE \(isWaiting) GROUP BY 1 ORDER BY 1
                """,
                """
                SELECT (SELECT max(booked_month) FROM receipt WHERE household_id = \(household) AND booked_month IS NOT NULL),
                    EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = \(household) AND r.booked_month IS NULL
                        AND \(Visibility.isOwnGift(member))),
                    (SELECT currency FROM household WHERE id = \(household)), (\(ReceiptEdits.readyCount(member)))
                """,
                Self.moves(household, maximumMoves, since: today.adding(days: -PriceChange.days)),
                WaitingNames.count(member), Naming.query(household), Categories.query(household),
                Self.matchedProducts(household, today: today),
            ] + Self.spending(month ?? today.month, member, today))
        let facts = try rows[2].first((LocalDate?, Bool, Currency, Int64).self)
        let (newestMonth, hasOwnGift, currency, provenCount) = facts ?? (nil, false, .eur, Int64(0))
        var spending = try MonthSpending(month ?? today.month, today, Array(rows[8...]))
        if month == nil, spending.isEmpty, let newest = newestMonth?.month, newest < today.month {
            spending = try MonthSpending(
                newest, today, try await database.read(household, batch: Self.spending(newest, member, today)))
        }
        let waiting: [ListedReceipt] = try rows[0].decode()
        let hasConfirmed = newestMonth != nil || hasOwnGift
        return Result(
            waiting: waiting,
            waitingSums: try rows[1].decode((Currency, Int64, Int64, Int64, Int64).self).map {
                code, count, sum, unknown, sumOfMonth in
                WaitingSum(currency: code, count: count, sum: sum, unknown: unknown, sumOfMonth: sumOfMonth)
            },
            provenCount: provenCount, spending: spending, hasConfirmed: hasConfirmed,
            moved: try rows[3].decode(),
            matched: try rows[7].decode((Int64, Int64, Int64).self).map { before, now, costBefore in
                HouseholdInflation.MatchedProduct(before: before, now: now, costBefore: costBefore)
            },
            waitingNameCount: try rows[4].first(Int64.self) ?? 0, currency: currency, naming: try Naming(rows[5]),
            categories: try Categories(rows[6]),
            expenses: waiting.isEmpty && !hasConfirmed ? try await expenses(member, today: today) : nil)
    }

    /// Returns the expenses of the current month; nil if the member sees no expense of any month.
    private func expenses(_ member: Member, today: LocalDate) async throws -> MonthExpenses? {
        let rows = try await database.read(
            member.household,
            batch: [
                DashboardQueries.newestDay(member),
                """
                SELECT coalesce(sum(x.amount_minor) FILTER (WHERE x.flow = 'spending'), 0)::bigint,
                    coalesce(sum(x.amount_minor) FILTER (WHERE x.flow = 'income'), 0)::bigint
                FROM \(DashboardQueries.rows(ExpensePeriod.month.days(today: today), 0, member)) x
                """,
            ])
        guard !rows[0].isEmpty, let sums = try rows[1].first((Int64, Int64).self) else { return nil }
        return MonthExpenses(spent: sums.0, income: sums.1)
    }

    /// Selects the largest price changes in each direction, for products bought after `start`.
    static func moves(_ household: HouseholdID, _ maximum: Int32, since start: LocalDate) -> SQL {
        let moved: SQL = "m.household_id = \(household) AND m.day > \(start)"
        return """
            SELECT \(ListedProduct.columns)
            FROM ((SELECT * FROM product_price m WHERE \(moved) AND m.change_permille > 0
                    ORDER BY m.change_permille DESC, m.product_id LIMIT \(maximum))
                UNION ALL
                (SELECT * FROM product_price m WHERE \(moved) AND m.change_permille < 0
                    ORDER BY m.change_permille, m.product_id LIMIT \(maximum))) m
            CROSS JOIN LATERAL (SELECT * FROM product d
                WHERE d.household_id = \(household) AND d.id = m.product_id LIMIT 1) d
            """
    }

    /// The last month of the trend: the current month, or `month` if it is at least a year ago.
    fileprivate static func end(_ month: Month, _ today: LocalDate) -> Month {
        month.months(to: today.month) < trendMonths ? max(month, today.month) : month
    }

    /// Four statements for `MonthSpending`. The current month is compared with the same days of the previous month.
    static func spending(_ month: Month, _ member: Member, _ today: LocalDate) -> [SQL] {
        let household = member.household
        let previous = month.previous
        let end = end(month, today)
        let start = end.adding(1 - trendMonths).firstDay
        let lastComparedDay =
            month == today.month
            ? previous.firstDay.adding(days: min(today.day, previous.dayCount) - 1) : month.firstDay.adding(days: -1)
        return [
            """
            SELECT s.category_id,
                coalesce(sum(s.amount_minor) FILTER (WHERE s.purchase_day >= \(month.firstDay)), 0)::bigint,
                coalesce(sum(s.amount_minor) FILTER (WHERE s.purchase_day <= \(lastComparedDay)), 0)::bigint
            FROM (SELECT d.day AS purchase_day, d.category_id, d.amount_minor FROM spending_day d
                    WHERE d.household_id = \(household) AND d.day >= \(previous.firstDay) AND d.day < \(month.next.firstDay)
                UNION ALL
                SELECT * FROM \(RollUps.giftAmounts(previous.firstDay..<month.next.firstDay, seenBy: member)) g) s
            GROUP BY 1
            """,
            RollUps.unconvertedSpending(month, seenBy: member),
            """
            SELECT EXISTS (SELECT 1 FROM receipt WHERE household_id = \(household)
                AND booked_month < \(month.firstDay))
            """,
            """
            SELECT m.month, sum(m.amount_minor)::bigint
            FROM (SELECT month, amount_minor FROM spending_month
                    WHERE household_id = \(household) AND month >= \(start) AND month <= \(end.firstDay)
                UNION ALL
                SELECT date_trunc('month', g.purchase_day)::date, g.amount_minor
                    FROM \(RollUps.giftAmounts(start..<end.next.firstDay, seenBy: member)) g) m
            GROUP BY 1
            """,
        ]
    }

    /// Selects, per product and base unit, the mean regular base price in each of the two periods, and the cost in the
    /// earlier period. The mean is weighted by quantity: cost = quantity × mean. Returned items reduce cost and
    /// quantity.
    static func matchedProducts(_ household: HouseholdID, today: LocalDate) -> SQL {
        let start = today.adding(days: -HouseholdInflation.windowDays)
        let before = today.adding(days: -HouseholdInflation.distance)
        let startBefore = before.adding(days: -HouseholdInflation.windowDays)
        let columns: SQL = """
            q.product_id, q.base_unit, q.base_thousandths, q.regular_thousandths, q.quantity_thousandths, q.currency
            """
        /// Selects the prices in one period of the inflation.
        func window(after start: LocalDate, until end: LocalDate, isNow: Bool) -> SQL {
            """
            (SELECT \(columns), \(isNow ? "true" : "false" as SQL) AS is_now
             FROM \(BoughtQuantities.source(household, after: start, until: end)) q)
            """
        }
        /// The mean price of a period: cost / quantity in base units. The quantity in base units is bought quantity ×
        /// price / base price. NULL if nothing was bought, or if everything was returned.
        func mean(_ isNow: SQL) -> SQL {
            let cost: SQL = "sum(p.cost) FILTER (WHERE \(isNow))"
            let quantity: SQL = "sum(p.cost / p.base_thousandths) FILTER (WHERE \(isNow))"
            return "CASE WHEN \(cost) > 0 AND \(quantity) > 0 THEN round(\(cost) / \(quantity))::bigint END"
        }
        return """
            SELECT mean_before, mean_now, cost FROM (
                SELECT \(mean("NOT p.is_now")) AS mean_before, \(mean("p.is_now")) AS mean_now,
                    round(sum(p.cost) FILTER (WHERE NOT p.is_now) / 1000000)::bigint AS cost
                FROM (
                    SELECT w.product_id, w.base_unit, w.base_thousandths, w.currency, w.is_now,
                        w.regular_thousandths::numeric * w.quantity_thousandths AS cost
                    FROM (\(window(after: startBefore, until: before, isNow: false))
                        UNION ALL \(window(after: start, until: today, isNow: true))) w) p
                JOIN household h ON h.id = \(household) AND h.currency = p.currency
                WHERE p.base_thousandths > 0
                GROUP BY p.product_id, p.base_unit) products
            WHERE mean_before IS NOT NULL AND mean_now IS NOT NULL
            """
    }
}

extension OverviewQueries.MonthSpending {
    /// Decodes the results of `OverviewQueries.spending`.
    fileprivate init(_ month: Month, _ today: LocalDate, _ rows: [Rows]) throws {
        self.month = month
        end = OverviewQueries.end(month, today)
        spent = try rows[0].decode((CategoryID, Int64, Int64).self).map { category, now, before in
            OverviewQueries.CategorySpending(category: category, now: now, before: before)
        }
        abroad = try rows[1].decode((Currency, Int64).self).map { Money(minorUnits: $0.1, currency: $0.0) }
        hasEarlier = try rows[2].first(Bool.self) ?? false
        trend = Dictionary(try rows[3].decode((LocalDate, Int64).self).map { ($0.0.month, $0.1) }) { $0 + $1 }
    }
}
