import Domain
import HTTP
import Postgres
import Wines

/// Exports the household's wines as CSV: one line for each score, and one line for a wine without a score. `WineImport`
/// can read the file.
enum WineExport {
    /// The number of wines that are read at once.
    private static let batch: Int64 = 500

    static func response(_ member: Member, _ database: Database) -> Response {
        var response = Response(
            body: .stream(length: nil) { writer in try await write(member.household, database, to: writer) })
        response.headers[.contentType] = "text/csv; charset=utf-8"
        response.headers["Content-Disposition"] = "attachment; filename=\"wines-\(WallClock.today().iso).csv\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private static func write(
        _ household: HouseholdID, _ database: Database, to writer: any ResponseWriter
    ) async throws {
        var head = CSVWriter()
        head.append(WineColumn.allCases.map(\.heading))
        try await writer.send(Array(head.text.utf8))
        var last: WineID?
        while true {
            let after: SQL = last.map { "w.id > \($0)" } ?? "true"
            let rows = try await database.read(
                household,
                batch: [
                    StoredWine.query(
                        household, "w.discarded_at IS NULL AND \(after) ORDER BY w.id LIMIT \(batch)"),
                    """
                    SELECT w.id, w.source_key FROM wine w WHERE w.household_id = \(household) AND w.source_key LIKE 'id:%'
                        AND w.discarded_at IS NULL AND \(after) ORDER BY w.id LIMIT \(batch)
                    """,
                ])
            let wines = try rows[0].decode(StoredWine.self)
            guard let end = wines.last else { return }
            let keys = Dictionary(try rows[1].decode((WineID, String).self).map { ($0.0, $0.1) }) { first, _ in first }
            var table = CSVWriter(withByteOrderMark: false)
            for wine in wines {
                for score in wine.scores.isEmpty ? [nil] : wine.scores.map(Optional.some) {
                    let key = keys[wine.id].map { String($0.dropFirst(3)) } ?? wine.id.description
                    table.append(WineColumn.allCases.map { field($0, wine, score, key: key) })
                }
            }
            try await writer.send(Array(table.text.utf8))
            last = end.id
        }
    }

    private static func field(_ column: WineColumn, _ wine: StoredWine, _ score: WineScore?, key: String) -> String {
        switch column {
        case .name: wine.name
        case .producer: wine.producer
        case .vintage: wine.vintage.map(String.init) ?? ""
        case .country: wine.country
        case .region: wine.region
        case .colour: wine.colour?.rawValue ?? ""
        case .grapes: wine.grapes.joined(separator: ", ")
        case .price: wine.releasePrice?.plain ?? ""
        case .currency: wine.releasePrice?.currency.code ?? ""
        case .points: score.map { String($0.points) } ?? ""
        case .critic: score?.critic ?? ""
        case .note: score?.note ?? ""
        case .reviewedOn: score?.reviewedOn?.iso ?? ""
        case .drinkFrom: wine.drinkFrom.map(String.init) ?? ""
        case .drinkUntil: wine.drinkUntil.map(String.init) ?? ""
        case .key: key
        }
    }
}
