import Domain
import Postgres

/// Imports a table into the operator's catalogue, which all households see. A wine whose key is already stored replaces
/// the stored wine. The lines of one wine must be consecutive.
struct SharedWineImport: Sendable {
    /// Connections of the database role that owns the tables.
    let pool: Pool

    private static let batch = 5_000

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
            while waiting.count >= Self.batch || next == nil && !waiting.isEmpty {
                let columns = WineImportColumns(Array(waiting.prefix(Self.batch)))
                _ = try await pool.query(columns.sharedInsertion)
                result.wines += columns.keys.count
                waiting.removeFirst(min(Self.batch, waiting.count))
            }
            guard next != nil else { break }
            next = try piece()
        }
        _ = try await pool.query("UPDATE shared_wine_catalogue SET version = version + 1")
        result.refused = parser.refused
        return result
    }
}
