import Domain
import Postgres

/// What the list of receipts asks: one round trip.
struct ReceiptListQueries: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Result: Sendable {
        let waiting: [ListedReceipt]
        /// Waiting receipts that are booked unseen, whatever the filter is.
        let ready: Int64
        /// One more than shown when there are older ones.
        let booked: [ListedReceipt]
        let monthTotals: [LocalDate: (currency: Currency, minorUnits: Int64)]
        let stores: [(StoreID, String)]
        let members: [(PersonID, String)]
        let categories: Categories
        /// Whether only similar names were found.
        var isCorrected = false
    }

    /// Booked receipts on one page.
    static let pageSize = 50
    /// More waiting ones than this are counted, not shown.
    static let inboxSize: Int32 = 100

    /// Receipts that have what is searched for; where there is none, those that have something called like it.
    func list(_ filter: ReceiptFilter, _ member: Member) async throws -> Result {
        let exact = try await list(filter, nil, member)
        guard !filter.search.isEmpty, exact.waiting.isEmpty, exact.booked.isEmpty,
            let alike = try await AlikeNames.find(filter.search, member, database, slowWork)
        else { return exact }
        return try await list(filter, alike, member)
    }

    private func list(_ filter: ReceiptFilter, _ alike: [AlikeNames]?, _ member: Member) async throws -> Result {
        let household = member.household
        let limit = Int32(Self.pageSize + 1)
        let condition = filter.condition(seenBy: member, alike: alike)
        let earlier: SQL = filter.before.map { "r.purchase_day < \($0.firstDay)" } ?? "true"
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
                WHERE r.household_id = \(household) AND r.stage <> 'confirmed' AND r.discarded_at IS NULL
                    AND \(Visibility.condition(member)) AND \(condition)
                ORDER BY r.created_at DESC, r.id DESC LIMIT \(Self.inboxSize)
                """,
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
                WHERE r.household_id = \(household) AND r.stage = 'confirmed' AND r.discarded_at IS NULL
                    AND \(Visibility.condition(member)) AND \(earlier) AND \(condition)
                ORDER BY r.purchase_day DESC, r.id DESC LIMIT \(limit)
                """,
                """
                SELECT date_trunc('month', r.purchase_day)::date, r.currency, sum(r.total_minor)::bigint
                FROM \(ListedReceipt.source)
                WHERE r.household_id = \(household) AND r.stage = 'confirmed' AND r.discarded_at IS NULL
                    AND r.purchase_day IS NOT NULL AND r.total_minor IS NOT NULL
                    AND \(Visibility.condition(member)) AND \(earlier) AND \(condition)
                GROUP BY 1, 2 ORDER BY 1 DESC, 3 LIMIT 60
                """,
                """
                SELECT s.id, s.name FROM store s
                WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member))
                ORDER BY s.name, s.id LIMIT 200
                """,
                """
                SELECT p.id, p.name FROM membership m JOIN person p ON p.id = m.person_id
                WHERE m.household_id = \(household) ORDER BY p.name, p.id
                """,
                Categories.query(household), ReviewStore.readyCount(member),
            ])
        var totals: [LocalDate: (currency: Currency, minorUnits: Int64)] = [:]
        for (month, currency, sum) in try rows[2].decode((LocalDate, Currency, Int64).self) {
            totals[month] = (currency, sum)
        }
        return Result(
            waiting: try rows[0].decode(), ready: try rows[6].first(Int64.self) ?? 0, booked: try rows[1].decode(),
            monthTotals: totals,
            stores: try rows[3].decode((StoreID, String).self), members: try rows[4].decode((PersonID, String).self),
            categories: try Categories(rows[5]), isCorrected: alike != nil)
    }

    /// Discarded receipts that can still be taken back.
    func discarded(_ member: Member) async throws -> [ListedReceipt] {
        let household = member.household
        return try await database.read(
            household,
            """
            SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
            WHERE r.household_id = \(household) AND r.discarded_at IS NOT NULL AND \(Visibility.condition(member))
            ORDER BY r.discarded_at DESC, r.id DESC LIMIT 200
            """
        ).decode()
    }
}
