import Domain
import JSON
import Postgres

extension DocumentFault {
    /// The fault of a document whose values PostgreSQL refused; nil for other errors.
    init?(refused error: PostgresError) {
        guard error.kind == .invalid || error.sqlState.isClass("22") || error.sqlState.isClass("23") else { return nil }
        self.init(
            error.constraint.map { "the document violates the constraint \($0)" }
                ?? "a value of the document is missing or out of range")
    }
}

/// Stores documents from sync clients.
struct SyncEdits: Sendable {
    let database: Database

    /// Stores a client's revision in its own transaction, merges it with concurrent changes, and applies the result to
    /// the tables as a form does.
    ///
    /// - Parameter deferred: as in the function below.
    /// - Returns: the client's revision. The server may have created a child of this revision.
    /// - Throws: `DocumentFault` if the document is invalid; `StaleRevision`; `Refusal`; `PostgresError`.
    @discardableResult
    func store(
        _ incoming: IncomingDocument, by member: Member, deferred: Set<DocumentKey> = []
    ) async throws -> RevisionID {
        do {
            return try await database.write(member.household, by: member.person) { changes in
                try await store(incoming, member, changes, deferred: deferred)
            }
        } catch let error as PostgresError {
            if let fault = DocumentFault(refused: error) { throw fault }
            throw error
        }
    }

    /// Stores a client's revision within the given transaction. If the document was deleted before, references to it
    /// are restored.
    ///
    /// - Parameter deferred: documents whose references to this document are not restored here. The caller stores these
    ///   documents next, and that restores their references.
    func store(
        _ incoming: IncomingDocument, _ member: Member, _ changes: HouseholdTransaction,
        deferred: Set<DocumentKey> = []
    ) async throws -> RevisionID {
        let schema = DocumentSchema[incoming.key.type]
        // Disables the restoration after the transaction, because this function restores the document's references
        // itself.
        changes.restoresReferences = false
        guard schema.isWritable else { throw DocumentFault("only the server writes documents of this type") }
        // Refuses attachments of other types: the server would not store them, and the client would lose them.
        guard incoming.isDeleted || incoming.attachments.isEmpty || incoming.key.type == .image else {
            throw DocumentFault("_attachments: only documents of the type image may have attachments")
        }
        if !incoming.isDeleted { try schema.check(incoming.body) }
        var stored = try await StoredDocument.load(incoming.key, changes)
        // Checks only edits: a replica may repeat a revision that it sent while the document was visible to the person.
        if case .edit = incoming.origin { try stored.requireVisible(to: member.person) }
        let (revision, ancestors) = try Self.identify(incoming, stored)
        guard stored.tree[revision] == nil else { return revision }
        if let owner = stored.privateTo, owner != member.person, stored.continuesShared(ancestors) {
            try await stored.addToHidden(incoming, as: revision, ancestors, schema, changes)
            return revision
        }
        try stored.requireVisible(to: member.person)
        guard incoming.key.type != .preferences || incoming.key.id == member.person.relabelled() else {
            throw DocumentFault("the document belongs to another person")
        }
        let storedBody = stored.winner.flatMap { stored.tree[$0]?.body }
        try await stored.add(incoming, as: revision, ancestors, changes)
        try await stored.addBranchEnds(of: incoming, changes)
        let ended = incoming.endedRevisions
        let base = try await stored.base(of: revision, ended: ended, changes)
        let result = Self.merge(incoming, revision, stored, base, schema)
        if let loser = result.loser { try await stored.deleteBranch(loser, changes) }
        try await stored.setWinner(result.winner, result.extra, changes)
        let writing = DocumentWriting(
            database: database, member: member, changes: changes, key: incoming.key, attachments: incoming.attachments)
        if !result.lost.isEmpty {
            let author =
                result.winner == revision
                ? try await stored.author(since: revision, ended: ended, changes) : member.person
            try await LostValues.record(result.lost, of: incoming.key, revision, by: author, changes)
        }
        switch result.content {
        case .keep: try await writing.renewSequenceNumber()
        case .delete: try await writing.delete()
        case .write(let merged):
            let notStored = try await writing.write(
                merged, over: stored.isDeleted ? nil : storedBody, hasConflicts: !result.lost.isEmpty)
            if stored.isDeleted { try await writing.continueRevisions() }
            try await LostValues.record(notStored, of: incoming.key, revision, by: member.person, changes)
            if stored.winner != nil, stored.isDeleted {
                try await restoreReferences(to: incoming.key, except: deferred, member, changes)
            }
            // After a merge, the newest revision does not contain the stored values yet; the next write then restores
            // the references.
            if result.winner == revision, result.loser == nil, !stored.isDeleted, let storedBody {
                try await restoreReferences(of: incoming.key, before: storedBody, member, changes)
            }
        }
        return revision
    }

