import Domain
import JSON

/// A revision of a document that a client sent.
struct IncomingDocument: Sendable {
    enum Origin: Sendable {
        /// A replica's revision with the ancestors that the replica knows, the parent first.
        case replica(RevisionID, ancestors: [RevisionID])
        /// An edit of a revision, which must be the newest; nil for a new document.
        case edit(of: RevisionID?)
    }

    let key: DocumentKey
    let origin: Origin
    let isDeleted: Bool
    /// Does not contain CouchDB's fields, whose names begin with an underscore.
    let body: JSONObject
    var attachments: [IncomingAttachment] = []
}

/// The client edited a revision that is not the newest.
struct StaleRevision: Error {}

/// An attachment: with contents, or a stub that refers to contents the server should already have.
struct IncomingAttachment: Sendable {
    let name: String
    let contentType: String
    /// `md5-<base64>`.
    let digest: String
    let length: Int64
    /// Nil for a stub.
    let file: Quarantine.Received?
}
