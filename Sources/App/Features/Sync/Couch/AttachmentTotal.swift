import HTTP

/// Counts the bytes of all attachments in one request.
final class AttachmentTotal: @unchecked Sendable {
    // Safe to share: only the task that reads the request uses it.
    private let limit: Int
    private var bytes = 0

    init(limit: Int = SyncLimits.attachmentBytes) { self.limit = limit }

    /// Adds `count` bytes. Not inlined: see `chunk` in RelatedDocument.swift.
    ///
    /// - Throws: `CouchRefusal` with the status 413 if the request has more bytes than allowed.
    @inline(never)
    func add(_ count: Int) throws(CouchRefusal) {
        bytes += count
        guard bytes <= limit else {
            throw CouchRefusal(
                .contentTooLarge, "too_large",
                "the attachments of one request must not exceed \(limit) bytes; send fewer documents in each request")
        }
    }
}
