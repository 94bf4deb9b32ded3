import Domain
import HTTP
import Postgres

/// Every booked item as CSV, streamed from one snapshot.
struct ExportController: Sendable {
    private let database: Database

    /// Lines of one piece.
    private static let pageSize: Int32 = 1_000

    init(_ database: Database) { self.database = database }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/export.csv", "ExportController.export", export)
    }

    private func export(_ request: MemberRequest) async throws -> Response {
        let member = request.member
        let database = database
        var response = Response(
            body: .stream(length: nil) { writer in
                try await Self.write(member, database, to: writer)
            })
        response.headers[.contentType] = "text/csv; charset=utf-8"
        response.headers["Content-Disposition"] =
            "attachment; filename=\"allesteurer-\(WallClock.today().iso).csv\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private static func write(_ member: Member, _ database: Database, to writer: any ResponseWriter) async throws {
        let household = member.household
        try await database.pool.transaction(household: household, isolation: .snapshot) { transaction in
            var isFirst = true
            var last: (day: LocalDate, line: ReceiptLineID)?
            while true {
                let after: SQL = last.map { "AND (r.purchase_day, l.id) > (\($0.day), \($0.line))" } ?? ""
                let rows = try await transaction.query(
                    """
                    SELECT l.id, l.printed_name, l.total_minor, r.currency, c.name, s.name, r.purchase_day
                    FROM receipt r
                    JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                    LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
                    LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
                    LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id
                        AND l.kind = 'discount'
                    LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
                    LEFT JOIN category c ON c.household_id = l.household_id AND c.id = \(RollUps.category(household))
                    WHERE r.household_id = \(household) AND r.stage = 'confirmed' AND r.discarded_at IS NULL
                        AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member)) \(after)
                    ORDER BY r.purchase_day, l.id LIMIT \(pageSize)
                    """
                ).decode((ReceiptLineID, String, Int64, Currency, String?, String?, LocalDate).self)
                let records = rows.map { row in
                    LineItemRecord(
                        name: row.1, price: Money(minorUnits: row.2, currency: row.3), category: row.4, shop: row.5,
                        day: row.6)
                }
                if isFirst || !records.isEmpty {
                    try await writer.send(Array(text(records, member.language, withHeading: isFirst).utf8))
                }
                isFirst = false
                guard rows.count == Int(pageSize), let end = rows.last else { return }
                last = (end.6, end.0)
            }
        }
    }

    /// Byte order mark and heading stand once, before the first piece.
    private static func text(_ records: [LineItemRecord], _ language: Language, withHeading: Bool) -> String {
        let table = LineItemTable.write(records, language: language)
        // CR LF is one character.
        guard !withHeading, let end = table.firstIndex(of: "\r\n") else { return table }
        return String(table[table.index(after: end)...])
    }
}
