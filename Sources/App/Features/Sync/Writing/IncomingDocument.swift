import Domain
import JSON

/// One revision of a document as a client sent it.
struct IncomingDocument: Sendable {
    enum Origin: Sendable {
        /// A revision that a replica made, with its ancestors as far as the replica knows them, the parent first.
        case replica(RevisionID, ancestors: [RevisionID])
        /// A change of a revision, which has to be the newest; nil for a new document.
        case edit(of: RevisionID?)
    }

    let key: DocumentKey
    let origin: Origin
    let isDeleted: Bool
    /// Without the fields that replication uses, whose names begin with an underscore.
    let body: JSONObject
    var attachments: [IncomingAttachment] = []
}

/// The client's revision is not the newest one.
struct StaleRevision: Error {}

/// An attachment whose bytes arrived, or one that the server is said to have.
struct IncomingAttachment: Sendable {
    let name: String
    let contentType: String
    /// `md5-<base64>`.
    let digest: String
    let length: Int64
    /// Nil for a stub.
    let file: Quarantine.Received?
}
