import JSON

/// Limits of the sync interfaces.
enum SyncLimits {
    /// The maximum size of a document in bytes, without attachments.
    static let documentBytes = 1 << 20
    /// The maximum total size in bytes of the documents in one request, without attachments.
    static let requestBytes = 32 << 20
    /// The maximum total size in bytes of the attachments in one request. A single document stays below this limit. A
    /// request from a browser also stays below it: a JavaScript string has at most about 512 Mi characters, the Base64
    /// of 384 MiB.
    static let attachmentBytes = 512 << 20
    /// The maximum number of documents in one request.
    static let documents = 10_000
    /// The maximum size in bytes of a request that stores a checkpoint. The checkpoint itself may have half this size.
    static let checkpointBytes = 65_536
    /// The maximum number of checkpoints of a member. A client whose checkpoint was deleted replicates from the
    /// beginning.
    static let checkpoints: Int64 = 500
    /// The maximum number of ancestors of a client's revision that are stored.
    static let ancestors = 1_000
    /// JSON limits for a document in a request.
    static let document = JSONLimits(size: documentBytes, depth: 32, numberLength: 64)
    /// JSON limits for a stored document.
    static let storedDocument = JSONLimits(size: 64 << 20, depth: 64, numberLength: 64)
}
