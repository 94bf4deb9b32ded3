import Domain
import Postgres
import Templates

/// Loads the data for offline use in two round trips, or three if the current month is empty.
struct OfflineQueries: Sendable {
    let database: Database

    /// The maximum number of prices. Each product has one price per store, the newest.
    private static let maximumPrices: Int32 = 2_000
    private static let maximumReceipts: Int32 = 200
    private static let maximumLines: Int32 = 6_000
    /// The age of the oldest receipts, in days: three months.
    private static let receiptDays = 92
    private static let maximumMoves: Int32 = 5

    private struct PriceRow: RowDecodable {
        let product: String
        let chain: String
        let group: String?
        let price: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) {
            product = try row.next()
            chain = try row.next()
            group = try row.next()
            price = try StoredPrice.ifAny(from: &row)
        }
    }

    func load(_ member: Member, _ days: DayText) async throws -> OfflineData {
        let household = member.household
        let overview = try await OverviewQueries(database: database).load(
            member, nil, maximumMoves: Self.maximumMoves, today: days.today)
        let visible: SQL = """
            r.household_id = \(household) AND r.discarded_at IS NULL AND r.stage <> \(Stage.reading.sql)
                AND r.purchase_day >= \(days.today.adding(days: -Self.receiptDays)) AND \(Visibility.condition(member))
            ORDER BY r.purchase_day DESC, r.id LIMIT \(Self.maximumReceipts)
            """
        let rows = try await database.read(
            household,
            batch: [
                "SELECT now()",
                """
                SELECT d.name, d.chain, g.name, m.store_id, d.chain, m.day, m.regular_thousandths, m.paid_thousandths,
                    m.is_offer, m.unit, m.base_thousandths, m.base_unit, m.currency, NULL::uuid
                FROM (SELECT * FROM store_price WHERE household_id = \(household)
                    ORDER BY day DESC, product_id, store_id LIMIT \(Self.maximumPrices)) m
                JOIN product d ON d.household_id = \(household) AND d.id = m.product_id
                LEFT JOIN comparison_group g ON g.household_id = \(household) AND g.id = d.comparison_group_id
                ORDER BY g.name NULLS LAST, d.name, m.day DESC
                """,
                "SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source) WHERE \(visible)",
                """
                SELECT l.receipt_id, l.printed_name, l.total_minor
                FROM (SELECT r.id FROM receipt r WHERE \(visible)) r
                JOIN receipt_line l ON l.household_id = \(household) AND l.receipt_id = r.id
                ORDER BY l.receipt_id, l.position LIMIT \(Self.maximumLines)
                """,
                OfflineWines.query(member),
            ])
        let lines = Dictionary(grouping: try rows[3].decode((ReceiptID, String, Int64).self), by: \.0)
        let receipts: [ListedReceipt] = try rows[2].decode()
        return OfflineData(
            asOf: try rows[0].first(PostgresInstant.self) ?? PostgresInstant(microsecondsSince1970: 0),
            language: days.language,
            spending: OverviewController.spending(overview, days), moves: OverviewController.moves(overview, days),
            waiting: overview.waitingSums.reduce(0) { $0 + $1.count },
            prices: try rows[1].decode(PriceRow.self).compactMap { row in
                row.price.map {
                    OfflineData.Price(
                        product: row.product, group: row.group, store: overview.naming.store($0.store),
                        price: ($0.isOffer ? $0.paid : $0.regular).shown(days.language),
                        base: $0.repeatsBase ? nil : ($0.isOffer ? $0.paidBase : $0.base)?.shownAsBase(days.language),
                        day: $0.day.formatted(days.language), isOffer: $0.isOffer)
                }
            },
            receipts: receipts.map { receipt in
                let row = ReceiptRow(
                    receipt: receipt, words: days.words, language: days.language, today: days.today,
                    reader: member.person)
                return OfflineData.Receipt(
                    id: receipt.id, store: row.storeName, day: receipt.day?.formatted(days.language) ?? row.when,
                    total: row.total,
                    lines: (lines[receipt.id] ?? []).map { _, name, total in
                        (
                            name: name,
                            amount: Money(minorUnits: total, currency: receipt.currency).formatted(days.language)
                        )
                    })
            }, wines: try OfflineWines.wines(rows[4], days))
    }
}
