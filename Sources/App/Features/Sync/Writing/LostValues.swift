import Domain
import JSON
import Postgres

/// Stores the values that a merge did not keep, so that they can be taken later.
enum LostValues {
    /// - Parameter person: whose values lost; nil if that is not known.
    static func record(
        _ lost: [DocumentMerge.Lost], of key: DocumentKey, _ revision: RevisionID, by person: PersonID?,
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
