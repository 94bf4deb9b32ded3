import Domain
import JSON
import Postgres

/// Changes of single fields, such as a member's choice between conflicting values.
extension SyncEdits {
    /// Changes fields of a document's newest revision, with the same checks as a client's edit.
    ///
    /// - Parameter edit: returns the changed document, or nil to change nothing.
    /// - Returns: values that could not be stored; nil if `edit` returned nil.
    /// - Throws: `DocumentFault`, `Refusal`, `PostgresError`.
    func change(
        _ key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction, _ edit: (JSONObject) -> JSONObject?
    ) async throws -> [DocumentMerge.LostField]? {
        let newest = try await newest(key, changes)
        guard let edited = edit(newest.body) else { return nil }
        return try await replace(newest, by: edited, member, changes)
    }

    /// The newest revision of a document that is not deleted.
    struct NewestRevision {
        let document: StoredDocument
        let id: RevisionID
        let body: JSONObject
    }

    /// - Throws: `Refusal.notFound` if the document is deleted or unknown; `PostgresError`.
    func newest(_ key: DocumentKey, _ changes: HouseholdTransaction) async throws -> NewestRevision {
        let stored = try await StoredDocument.load(key, changes)
        guard let winner = stored.winner, !stored.isDeleted, let body = stored.tree[winner]?.body else {
            throw Refusal.notFound
        }
        return NewestRevision(document: stored, id: winner, body: body)
    }

    /// Stores a body as a new revision after `newest`.
    ///
    /// - Returns: values that could not be stored.
    func replace(
        _ newest: NewestRevision, by edited: JSONObject, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> [DocumentMerge.LostField] {
        let key = newest.document.key
        let schema = DocumentSchema[key.type]
        try schema.check(edited)
        try await newest.document.setWinner(newest.id, DocumentExtra(of: edited, schema), changes)
        return try await DocumentWriting(database: database, member: member, changes: changes, key: key)
            .write(edited, over: newest.body, hasConflicts: false)
    }
}
