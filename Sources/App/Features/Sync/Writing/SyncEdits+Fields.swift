import Domain
import JSON
import Postgres

/// Changes of single fields: a member's choice between conflicting values, and restored references.
extension SyncEdits {
    /// Changes fields of a document's newest revision, with the same checks as a client's edit.
    ///
    /// - Parameter edit: returns the changed document, or nil to change nothing.
    /// - Returns: values that could not be stored; nil if `edit` returned nil.
    /// - Throws: `DocumentFault`, `Refusal`, `PostgresError`.
    func change(
        _ key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction, _ edit: (JSONObject) -> JSONObject?
    ) async throws -> [DocumentMerge.LostField]? {
        let stored = try await StoredDocument.load(key, changes)
        guard let winner = stored.winner, !stored.isDeleted, let body = stored.tree[winner]?.body else {
            throw Refusal.notFound
        }
        guard let edited = edit(body) else { return nil }
        let schema = DocumentSchema[key.type]
        try schema.check(edited)
        try await stored.setWinner(winner, DocumentExtra(of: edited, schema), changes)
        return try await DocumentWriting(database: database, member: member, changes: changes, key: key)
            .write(edited, over: body, hasConflicts: false)
    }

    /// The maximum number of references that are restored when a document is created again.
    private static let maximumReferences: Int32 = 1_000

    /// Restores the references to a document that were removed while the document was deleted. Does not change fields
    /// that have another value now, or documents that cannot be changed.
    func restoreReferences(
        to target: DocumentKey, _ member: Member, _ changes: HouseholdTransaction
    ) async throws {
        for (key, references) in try await removedReferences(to: target, changes) {
            do {
                try await changes.attempt { try await restore(references, to: target, in: key, member, changes) }
            } catch is DocumentFault {
                continue
            } catch is Refusal {
                continue
            } catch let error as PostgresError where DocumentFault(refused: error) != nil {
                continue
            }
        }
    }

    private func restore(
        _ references: [(id: Identifier<Void>, path: FieldPath)], to target: DocumentKey, in key: DocumentKey,
        _ member: Member, _ changes: HouseholdTransaction
    ) async throws {
        let lostFields = try await change(key, member, changes) { body in
            let missing = references.filter { $0.path.value(in: body) == .null }
            guard !missing.isEmpty else { return nil }
            return missing.reduce(body) { body, reference in
                reference.path.setting(.string(target.description), in: body) ?? body
            }
        }
        guard let lostFields else { return }
        guard lostFields.isEmpty else { throw DocumentFault("\(key): the reference could not be stored") }
        try await changes.query(
            """
            UPDATE lost_value SET settled_at = now()
            WHERE household_id = \(changes.household) AND id = ANY(\(references.map(\.id)))
            """)
    }

    /// Returns the removed references that no member has accepted or dismissed, by document.
    private func removedReferences(
        to target: DocumentKey, _ changes: HouseholdTransaction
    ) async throws -> [DocumentKey: [(id: Identifier<Void>, path: FieldPath)]] {
        let rows = try await changes.query(
            """
            SELECT v.id, v.document_type, v.document_id, v.field FROM lost_value v
            JOIN sync_document s ON s.household_id = v.household_id AND s.document_type = v.document_type
                AND s.document_id = v.document_id AND NOT s.deleted
                AND (s.private_to IS NULL OR s.private_to = \(changes.person))
            WHERE v.household_id = \(changes.household) AND v.settled_at IS NULL
                AND v.kept = \(PostgresJSON(LostValues.removedReference.bytes))::jsonb
                AND v.lost = to_jsonb(\(target.description)::text)
            ORDER BY v.lost_at DESC, v.id LIMIT \(Self.maximumReferences)
            """)
        var references: [DocumentKey: [(id: Identifier<Void>, path: FieldPath)]] = [:]
        for (id, type, document, field) in try rows.decode(
            (Identifier<Void>, String, Identifier<Void>, String).self)
        {
            guard let type = DocumentType(rawValue: type) else { continue }
            references[DocumentKey(type, document), default: []].append(
                (id, FieldPath(field, of: DocumentSchema[type])))
        }
        return references
    }
}
