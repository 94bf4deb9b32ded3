import CPostgres

/// A copy of what PQcancel needs, for another thread.
final class CancelRequest: @unchecked Sendable {
    // Safe to share: handed to one thread, which uses and frees it.
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }

    func send() {
        var words = [CChar](repeating: 0, count: 256)
        // When it fails the connection is given up after its grace.
        _ = PQcancel(cancel, &words, Int32(words.count))
        PQfreeCancel(cancel)
    }
}
