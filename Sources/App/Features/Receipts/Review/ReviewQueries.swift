import Domain
import HTTP
import Postgres

/// The data of the review page, loaded in one round trip.
struct ReviewData: Sendable {
    let receipt: StoredReceipt
    /// Names of the household's stores, as suggestions.
    let stores: [String]
    /// The receipt of which this receipt is probably a duplicate.
    let original: Original?
    /// Earlier prices, to find implausible amounts.
    let usual: UsualPrices
    /// The household's currency.
    let currency: Currency
    let categories: Categories
    /// This member's unsent form; nil when there is none or it cannot be decoded.
    let typed: FormFields?

    /// The values for the notice about a duplicate.
    struct Original: Sendable {
        let id: ReceiptID
        let store: String
        let day: LocalDate?
        let time: LocalTime?
        let total: Money?
    }
}

struct ReviewQueries: Sendable {
    let database: Database

    /// - Throws: `Refusal.notFound` for a receipt that does not exist or that this member may not see.
    func load(_ id: ReceiptID, _ member: Member) async throws -> ReviewData {
        let household = member.household
        let parts = StoredReceiptQueries.statements(id, member)
        let rows = try await database.read(
            household,
            batch: parts + [
                """
                SELECT DISTINCT s.name FROM store s
                WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member)) ORDER BY s.name LIMIT 200
                """,
                """
                SELECT \(Self.originalColumns) FROM \(Self.originalSource)
                WHERE r.household_id = \(household) AND \(Visibility.condition(member))
                    AND r.id = (SELECT duplicate_of FROM receipt WHERE household_id = \(household) AND id = \(id))
                """,
                UsualPrices.query(id, household), UsualPrices.chainQuery(id, household),
                ReviewDrafts.query(id, member), "SELECT currency FROM household WHERE id = \(household)",
                Categories.query(household),
            ])
        let own = Array(rows.dropFirst(parts.count))
        let (stores, original, typed) = (own[0], own[1], own[4])
        let receipt = try StoredReceiptQueries.decode(id, Array(rows.prefix(parts.count)))
        let isRepeated = receipt.duplicateOf != nil && receipt.stage != .confirmed
        return ReviewData(
            receipt: receipt, stores: try stores.decode(String.self),
            original: isRepeated ? try Self.original(original) : nil, usual: try UsualPrices(own[2], chain: own[3]),
            currency: try own[5].first(Currency.self) ?? .eur, categories: try Categories(own[6]),
            typed: try typed.first(String.self).flatMap(ReviewDrafts.form))
    }

    /// Finds another receipt of the purchase that a form describes, among the receipts that this member may see.
    func receipt(
        of purchase: SamePurchase, otherThan id: ReceiptID, _ member: Member
    ) async throws -> ReviewData.Original? {
        let rows = try await database.read(
            member.household,
            """
            SELECT \(Self.originalColumns) FROM \(Self.originalSource)
            WHERE r.household_id = \(member.household) AND r.id <> \(id) AND r.discarded_at IS NULL
                AND r.duplicate_of IS DISTINCT FROM \(id) AND \(Visibility.condition(member)) AND \(purchase.condition)
            ORDER BY r.created_at LIMIT 1
            """)
        return try Self.original(rows)
    }

    /// The columns that `original` decodes.
    private static let originalColumns: SQL = """
        r.id, coalesce(s.name, r.printed_store ->> 'name', ''), r.purchase_day, r.purchase_time, r.total_minor, r.currency
        """

    private static let originalSource: SQL = """
        receipt r LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        """

    private static func original(_ rows: Rows) throws -> ReviewData.Original? {
        let row = try rows.first((ReceiptID, String, LocalDate?, PostgresTime?, Int64?, Currency).self)
        return row.map { id, store, day, time, total, currency in
            ReviewData.Original(
                id: id, store: store, day: day, time: time.flatMap(LocalTime.init(stored:)),
                total: total.map { Money(minorUnits: $0, currency: currency) })
        }
    }
}
