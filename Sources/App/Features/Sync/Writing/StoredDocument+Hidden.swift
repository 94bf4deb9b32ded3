import JSON

/// Edits of documents that are private to another person.
extension StoredDocument {
    /// Adds a replica's edit of a document that has become private since the replica pulled it. Adds a deletion after
    /// the edit, so that the replica deletes the document. The document does not change. The edited values stay in its
    /// history.
    mutating func addToHidden(
        _ incoming: IncomingDocument, as revision: RevisionID, _ ancestors: [RevisionID], _ schema: DocumentSchema,
        _ changes: HouseholdTransaction
    ) async throws {
        guard let winner else { return }
        try await add(incoming, as: revision, ancestors, changes)
        let base = try await base(of: revision, changes)
        if !incoming.isDeleted { try await deleteBranch(revision, changes) }
        try await setWinner(winner, extra, changes)
        if isDeleted {
            changes.deleted(key.type, key.id, lastRevision: 0)
        } else {
            changes.changed(key.type, key.id)
        }
        guard !incoming.isDeleted, let base else { return }
        let edited = DocumentMerge(schema, base: nil, winner: base, loser: incoming.body).lost
        try await LostValues.record(edited, of: key, revision, by: changes.person, changes)
    }
}
