import JSON

/// Limits of the sync interfaces.
enum SyncLimits {
    /// Bytes of one document without its attachments.
    static let documentBytes = 1 << 20
    /// Bytes of the documents of one request, without attachments.
    static let requestBytes = 32 << 20
    /// Documents of one request.
    static let documents = 10_000
    /// Rows of one page of `_changes`, when the client names no limit.
    static let changes: Int64 = 5_000
    /// Bytes of a checkpoint.
    static let checkpointBytes = 65_536
    /// Ancestors that are kept of a client's revision.
    static let ancestors = 1_000
    /// Of a document in a request.
    static let document = JSONLimits(size: documentBytes, depth: 32, numberLength: 64)
    /// Of what is stored.
    static let stored = JSONLimits(size: 64 << 20, depth: 64, numberLength: 64)
}
