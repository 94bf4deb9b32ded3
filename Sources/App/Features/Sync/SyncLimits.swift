import JSON

/// Limits of the sync interfaces.
enum SyncLimits {
    /// The largest document in bytes, without attachments.
    static let documentBytes = 1 << 20
    /// The largest total size of the documents in one request in bytes, without attachments.
    static let requestBytes = 32 << 20
    /// The most documents in one request.
    static let documents = 10_000
    /// The most rows of one page of `_changes` if the client sets no limit.
    static let changes: Int64 = 5_000
    /// Bytes. A stored checkpoint may have half of this.
    static let checkpointBytes = 65_536
    /// The most ancestors that are stored of a client's revision.
    static let ancestors = 1_000
    /// The limits for a document in a request.
    static let document = JSONLimits(size: documentBytes, depth: 32, numberLength: 64)
    /// The limits for a stored document.
    static let stored = JSONLimits(size: 64 << 20, depth: 64, numberLength: 64)
}
