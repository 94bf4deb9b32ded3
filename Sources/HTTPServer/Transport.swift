import COpenSSL
import Glibc

/// The result of a read or write.
enum TransferResult: Equatable {
    case bytes(Int)
    /// Repeat the call when the socket is readable.
    case wantsRead
    /// Repeat the call when the socket is writable.
    case wantsWrite
    /// The peer closed its sending side.
    case ended
    case failed
}

/// A connected, non-blocking socket with or without TLS; closed by `close()`.
struct Transport {
    let descriptor: Int32
    private let session: TLSSession?

    init(descriptor: Int32, session: TLSSession?) {
        self.descriptor = descriptor
        self.session = session
    }

    var isSecure: Bool { session != nil }
    /// Whether the socket is empty after a read that returns less than the buffer's size.
    var shortReadEmptiesSocket: Bool { session == nil }

    func handshake() -> TransferResult { session?.handshake() ?? .bytes(0) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransferResult {
        if let session { return session.read(into: buffer) }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN { return .wantsRead }
            if errno != EINTR { return .failed }
        }
    }

    /// Writes as much as possible of `first`, then of `second`.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> TransferResult {
        if let session { return session.write(first, second) }
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { vectors in
            vectors[0] = iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count)
            vectors[1] = iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
            return Self.result { writev(descriptor, vectors.baseAddress, 2) }
        }
    }

    /// Sends a range of a file without copying. Must not be used with TLS.
    func send(file: Int32, offset: Int, count: Int) -> TransferResult {
        var position = off_t(offset)
        return Self.result { sendfile(descriptor, file, &position, count) }
    }

    private static func result(_ call: () -> Int) -> TransferResult {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN { return .wantsWrite }
            if errno != EINTR { return .failed }
        }
    }

    /// Closes the sending side. Reading remains possible.
    func finishWriting() {
        session?.finish()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the socket. TLS first sends close_notify, which tells the client that no attacker truncated the answer
    /// (RFC 9112 §9.8).
    ///
    /// - Parameter isTruncated: whether the last answer is incomplete. Then close_notify is not sent: it would tell an
    ///   HTTP/1.0 client that an answer without Content-Length is complete.
    func close(isTruncated: Bool = false) {
        if !isTruncated { session?.finish() }
        session?.free()
        _ = Glibc.close(descriptor)
    }
}
