import Domain
import Postgres

/// The queries of the receipt list. They take one round trip, and further round trips for the parts in a category, for
/// a search that finds only similar names, and for a full inbox.
struct ReceiptListQueries: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Result: Sendable {
        /// The newest waiting receipts that match the filter, at most `inboxSize`.
        let waiting: [ListedReceipt]
        /// The number of all waiting receipts that match the filter.
        let waitingCount: Int64
        /// The number of waiting receipts that need no review, regardless of the filter.
        let ready: Int64
        /// The receipts of the page. If there are older receipts, one receipt more than the page shows.
        let confirmed: [ListedReceipt]
        /// Totals by the first day of the month, one for each currency, the household's currency first. With a category
        /// in the filter, only the parts in this category are added up.
        let monthTotals: [LocalDate: [Money]]
        /// Numbers of receipts by the first day of the month.
        let monthCounts: [LocalDate: Int64]
        /// The parts of the confirmed receipts in the category. The name is nil for the difference between lines and
        /// total.
        var parts: [ReceiptID: [(name: String?, amount: Int64)]] = [:]
        let stores: [(id: StoreID, name: String)]
        let members: [(id: PersonID, name: String)]
        let categories: Categories
        /// Whether no receipt matched exactly and the list shows receipts with similar names.
        var isCorrected = false
    }

    /// The number of confirmed receipts on one page.
    static let pageSize = 50
    /// The number of receipts on a page that shows a single month.
    static let monthSize = 500
    /// The maximum number of waiting receipts on one page. Older waiting receipts are only counted.
    static let inboxSize: Int32 = 100

    /// Loads the receipts that match the search; if there are none, receipts with similar names.
    func list(_ filter: ReceiptFilter, _ member: Member) async throws -> Result {
        var result = try await exactOrSimilar(filter, member)
        guard let category = filter.category, !result.confirmed.isEmpty else { return result }
        let parts = try await database.read(
            member.household,
            """
            SELECT r.id, part.name, part.amount FROM receipt r
            CROSS JOIN LATERAL \(category.parts(member.household)) part
            WHERE r.household_id = \(member.household) AND r.id = ANY(\(result.confirmed.map(\.id)))
            ORDER BY r.id, part.position
            """
        ).decode((ReceiptID, String?, Int64).self)
        for (receipt, name, amount) in parts { result.parts[receipt, default: []].append((name, amount)) }
        return result
    }

    private func exactOrSimilar(_ filter: ReceiptFilter, _ member: Member) async throws -> Result {
        let exact = try await list(filter, nil, member)
        guard !filter.search.isEmpty, exact.waiting.isEmpty, exact.confirmed.isEmpty,
            let similar = try await SimilarNames.find(filter.search, member, database, slowWork)
        else { return exact }
        return try await list(filter, similar, member)
    }

    private func list(_ filter: ReceiptFilter, _ similar: [SimilarNames]?, _ member: Member) async throws -> Result {
        let household = member.household
        let limit = Int32((filter.month == nil ? Self.pageSize : Self.monthSize) + 1)
        let condition = filter.condition(seenBy: member, similar: similar)
        let earlier: SQL = filter.before.map { "r.purchase_day < \($0.firstDay)" } ?? "true"
        let isConfirmed: SQL = """
            r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND \(Visibility.condition(member)) AND \(earlier) AND \(condition)
            """
        // Reads an index in its order, so that the query stops when the page is full.
        let page: SQL = """
            page AS MATERIALIZED (SELECT r.* FROM \(Self.source) WHERE \(isConfirmed)
                ORDER BY r.purchase_day DESC, r.id DESC LIMIT \(limit) OFFSET \(Int32(filter.skipped)))
            """
        let isWaiting: SQL = "\(ListedReceipt.isWaiting(member)) AND \(condition)"
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source) WHERE \(isWaiting)
                ORDER BY r.created_at DESC, r.id DESC LIMIT \(Self.inboxSize)
                """,
                """
                WITH \(page) SELECT \(ListedReceipt.columns(member))
                FROM page r
                LEFT JOIN LATERAL (SELECT * FROM store s
                    WHERE s.household_id = \(household) AND s.id = r.store_id LIMIT 1) s ON true
                LEFT JOIN person p ON p.id = r.person_id
                ORDER BY r.purchase_day DESC, r.id DESC
                """,
                Self.months(filter.category, household, page, isConfirmed, member),
                // The choices of the filter form, and the number of waiting receipts that need no review.
                """
                (SELECT 1, s.id, s.name, 0::bigint FROM store s
                 WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member))
                 ORDER BY s.name, s.id LIMIT 200)
                UNION ALL
                (SELECT 2, p.id, \(PersonName.distinct(household)), 0 FROM membership m JOIN person p ON p.id = m.person_id
                 WHERE m.household_id = \(household) ORDER BY p.name, p.id)
                UNION ALL
                SELECT 3, NULL, '', (\(ReceiptEdits.readyCount(member)))
                """,
                Categories.query(household),
            ])
        let months = try rows[2].decode((LocalDate, Currency, Int64?, Int64).self).map {
            (day: $0, currency: $1, total: $2, count: $3)
        }
        let choices = try rows[3].decode((Int32, PostgresUUID?, String, Int64).self).map {
            (kind: $0, id: $1, name: $2, count: $3)
        }
        func named<Tag>(_ kind: Int32) -> [(id: Identifier<Tag>, name: String)] {
            choices.compactMap { choiceKind, id, name, _ in
                choiceKind == kind ? id.map { (id: Identifier<Tag>(high: $0.high, low: $0.low), name: name) } : nil
            }
        }
        let waiting: [ListedReceipt] = try rows[0].decode()
        return Result(
            waiting: waiting, waitingCount: try await waitingCount(waiting, isWaiting, household),
            ready: choices.last?.count ?? 0, confirmed: try rows[1].decode(),
            monthTotals: Dictionary(
                grouping: months.filter { $0.total != nil }, by: \.day
            ).mapValues { $0.map { Money(minorUnits: $0.total ?? 0, currency: $0.currency) } },
            monthCounts: Dictionary(months.map { ($0.day, $0.count) }, uniquingKeysWith: +),
            stores: named(1), members: named(2), categories: try Categories(rows[4]), isCorrected: similar != nil)
    }

    /// Counts the waiting receipts, if there may be more than the page shows.
    private func waitingCount(
        _ shown: [ListedReceipt], _ isWaiting: SQL, _ household: HouseholdID
    ) async throws -> Int64 {
        guard shown.count == Int(Self.inboxSize) else { return Int64(shown.count) }
        let rows = try await database.read(household, "SELECT count(*) FROM \(Self.source) WHERE \(isWaiting)")
        return try rows.first(Int64.self) ?? 0
    }

    /// Receipts `r` and their stores `s`, to which the filter's conditions refer.
    private static let source: SQL = """
        receipt r LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        """

    /// Total and number of receipts for each month of the page and each currency, the household's currency first. If
    /// the filter has a category, only the parts of receipts in this category are added up, by the rules of the
    /// overview.
    private static func months(
        _ category: SpentCategory?, _ household: HouseholdID, _ page: SQL, _ isConfirmed: SQL, _ member: Member
    ) -> SQL {
        let amount: SQL = category == nil ? RollUps.total : "part.amount"
        let parts: SQL =
            category.map {
                """
                LEFT JOIN LATERAL (SELECT sum(c.amount)::bigint AS amount FROM \($0.parts(household)) c) part
                    ON r.booked_month IS NOT NULL OR \(Visibility.isOwnGift(member))
                """
            } ?? ""
        return """
            WITH \(page),
            bounds AS MATERIALIZED (SELECT date_trunc('month', min(purchase_day))::date AS first,
                (date_trunc('month', max(purchase_day)) + interval '1 month')::date AS next FROM page)
            SELECT date_trunc('month', r.purchase_day)::date, r.currency, sum(\(amount))::bigint, count(*)
            FROM bounds b
            CROSS JOIN LATERAL (SELECT r.* FROM \(source)
                WHERE \(isConfirmed) AND r.purchase_day >= b.first AND r.purchase_day < b.next OFFSET 0) r
            JOIN household h ON h.id = \(household) \(parts)
            GROUP BY 1, 2, h.currency ORDER BY 1 DESC, r.currency = h.currency DESC, 2
            """
    }

    /// Discarded receipts that can still be restored.
    func discardedReceipts(_ member: Member) async throws -> [ListedReceipt] {
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
