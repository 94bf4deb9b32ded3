import CPostgres

/// A request to cancel the running statement, sent with PQcancel on another thread, because PQcancel blocks.
final class CancelRequest: @unchecked Sendable {
    // Safe to share: passed to one thread, which uses and frees it.
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }

    func send() {
        var message = [CChar](repeating: 0, count: 256)
        // A failure needs no handling: the connection is closed if the statement does not end within `cancelGrace`.
        _ = PQcancel(cancel, &message, Int32(message.count))
        PQfreeCancel(cancel)
    }
}
