import Domain
import Postgres

/// Imports a table into the operator's catalogue, which all households see. A wine whose key is already stored replaces
/// the stored wine. The lines of one wine must be consecutive.
struct SharedWineImport: Sendable {
    /// Connections of the database role that owns the tables.
    let pool: Pool

    /// The maximum number of lines in one statement. A single wine with more lines is stored in one statement.
    var batch = 5_000

    /// - Parameters:
    ///   - mapping: chooses the columns for the headings.
    ///   - piece: returns the next chunk of the table; nil at the end.
    /// - Throws: `WineTables.Failure`.
    func run(
        mapping: @escaping @Sendable ([String]) -> WineMapping, piece: () throws -> [UInt8]?
    ) async throws -> WineImport.Result {
        var result = WineImport.Result()
        guard let first = try piece() else { throw WineTables.Failure.empty }
        var parser = WineTableParser(first: first, mapping: mapping)
        var waiting: [ImportedWine] = []
        var next: [UInt8]? = first
        while true {
            waiting += try parser.add(next)
            while let count = nextBatch(of: waiting, isEnd: next == nil) {
                let columns = WineImportColumns(Array(waiting.prefix(count)))
                _ = try await pool.query(columns.sharedInsertion)
                result.wines += columns.keys.count
                waiting.removeFirst(count)
            }
            guard next != nil else { break }
            next = try piece()
        }
        _ = try await pool.query("UPDATE shared_wine_catalogue SET version = version + 1")
        result.skipped = parser.skipped
        return result
    }

    /// Returns the number of lines to store next; nil if more lines must be read first. A statement replaces all scores
    /// of its wines, so one statement stores all lines of a wine.
    private func nextBatch(of lines: [ImportedWine], isEnd: Bool) -> Int? {
        guard lines.count > batch || isEnd && !lines.isEmpty else { return nil }
        func endsWine(_ count: Int) -> Bool {
            count == lines.count ? isEnd : lines[count - 1].key != lines[count].key
        }
        let most = min(batch, lines.count)
        return (1...most).last(where: endsWine) ?? (most...lines.count).first(where: endsWine)
    }
}
