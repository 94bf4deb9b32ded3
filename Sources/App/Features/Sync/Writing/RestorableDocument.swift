import Domain
import JSON
import Postgres

/// A document with removed references whose targets exist now, in the state before a change.
struct RestorableDocument: Sendable {
    let key: DocumentKey
    /// The winning revision before the change.
    private let revision: RevisionID

    /// The maximum number of documents whose references are restored after one transaction.
    private static let maximum: Int32 = 100

    /// Selects the changed documents that have removed references whose targets exist. Nil if documents of these types
    /// never have removed references. Runs before the changes are logged.
    ///
    /// - Parameter person: the author of the changes. Documents that are private to another person are not selected.
    static func query(
        _ changed: [DocumentType: Set<Identifier<Void>>], _ household: HouseholdID, by person: PersonID
    ) -> SQL? {
        let keys = changed.filter { DocumentWriting.clearableTypes.contains($0.key) }
            .flatMap { type, ids in ids.map { DocumentKey(type, $0) } }
        guard !keys.isEmpty else { return nil }
        // The target is compared as text, because other values in this column are not identifiers.
        let query: SQL = """
            SELECT DISTINCT v.document_type, v.document_id, s.generation, s.hash FROM lost_value v
            JOIN sync_document s ON s.household_id = v.household_id AND s.document_type = v.document_type
                AND s.document_id = v.document_id AND NOT s.deleted
                AND (s.private_to IS NULL OR s.private_to = \(person))
            WHERE \(SyncEdits.isWaiting(household)) AND (v.document_type, v.document_id)
                    IN (SELECT * FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id))))
                AND EXISTS (SELECT 1 FROM sync_document t WHERE t.household_id = v.household_id AND NOT t.deleted
                    AND t.document_type = split_part(v.lost #>> '{}', ':', 1)
                    AND t.document_id::text = split_part(v.lost #>> '{}', ':', 2))
            LIMIT \(maximum)
            """
        return query
    }

    static func decode(_ rows: Rows) throws -> [RestorableDocument] {
        try rows.decode((String, Identifier<Void>, Int64, String).self).compactMap { type, id, generation, hash in
            DocumentType(rawValue: type).map {
                RestorableDocument(
                    key: DocumentKey($0, id), revision: RevisionID(generation: generation, hash: hash))
            }
        }
    }

    /// Returns the document before the change; nil if the contents of this revision were deleted.
    func body(_ changes: HouseholdTransaction) async throws -> JSONObject? {
        let rows = try await changes.query(
            """
            SELECT body FROM document_revision
            WHERE household_id = \(changes.household) AND document_type = \(key.type.rawValue)
                AND document_id = \(key.id) AND generation = \(revision.generation) AND hash = \(revision.hash)
            """)
        let body = try rows.first(PostgresJSON?.self) ?? nil
        return try body.flatMap { try JSONValue(reading: $0.bytes, limits: SyncLimits.storedDocument).object }
    }
}
