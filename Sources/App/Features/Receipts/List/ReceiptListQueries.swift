import Domain
import Postgres

/// The queries of the list, in one round trip.
struct ReceiptListQueries: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Result: Sendable {
        let waiting: [ListedReceipt]
        /// Waiting receipts that can be confirmed together, without the filter.
        let ready: Int64
        /// One more than shown when there are older ones.
        let booked: [ListedReceipt]
        /// By a month's first day the sum of its receipts, or of their parts in the requested category; one sum for each currency,
        /// the household's first.
        let monthTotals: [LocalDate: [Money]]
        /// By a month's first day its number of receipts, when there are more than one page shows.
        let monthCounts: [LocalDate: Int64]
        /// The parts of booked receipts in the category: name (nil for the rest of the total), amount.
        var parts: [ReceiptID: [(name: String?, amount: Int64)]] = [:]
        let stores: [(StoreID, String)]
        let members: [(PersonID, String)]
        let categories: Categories
        /// Whether only similar names were found.
        var isCorrected = false
    }

    /// Booked receipts on one page.
    static let pageSize = 50
    /// Receipts of one requested month on one page.
    static let monthSize = 500
    /// Waiting receipts that are shown; further ones are counted.
    static let inboxSize: Int32 = 100

    /// Receipts that match the search; without a match those with similar names.
    func list(_ filter: ReceiptFilter, _ member: Member) async throws -> Result {
        var result = try await found(filter, member)
        guard let category = filter.category, !result.booked.isEmpty else { return result }
        let parts = try await database.read(
            member.household,
            """
            SELECT r.id, part.name, part.amount FROM receipt r
            CROSS JOIN LATERAL \(category.parts(member.household)) part
            WHERE r.household_id = \(member.household) AND r.id = ANY(\(result.booked.map(\.id)))
            ORDER BY r.id, part.position
            """
        ).decode((ReceiptID, String?, Int64).self)
        for (receipt, name, amount) in parts { result.parts[receipt, default: []].append((name, amount)) }
        return result
    }

    private func found(_ filter: ReceiptFilter, _ member: Member) async throws -> Result {
        let exact = try await list(filter, nil, member)
        guard !filter.search.isEmpty, exact.waiting.isEmpty, exact.booked.isEmpty,
            let alike = try await AlikeNames.find(filter.search, member, database, slowWork)
        else { return exact }
        return try await list(filter, alike, member)
    }

    private func list(_ filter: ReceiptFilter, _ alike: [AlikeNames]?, _ member: Member) async throws -> Result {
        let household = member.household
        let limit = Int32((filter.month == nil ? Self.pageSize : Self.monthSize) + 1)
        let condition = filter.condition(seenBy: member, alike: alike)
        let earlier: SQL = filter.before.map { "r.purchase_day < \($0.firstDay)" } ?? "true"
        let isDated: SQL = """
            r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member)) AND \(earlier) AND \(condition)
            """
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
                WHERE r.household_id = \(household) AND r.stage <> \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                    AND \(Visibility.condition(member)) AND \(condition)
                ORDER BY r.created_at DESC, r.id DESC LIMIT \(Self.inboxSize)
                """,
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
                WHERE r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                    AND \(Visibility.condition(member)) AND \(earlier) AND \(condition)
                ORDER BY r.purchase_day DESC, r.id DESC LIMIT \(limit) OFFSET \(Int32(filter.skipped))
                """,
                Self.totals(filter.category, household, isDated, member),
                """
                SELECT s.id, s.name FROM store s
                WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member))
                ORDER BY s.name, s.id LIMIT 200
                """,
                """
                SELECT p.id, p.name FROM membership m JOIN person p ON p.id = m.person_id
                WHERE m.household_id = \(household) ORDER BY p.name, p.id
                """,
                Categories.query(household), ReceiptEdits.readyCount(member),
                """
                SELECT \(Self.month), count(*) FROM \(ListedReceipt.source)
                WHERE \(isDated) GROUP BY 1 HAVING count(*) > \(Int32(Self.pageSize)) ORDER BY 1 DESC LIMIT 60
                """,
            ])
        var totals: [LocalDate: [Money]] = [:]
        for (month, currency, sum) in try rows[2].decode((LocalDate, Currency, Int64).self) {
            totals[month, default: []].append(Money(minorUnits: sum, currency: currency))
        }
        return Result(
            waiting: try rows[0].decode(), ready: try rows[6].first(Int64.self) ?? 0, booked: try rows[1].decode(),
            monthTotals: totals,
            monthCounts: Dictionary(uniqueKeysWithValues: try rows[7].decode((LocalDate, Int64).self)),
            stores: try rows[3].decode((StoreID, String).self), members: try rows[4].decode((PersonID, String).self),
            categories: try Categories(rows[5]), isCorrected: alike != nil)
    }

    private static let month: SQL = "date_trunc('month', r.purchase_day)::date"

    /// Sums by month and currency, of receipts or of their parts in a category, as the overview counts them.
    private static func totals(
        _ category: SpentCategory?, _ household: HouseholdID, _ isListed: SQL, _ member: Member
    ) -> SQL {
        guard let category else {
            return """
                SELECT \(month), r.currency, sum(\(RollUps.total))::bigint FROM \(ListedReceipt.source)
                JOIN household h ON h.id = r.household_id
                WHERE \(isListed) GROUP BY 1, 2, h.currency HAVING sum(\(RollUps.total)) IS NOT NULL
                ORDER BY 1 DESC, r.currency = h.currency DESC, 2 LIMIT 200
                """
        }
        return """
            SELECT \(month), r.currency, sum(part.amount)::bigint FROM \(ListedReceipt.source)
            JOIN household h ON h.id = r.household_id AND h.currency = r.currency
            CROSS JOIN LATERAL \(category.parts(household)) part
            WHERE \(isListed) AND (r.booked_month IS NOT NULL OR \(Visibility.isOwnGift(member)))
            GROUP BY 1, 2 ORDER BY 1 DESC LIMIT 60
            """
    }

    /// Discarded receipts that can still be restored.
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
