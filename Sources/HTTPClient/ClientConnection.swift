import EventLoop
import Glibc

/// A connection to a server, with one deadline for all operations. Confined to its loop.
package final class ClientConnection {
    private let descriptor: Int32
    private let watch: Watch
    /// The deadline of all operations, in the loop's nanoseconds.
    private let deadline: Int64
    private var session: ClientTLSSession?
    private var isClosed = false

    /// Takes ownership of the descriptor.
    ///
    /// - Throws: `ClientError.notReachable` if it cannot be watched.
    init(_ descriptor: Int32, on loop: EventLoop, until deadline: Int64) throws(ClientError) {
        self.descriptor = descriptor
        self.deadline = deadline
        do {
            watch = try loop.watch(descriptor, .edge)
        } catch {
            Glibc.close(descriptor)
            throw .notReachable
        }
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        watch.cancel()
        session = nil
        Glibc.close(descriptor)
    }

    /// Waits until the connection is established. Returns false if connecting fails or `limit` passes first.
    func isConnected(until limit: Int64) async -> Bool {
        guard await watch.ready(.write, until: min(limit, deadline)) == .ready else { return false }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0
    }

    /// Performs the TLS handshake.
    func handshake(_ tls: ClientTLS, host: String) async throws {
        guard let session = tls.session(descriptor: descriptor, host: host) else {
            throw ClientError.tls("OpenSSL cannot create a session")
        }
        self.session = session
        _ = try await repeated { session.handshake() }
    }

    package func write(_ bytes: [UInt8]) async throws {
        var sent = 0
        while sent < bytes.count {
            let count = try await repeated {
                bytes.withUnsafeBytes { buffer in
                    let unsentBytes = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                    return session?.write(unsentBytes)
                        ?? Self.step(
                            send(descriptor, unsentBytes.baseAddress, unsentBytes.count, Int32(MSG_NOSIGNAL)),
                            .wantsWrite)
                }
            }
            guard let count else { throw ClientError.notReachable }
            sent += count
        }
    }

    /// Reads the head of the answer, and returns its status. Skips interim answers (1xx).
    func readStatus() async throws -> Int {
        var head = AnswerHead()
        while true {
            if let status = try head.status() { return status }
            guard head.count < HTTPClient.maximumHeadBytes else { throw ClientError.malformedAnswer }
            guard let more = try await read() else { throw ClientError.malformedAnswer }
            head.append(more)
        }
    }

    /// Returns the bytes received, at most 4 KiB; nil at the end of the data.
    package func read() async throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try await repeated {
            buffer.withUnsafeMutableBytes { buffer in
                session?.read(into: buffer)
                    ?? Self.step(recv(descriptor, buffer.baseAddress, buffer.count, 0), .wantsRead)
            }
        }
        guard let count, count > 0 else { return nil }
        return Array(buffer[..<count])
    }

    // MARK: Waiting

    /// Repeats an operation until it succeeds, and waits for the socket before each repetition.
    ///
    /// - Returns: the number of bytes; nil at the end of the data.
    private func repeated(_ operation: () -> ClientTLSSession.Step) async throws -> Int? {
        while true {
            switch operation() {
            case .done(let count): return count
            case .ended: return nil
            case .failed(let reason): throw session == nil ? ClientError.notReachable : ClientError.tls(reason)
            case .wantsRead:
                watch.markNotReady(.read)
                try await wait(.read)
            case .wantsWrite:
                watch.markNotReady(.write)
                try await wait(.write)
            }
        }
    }

    private func wait(_ readiness: Readiness) async throws {
        guard EventLoop.monotonicNow() < deadline else { throw ClientError.timedOut }
        switch await watch.ready(readiness, until: deadline) {
        case .ready: return
        case .timedOut, .cancelled: throw ClientError.timedOut
        }
    }

    /// Converts the result of `send` or `recv`.
    ///
    /// - Parameter blocked: the step for an operation that would block.
    private static func step(_ count: Int, _ blocked: ClientTLSSession.Step) -> ClientTLSSession.Step {
        if count > 0 { return .done(count) }
        if count == 0 { return .ended }
        return errno == EAGAIN || errno == EINTR ? blocked : .failed("")
    }
}
