import Domain
import JSON
import Postgres

/// Stores the values that a merge discarded, so that a person can still choose them.
enum LostValues {
    /// The value of the column `kept` for a reference that was removed because it refers to a deleted document. For all
    /// other discarded values, the column has the stored value. NULL is not used, because archives do not distinguish
    /// NULL from the JSON value null.
    static let removedReference: JSONValue = ["removed": true]

    /// - Parameter person: the author of the lost values; nil if unknown.
    static func record(
        _ lost: [DocumentMerge.LostField], of key: DocumentKey, _ revision: RevisionID, by person: PersonID?,
        _ changes: HouseholdTransaction
    ) async throws {
        guard !lost.isEmpty else { return }
        func json(_ value: JSONValue) -> PostgresJSON { PostgresJSON(value.bytes) }
        try await changes.query(
            batch: lost.prefix(1_000).map { value in
                """
                INSERT INTO lost_value
                    (household_id, id, document_type, document_id, field, kept, lost, person_id, rev)
                VALUES (\(changes.household), \(Identifier<Void>.new()), \(key.type.rawValue), \(key.id),
                    \(value.field.cut(to: 400)), \(json(value.kept)), \(json(value.lost)), \(person),
                    \(revision.description))
                """
            })
    }
}
