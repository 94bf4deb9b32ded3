import Postgres

/// The household, or a person in it, already has the maximum number of documents of a kind.
struct TooMany: Error {
    let limit: Int
    /// The kind in the plural: `rules`.
    let kind: String
}

extension HouseholdTransaction {
    /// - Throws: `TooMany` unless the statement counts fewer documents than the limit.
    func requireRoom(for kind: String, limit: Int32, count: SQL) async throws {
        let stored = try await query(count).first(Int64.self) ?? 0
        guard stored < Int64(limit) else { throw TooMany(limit: Int(limit), kind: kind) }
    }
}
