import Domain
import JSON
import Postgres

/// Stores the values that a merge discarded, so that a person can still choose them.
enum LostValues {
    /// - Parameters:
    ///   - person: the author of the lost values; nil if unknown.
    ///   - areRemoved: whether they are references to deleted documents that were removed. Their column `kept` is NULL,
    ///     which distinguishes them from references that a merge did not keep.
    static func record(
        _ lost: [DocumentMerge.LostField], of key: DocumentKey, _ revision: RevisionID, by person: PersonID?,
        areRemoved: Bool = false, _ changes: HouseholdTransaction
    ) async throws {
        guard !lost.isEmpty else { return }
        func json(_ value: JSONValue) -> PostgresJSON { PostgresJSON(value.bytes) }
        func kept(_ value: JSONValue) -> PostgresJSON? { areRemoved && value == .null ? nil : json(value) }
        try await changes.query(
            batch: lost.prefix(1_000).map { value in
                """
                INSERT INTO lost_value
                    (household_id, id, document_type, document_id, field, kept, lost, person_id, rev)
                VALUES (\(changes.household), \(Identifier<Void>.new()), \(key.type.rawValue), \(key.id),
                    \(value.field.cut(to: 400)), \(kept(value.kept)), \(json(value.lost)), \(person),
                    \(revision.description))
                """
            })
    }
}
