import Archive
import JSON
import Postgres

/// The columns of a table that a restore fills.
struct TableColumns: Sendable {
    let names: Set<String>
    /// Columns of type uuid or uuid[].
    private let identifiers: Set<String>
    /// Columns of type jsonb or json, which may contain identifiers.
    private let documents: Set<String>

    static func read(_ table: String, _ transaction: Transaction) async throws -> TableColumns {
        let columns = try await transaction.query(
            """
            SELECT a.attname::text, a.atttypid::regtype::text FROM pg_attribute a
            WHERE a.attrelid = to_regclass(\(table)) AND a.attnum > 0 AND NOT a.attisdropped
            """
        ).decode((String, String).self)
        func named(_ types: String...) -> Set<String> { Set(columns.filter { types.contains($0.1) }.map(\.0)) }
        return TableColumns(
            names: Set(columns.map(\.0)), identifiers: named("uuid", "uuid[]"), documents: named("jsonb", "json"))
    }

    /// Returns the identifiers in a row, except those in its JSON documents.
    func identifiers(in row: JSONObject) -> [String] {
        identifiers.flatMap { name -> [String] in
            guard let value = row[name] else { return [] }
            return (value.array ?? [value]).compactMap(\.string)
        }
    }

    /// Replaces all identifiers in a row by new ones.
    func mapped(_ row: JSONObject, _ mapping: IdentifierMapping) -> JSONObject {
        var mapped = row
        for name in identifiers.union(documents) {
            if let value = row[name] { mapped[name] = mapping.mapped(value) }
        }
        return mapped
    }
}