    /// Returns the identifier of the new revision and its ancestors.
    private static func identify(
        _ incoming: IncomingDocument, _ stored: StoredDocument
    ) throws(StaleRevision) -> (revision: RevisionID, ancestors: [RevisionID]) {
        switch incoming.origin {
        case .replica(let revision, let ancestors): return (revision, ancestors)
        case .edit(let parent):
            // A client may create a deleted document again without stating the deleted revision.
            let isNewest = parent == stored.winner || (parent == nil && stored.isDeleted)
            guard isNewest else { throw StaleRevision() }
            let text =
                incoming.isDeleted ? "deleted" : String(decoding: JSONValue.object(incoming.body).bytes, as: UTF8.self)
            let files = incoming.attachments.map { "\($0.name) \($0.digest)" }.joined(separator: " ")
            let hash = RevisionHash.make("\(stored.winner?.description ?? "") \(text) \(files)")
            let revision = RevisionID(generation: (stored.winner?.generation ?? 0) + 1, hash: hash)
            return (revision, stored.winner.map { [$0] } ?? [])
        }
    }

    /// The outcome of a merge.
    private struct Result {
        enum Content {
            /// Keep the stored content.
            case keep
            case delete
            case write(JSONObject)
        }

        let winner: RevisionID
        /// The newest revision of the losing branch, if the branch is not deleted yet.
        var loser: RevisionID?
        let content: Content
        var extra: DocumentExtra
        var lost: [DocumentMerge.LostField] = []
    }

    private static func merge(
        _ incoming: IncomingDocument, _ mine: RevisionID, _ stored: StoredDocument, _ base: JSONObject?,
        _ schema: DocumentSchema
    ) -> Result {
        let own = DocumentExtra(of: incoming.body, schema)
        guard let theirs = stored.winner, !stored.tree.contains(theirs, above: mine) else {
            // No concurrent change: the document is new, or the revision descends from the winner.
            let content: Result.Content = incoming.isDeleted ? .delete : .write(incoming.body)
            return Result(winner: mine, content: content, extra: incoming.isDeleted ? stored.extra : own)
        }
        let winner = stored.tree.isBefore(mine, theirs) ? mine : theirs
        switch (incoming.isDeleted, stored.isDeleted) {
        case (true, true): return Result(winner: winner, content: .delete, extra: stored.extra)
        case (true, false) where incoming.endsBranch:
            return Result(winner: theirs, content: .keep, extra: stored.extra)
        case (true, false):
            let body = stored.tree[theirs]?.body ?? JSONObject()
            let ancestor = stored.tree.base(of: mine, and: theirs)
            let isCompletion = ancestor.map { stored.tree.isCompletion(theirs, of: $0) } ?? false
            let isEdited = base.map { DocumentMerge.isEdited(schema, from: $0, to: body) } ?? true
            if isCompletion || !isEdited {
                // The client has not seen the newest revision. But that revision changed only fields that the server
                // writes.
                return Result(
                    winner: max(mine, StoredDocument.end(of: theirs)), loser: theirs, content: .delete,
                    extra: stored.extra)
            }
            // An edit takes precedence over a deletion.
            return Result(
                winner: theirs, content: .keep, extra: stored.extra,
                lost: [DocumentMerge.LostField(field: "deleted", kept: false, lost: true)])
        case (false, true): return Result(winner: mine, content: .write(incoming.body), extra: own)
        case (false, false) where incoming.endedRevisions.contains(theirs):
            return Result(winner: mine, content: .write(incoming.body), extra: own)
        case (false, false):
            let (first, second) = winner == mine ? (mine, theirs) : (theirs, mine)
            let merge = DocumentMerge(
                schema, base: base,
                winner: stored.tree[first]?.body ?? JSONObject(), loser: stored.tree[second]?.body ?? JSONObject())
            return Result(
                winner: first, loser: second, content: .write(merge.merged),
                extra: DocumentExtra(of: merge.merged, schema), lost: merge.lost)
        }
    }
}
