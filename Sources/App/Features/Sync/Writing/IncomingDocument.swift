import Domain
import JSON

/// A revision of a document that a client sent.
struct IncomingDocument: Sendable {
    enum Origin: Sendable {
        /// A revision of a replica, with those ancestors that the replica has, the parent first.
        case replica(RevisionID, ancestors: [RevisionID])
        /// An edit of the given revision, which must be the newest; nil for a new document.
        case edit(of: RevisionID?)
    }

    let key: DocumentKey
    let origin: Origin
    let isDeleted: Bool
    /// The fields, without CouchDB's own fields, whose names begin with an underscore.
    let body: JSONObject
    var attachments: [IncomingAttachment] = []
    /// The deletions in the same request that end the other branches of the document, with their ancestors as in
    /// `Origin.replica`. They are stored in the transaction of this revision: a deletion that is stored later could
    /// delete the document.
    var branchEnds: [RevisionID: [RevisionID]] = [:]
    /// Whether this deletion only ends a branch. The document continues to exist, because the same request contains a
    /// revision of it that is not a deletion.
    var endsBranch = false

    /// The revisions of the branches that the client has ended, and their ancestors. If the stored newest revision is
    /// one of them, this revision replaces it without a merge, because the client has resolved the conflict. Otherwise,
    /// only the changes since these revisions are merged.
    var endedRevisions: Set<RevisionID> { Set(branchEnds.values.joined()) }
}

/// A client edited a revision that is no longer the newest.
struct StaleRevision: Error {}

/// An attachment with its contents, or a stub whose contents the server should already have.
struct IncomingAttachment: Sendable {
    let name: String
    let contentType: String
    /// `sha256-<hexadecimal>`; for a stub, the digest that the client stated.
    let digest: String
    let length: Int64
    /// The contents; nil for a stub.
    let file: Quarantine.ReceivedFile?
}
