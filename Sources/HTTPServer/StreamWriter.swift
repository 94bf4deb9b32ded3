import EventLoop
import HTTP

/// Writes a streamed response; confined to the connection's loop.
final class StreamWriter: ResponseWriter, @unchecked Sendable {
    // Safe to share: only code on the connection's loop touches it.

    private let connection: Connection
    private let framing: ResponseFraming
    private var writtenBytes = 0
    private var isBroken = false
    private(set) var isComplete = false

    init(connection: Connection, framing: ResponseFraming) {
        self.connection = connection
        self.framing = framing
    }

    func send(_ bytes: [UInt8]) async throws(Disconnected) {
        guard !bytes.isEmpty else { return }
        guard !isBroken, !isComplete, !Task.isCancelled else { throw Disconnected() }
        if case .length(let length) = framing, writtenBytes + bytes.count > length {
            isBroken = true
            throw Disconnected()
        }
        writtenBytes += bytes.count
        let isSent: Bool
        if framing == .chunked {
            var chunk = Array(String(bytes.count, radix: 16).utf8)
            chunk.reserveCapacity(bytes.count + 16)
            chunk += [13, 10]
            chunk += bytes
            chunk += [13, 10]
            isSent = await connection.write(chunk, [], 0..<0)
        } else {
            isSent = await connection.write(bytes, [], 0..<0)
        }
        guard isSent else {
            isBroken = true
            throw Disconnected()
        }
    }

    /// Ends the body, with the last chunk if it is chunked.
    func finish() async {
        guard !isBroken, !isComplete else { return }
        switch framing {
        case .chunked: isComplete = await connection.write(Array("0\r\n\r\n".utf8), [], 0..<0)
        case .length(let length): isComplete = writtenBytes == length
        case .none, .close: isComplete = true
        }
    }

    /// Leaves the body incomplete, so that the client recognises an error.
    func abandon() { isBroken = true }
}
