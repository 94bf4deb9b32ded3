import CPostgres

/// A copy of the data that PQcancel needs, for use on another thread.
final class CancelRequest: @unchecked Sendable {
    // Safe to share: passed to one thread, which uses and frees it.
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }

    func send() {
        var words = [CChar](repeating: 0, count: 256)
        // If it fails, the connection is closed after the grace period.
        _ = PQcancel(cancel, &words, Int32(words.count))
        PQfreeCancel(cancel)
    }
}
