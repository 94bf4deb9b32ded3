import Domain

/// Conflicts that a replica has resolved. For such a document, a batch contains a live revision (the result, not a
/// deletion) and the deletions that end the other branches. A batch also contains both if a replica sends a document
/// again after the server was restored from a backup.
struct ResolvedConflicts {
    /// The deletions of each such document, with their ancestors.
    private let branchEnds: [DocumentKey: [RevisionID: [RevisionID]]]
    /// The documents whose live revision was refused.
    private var refused: Set<DocumentKey> = []

    /// - Parameter documents: revisions of a replica.
    init(_ documents: [CouchDocumentParser.Parsed]) {
        var live: [DocumentKey: Set<RevisionID>] = [:]
        for document in documents where !document.isDeleted {
            guard let key = document.key else { continue }
            live[key, default: []].formUnion([document.revision].compactMap { $0 })
        }
        var branchEnds: [DocumentKey: [RevisionID: [RevisionID]]] = [:]
        for document in documents where document.isDeleted {
            // The deletion of a live revision of the batch ends no other branch.
            guard let key = document.key, let revision = document.revision, !document.ancestors.isEmpty,
                let others = live[key], others.isDisjoint(with: document.ancestors)
            else { continue }
            branchEnds[key, default: [:]][revision] = document.ancestors
        }
        self.branchEnds = branchEnds
    }

    /// Returns the document. If the batch resolves a conflict of this document, sets `endsBranch` or `branchEnds`.
    func resolved(by document: IncomingDocument) -> IncomingDocument {
        guard let ends = branchEnds[document.key], case .replica(let revision, _) = document.origin else {
            return document
        }
        var document = document
        if document.isDeleted {
            document.endsBranch = ends[revision] != nil
        } else {
            document.branchEnds = ends
        }
        return document
    }

    /// Records that a document was refused.
    mutating func recordRefusal(of document: CouchDocumentParser.Parsed) {
        if let key = document.key, !document.isDeleted { refused.insert(key) }
    }

    /// Returns a refusal for the deletion of a branch if the live revision of the document was refused. Without the
    /// live revision, the deletion could delete the document.
    func refusal(of document: CouchDocumentParser.Parsed) -> CouchRefusal? {
        guard let key = document.key, let revision = document.revision, refused.contains(key), document.isDeleted,
            branchEnds[key]?[revision] != nil
        else { return nil }
        return .forbidden("the live revision in the same request was refused")
    }
}
