import Domain

/// Conflicts that a replica has resolved. For such a document, a batch contains a live revision (the result, not a
/// deletion) and the deletions that end the other branches. A batch also contains both if a replica sends a document
/// again after the server was restored from a backup.
struct ResolvedConflicts {
    /// The parents of the deletions of each such document.
    private let ended: [DocumentKey: Set<RevisionID>]
    /// The documents whose live revision was refused.
    private var refused: Set<DocumentKey> = []

    /// - Parameter documents: revisions of a replica.
    init(_ documents: [CouchDocumentParser.Parsed]) {
        let live = Set(documents.filter { !$0.isDeleted }.compactMap(\.key))
        var ended: [DocumentKey: Set<RevisionID>] = [:]
        for document in documents where document.isDeleted {
            guard let key = document.key, live.contains(key), let parent = document.ancestors.first else { continue }
            ended[key, default: []].insert(parent)
        }
        self.ended = ended
    }

    /// Returns the document. If the batch resolves a conflict of this document, sets `endsBranch` or `endedRevisions`.
    func resolved(by document: IncomingDocument) -> IncomingDocument {
        guard let ended = ended[document.key] else { return document }
        var document = document
        if document.isDeleted { document.endsBranch = true } else { document.endedRevisions = ended }
        return document
    }

    /// Records that a document was refused.
    mutating func recordRefusal(of document: CouchDocumentParser.Parsed) {
        if let key = document.key, !document.isDeleted { refused.insert(key) }
    }

    /// Returns a refusal for the deletion of a branch if the live revision of the document was refused. Without the
    /// live revision, the deletion could delete the document.
    func refusal(of document: CouchDocumentParser.Parsed) -> CouchRefusal? {
        guard let key = document.key, document.isDeleted, ended[key] != nil, refused.contains(key) else { return nil }
        return .forbidden("the live revision in the same request was refused")
    }
}
