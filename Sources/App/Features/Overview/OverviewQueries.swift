import Domain
import Postgres

/// What the overview asks: one round trip.
struct OverviewQueries: Sendable {
    let database: Database

    struct Spent: Sendable {
        let category: CategoryID
        let now: Int64
        let before: Int64
    }

    struct Result: Sendable {
        let waiting: [ListedReceipt]
        let waitingCount: Int64
        let provenCount: Int64
        let spent: [Spent]
        /// Spent this month in other currencies, not in `spent`.
        let abroad: [Money]
        /// Whether anything was booked before this month.
        let hasEarlier: Bool
        let hasBooked: Bool
        let moved: [ListedProduct]
        /// What was bought now and a year ago.
        let matched: [HouseholdInflation.Matched]
        let names: Int64
        let currency: Currency
        let naming: Naming
        let categories: Categories
    }

    /// Receipts of the inbox that the overview shows; the rest is counted.
    static let inboxSize: Int32 = 5

    func load(_ member: Member, today: LocalDate) async throws -> Result {
        let household = member.household
        let start = today.adding(days: -PriceChange.days)
        let previous = today.month.previous
        let sameDay = previous.firstDay.adding(days: min(today.day, previous.dayCount) - 1)
        let isWaiting: SQL = """
            r.household_id = \(household) AND r.stage <> \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND \(Visibility.condition(member))
            """
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source) WHERE \(isWaiting)
                ORDER BY r.created_at DESC, r.id DESC LIMIT \(Self.inboxSize)
                """,
                """
                SELECT s.category_id,
                    coalesce(sum(s.amount_minor) FILTER (WHERE s.booked_month = \(today.month.firstDay)), 0)::bigint,
                    coalesce(sum(s.amount_minor) FILTER (WHERE s.booked_month = \(previous.firstDay)
                        AND s.purchase_day <= \(sameDay)), 0)::bigint
                FROM \(RollUps.amounts([today.month.firstDay, previous.firstDay], household, seenBy: member)) s
                GROUP BY 1
                """,
                """
                SELECT EXISTS (SELECT 1 FROM receipt WHERE household_id = \(household)
                        AND booked_month < \(today.month.firstDay)),
                    EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = \(household)
                        AND (r.booked_month IS NOT NULL OR \(Visibility.isOwnGift(member)))),
                    (SELECT currency FROM household WHERE id = \(household)),
                    (SELECT count(*) FROM receipt r WHERE \(isWaiting)),
                    (\(ReceiptEdits.readyCount(member)))
                """,
                // Only what was bought in these days can have moved.
                """
                SELECT \(ListedProduct.columns) FROM \(ListedProduct.source(ListedProduct.bought(household, after: start), since: start, until: today))
                WHERE d.household_id = \(household) AND p.day > \(start)
                    AND (p.regular_thousandths <> e.regular_thousandths OR p.base_thousandths <> e.base_thousandths)
                """,
                WaitingNames.count(member), Naming.query(household), Categories.query(household),
                Self.matched(household, today: today),
                RollUps.abroad(today.month.firstDay, household, seenBy: member),
            ])
        let facts = try rows[2].first((Bool, Bool, Currency, Int64, Int64).self)
        return Result(
            waiting: try rows[0].decode(), waitingCount: facts?.3 ?? 0, provenCount: facts?.4 ?? 0,
            spent: try rows[1].decode((CategoryID, Int64, Int64).self).map {
                Spent(category: $0.0, now: $0.1, before: $0.2)
            },
            abroad: try rows[8].decode((Currency, Int64).self).map { Money(minorUnits: $0.1, currency: $0.0) },
            hasEarlier: facts?.0 ?? false, hasBooked: facts?.1 ?? false, moved: try rows[3].decode(),
            matched: try rows[7].decode((Int64, Int64, Int64).self).map {
                HouseholdInflation.Matched(before: $0.0, now: $0.1, costBefore: $0.2)
            },
            names: try rows[4].first(Int64.self) ?? 0, currency: facts?.2 ?? .eur, naming: try Naming(rows[5]),
            categories: try Categories(rows[6]))
    }

    /// Mean regular prices per base unit of what was bought in both windows, and what it cost then.
    private static func matched(_ household: HouseholdID, today: LocalDate) -> SQL {
        let start = today.adding(days: -HouseholdInflation.windowDays)
        let before = today.adding(days: -HouseholdInflation.distance)
        let startBefore = before.adding(days: -HouseholdInflation.windowDays)
        return """
            SELECT mean_before, mean_now, cost FROM (
                SELECT
                    div(sum(p.base_thousandths) FILTER (WHERE p.day <= \(before)),
                        nullif(count(*) FILTER (WHERE p.day <= \(before)), 0))::bigint AS mean_before,
                    div(sum(p.base_thousandths) FILTER (WHERE p.day > \(start)),
                        nullif(count(*) FILTER (WHERE p.day > \(start)), 0))::bigint AS mean_now,
                    round(sum(p.regular_thousandths::numeric * p.quantity_thousandths / 1000000)
                        FILTER (WHERE p.day <= \(before)))::bigint AS cost
                FROM price p JOIN household h ON h.id = p.household_id AND h.currency = p.currency
                WHERE p.household_id = \(household) AND p.base_thousandths IS NOT NULL
                    AND (p.day > \(startBefore) AND p.day <= \(before) OR p.day > \(start) AND p.day <= \(today))
                GROUP BY p.product_id, p.base_unit) products
            WHERE mean_before IS NOT NULL AND mean_now IS NOT NULL
            """
    }
}
