import Domain
import HTTP
import Postgres

/// Every booked item as CSV, streamed.
struct ExportController: Sendable {
    private let database: Database

    /// Some thousand lines.
    private static let receiptsOfOnePiece = 100

    init(_ database: Database) { self.database = database }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/export.csv", "ExportController.export", export)
    }

    private func export(_ request: MemberRequest) async throws -> Response {
        let member = request.member
        let database = database
        let withQuantities = request.head.query("quantities") != nil
        var response = Response(
            body: .stream(length: nil) { writer in
                try await Self.write(member, database, withQuantities: withQuantities, to: writer)
            })
        response.headers[.contentType] = "text/csv; charset=utf-8"
        response.headers["Content-Disposition"] =
            "attachment; filename=\"allesteurer-\(WallClock.today().iso).csv\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Nothing is held while a slow browser takes its time: the receipts are looked up at once, their lines piece by
    /// piece. Each receipt stands in the table once, as it is when its turn comes.
    private static func write(
        _ member: Member, _ database: Database, withQuantities: Bool, to writer: any ResponseWriter
    ) async throws {
        let household = member.household
        let booked: SQL = """
            r.household_id = \(household) AND r.stage = 'confirmed' AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member))
            """
        let receipts = try await database.read(
            household, "SELECT r.id FROM receipt r WHERE \(booked) ORDER BY r.purchase_day, r.id"
        ).decode(ReceiptID.self)
        func text(_ records: [LineItemRecord]) -> String {
            LineItemTable.write(records, language: member.language, withQuantities: withQuantities)
        }
        // Byte order mark and heading stand once, before the first piece.
        try await writer.send(Array(text([]).utf8))
        for piece in receipts.batches(of: receiptsOfOnePiece) {
            let rows = try await database.read(
                household,
                """
                SELECT l.printed_name, l.total_minor, r.currency, c.name, s.name, r.purchase_day,
                    l.quantity_thousandths, l.unit
                FROM receipt r
                JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
                LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
                LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id
                    AND l.kind = 'discount'
                LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
                LEFT JOIN category c ON c.household_id = l.household_id AND c.id = \(RollUps.category(household))
                WHERE \(booked) AND r.id = ANY(\(piece)) ORDER BY r.purchase_day, r.id, l.position, l.id
                """
            ).decode((String, Int64, Currency, String?, String?, LocalDate, Int64, StoredUnit).self)
            let records = rows.map { row in
                LineItemRecord(
                    name: row.0, price: Money(minorUnits: row.1, currency: row.2),
                    quantity: exported(row.6, row.7), category: row.3, shop: row.4, day: row.5)
            }
            try await writer.send(Array(withoutHeading(text(records)).utf8))
        }
    }

    /// What was given back has its sign in the price; nothing is one.
    private static func exported(_ thousandths: Int64, _ unit: StoredUnit) -> Quantity {
        thousandths == 0 ? .one : Quantity(thousandths: abs(thousandths), unit: unit.unit)
    }

    private static func withoutHeading(_ table: String) -> Substring {
        // CR LF is one character.
        guard let end = table.firstIndex(of: "\r\n") else { return table[...] }
        return table[table.index(after: end)...]
    }
}
