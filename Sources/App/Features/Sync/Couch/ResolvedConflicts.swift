import Domain

/// Conflicts that a replica has resolved: a batch contains a live revision of a document, which is the result, and the
/// deletions that end the other branches. A batch also contains both if a replica sends a document again after the
/// server was restored from a backup.
struct ResolvedConflicts {
    /// The parents of the deletions of each such document.
    private let ended: [DocumentKey: Set<RevisionID>]
    /// The documents of which a live revision was refused.
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

    /// Returns the document with its part in the resolution of the conflict, if the batch contains one.
    func resolved(by document: IncomingDocument) -> IncomingDocument {
        guard let ended = ended[document.key] else { return document }
        var document = document
        if document.isDeleted { document.endsBranch = true } else { document.endedRevisions = ended }
        return document
    }

    /// Notes that a document was refused.
    mutating func recordRefusal(of document: CouchDocumentParser.Parsed) {
        if let key = document.key, !document.isDeleted { refused.insert(key) }
    }

    /// Returns the reason to refuse the deletion of a branch after the result of the conflict was refused: the deletion
    /// alone could delete the document.
    func refusal(of document: CouchDocumentParser.Parsed) -> CouchRefusal? {
        guard let key = document.key, document.isDeleted, ended[key] != nil, refused.contains(key) else { return nil }
        return .forbidden("the live revision in the same request was refused")
    }
}
