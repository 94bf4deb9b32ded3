import Domain
import HTTP
import Postgres

/// Exports all confirmed lines as a CSV stream.
struct ExportController: Sendable {
    private let database: Database

    /// The number of receipts in one batch. Together they have at most a few thousand lines.
    private static let receiptsPerBatch = 100

    init(_ database: Database) { self.database = database }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/export.csv", "ExportController.export") { request in
            export(request.member, isWhole: request.head.query("quantities") != nil)
        }
        try routes.client(.get, "/api/v1/export.csv", "ExportController.clientExport", scope: .read) { request in
            export(request.member, isWhole: true)
        }
    }

    /// - Parameter isWhole: whether to write all columns, instead of the five columns of the first AllesTeurer app.
    private func export(_ member: Member, isWhole: Bool) -> Response {
        let database = database
        var response = Response(
            body: .stream(length: nil) { writer in
                // The body is sent after the handler has returned, outside the member's time zone, so the time zone is
                // set again.
                try await WallClock.$zone.withValue(member.zone) {
                    try await Self.write(member, database, isWhole: isWhole, to: writer)
                }
            })
        response.headers[.contentType] = "text/csv; charset=utf-8"
        response.headers["Content-Disposition"] =
            "attachment; filename=\"allesteurer-\(WallClock.today().iso).csv\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Selects the identifiers of all receipts first and then reads their lines in batches, so that a slow client keeps
    /// no transaction open. Each receipt is written once, as it is when its batch is read.
    private static func write(
        _ member: Member, _ database: Database, isWhole: Bool, to writer: any ResponseWriter
    ) async throws {
        let household = member.household
        let isConfirmed: SQL = """
            r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member))
            """
        let receipts = try await database.read(
            household, "SELECT r.id FROM receipt r WHERE \(isConfirmed) ORDER BY r.purchase_day, r.id"
        ).decode(ReceiptID.self)
        func text(_ records: [LineItemRecord]) -> String {
            LineItemTable.write(records, language: member.language, isWhole: isWhole)
        }
        // Writes the byte order mark and the headings only once.
        try await writer.send(Array(text([]).utf8))
        // In an export of all columns, a discount directly follows its item, because the import relies on this order.
        // Lines without an amount are not exported. A discount on such a line is exported as an independent discount,
        // because the import would otherwise assign it to the preceding item.
        let reducesItem: SQL = """
            coalesce(bl.kind = 'item' AND bl.receipt_id = l.receipt_id AND NOT \(StoredReading.unread) = ANY(bl.doubts), false)
            """
        let order: SQL =
            isWhole
            ? """
            CASE WHEN \(reducesItem) THEN bl.position ELSE l.position END, CASE WHEN \(reducesItem) THEN bl.id ELSE l.id END,
                \(reducesItem), l.position, l.id
            """ : "l.position, l.id"
        var numbers = ReceiptNumbers()
        for batch in receipts.batches(of: receiptsPerBatch) {
            let rows = try await database.read(
                household,
                """
                SELECT l.printed_name, l.total_minor, r.currency, c.name, nullif(s.name, '–'), r.purchase_day,
                    l.quantity_thousandths, l.unit, l.unit_price_thousandths, l.kind, \(reducesItem), r.id
                FROM receipt r
                JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
                LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
                LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id
                    AND l.kind = 'discount'
                LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
                LEFT JOIN category c ON c.household_id = l.household_id AND c.id = \(RollUps.category(household))
                WHERE \(isConfirmed) AND r.id = ANY(\(batch)) AND \(StoredReading.isRead)
                ORDER BY r.purchase_day, r.id, \(order)
                """
            ).decode(Line.self)
            let records = rows.map { $0.record(&numbers) }
            try await writer.send(Array(withoutHeading(text(records)).utf8))
        }
    }

    /// Numbers the receipts from 1 in the order of their export.
    private struct ReceiptNumbers {
        private var last: ReceiptID?
        private var count = 0

        mutating func number(_ receipt: ReceiptID) -> String {
            if receipt != last { count += 1 }
            last = receipt
            return String(count)
        }
    }

    private struct Line: RowDecodable {
        private let name: String
        private let totalMinor: Int64
        private let currency: Currency
        private let category: String?
        private let store: String?
        private let day: LocalDate
        private let quantity: Int64
        private let unit: StoredUnit
        private let unitPrice: Int64?
        private let kind: LineKind
        private let reducesPrecedingItem: Bool
        private let receipt: ReceiptID

        init(from row: inout RowReader) throws(PostgresError) {
            name = try row.next()
            totalMinor = try row.next()
            currency = try row.next()
            category = try row.next()
            store = try row.next()
            day = try row.next()
            quantity = try row.next()
            unit = try row.next()
            unitPrice = try row.next()
            kind = try row.next()
            reducesPrecedingItem = try row.next()
            receipt = try row.next()
        }

        func record(_ numbers: inout ReceiptNumbers) -> LineItemRecord {
            LineItemRecord(
                name: name, price: Money(minorUnits: totalMinor, currency: currency),
                quantity: Quantity(thousandths: quantity, unit: unit.unit),
                unitPrice: unitPrice.map {
                    UnitPrice(thousandthsOfMinor: $0, currency: currency, per: unit.unit)
                }, category: category, store: store, day: day,
                kind: LineItemRecord.Kind(kind, reducesPrecedingItem: reducesPrecedingItem),
                receipt: numbers.number(receipt))
        }
    }

    private static func withoutHeading(_ table: String) -> Substring {
        // CR LF is a single Character.
        guard let end = table.firstIndex(of: "\r\n") else { return table[...] }
        return table[table.index(after: end)...]
    }
}
