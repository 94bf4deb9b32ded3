import EventLoop
import HTTP

extension Connection {
    /// Writes a response; true if another request may follow.
    func answer(
        _ head: RequestHead, _ body: BodyStream, _ response: Response, mayKeepAlive: Bool
    ) async -> Bool {
        if case .failed(.disconnected) = body.progress { return false }
        var response = response
        if response.headers.refused != nil {
            state.configuration.onRefusal(
                RefusedRequest(
                    id: head.id, peer: peer, isSecure: head.isSecure,
                    refusal: RequestRefusal(.internalServerError, "control character in a response field")))
            response = .text(.internalServerError, "Internal Server Error\n")
        }
        DynamicCompression.apply(&response, to: head)
        let unread = unreadBody(body)
        let keepAlive =
            mayKeepAlive && unread != .unbounded && !state.isStopping && !hasServedEnough
            && !response.headers.contains(.connection, token: "close")
        let isWritten = await write(response, to: head, keepAlive: keepAlive)
        guard isWritten else { return false }
        if unread == .bounded, keepAlive {
            do {
                while try await body.next() != nil {}
            } catch {
                return false
            }
        }
        if !keepAlive { await linger() }
        return keepAlive
    }

    private enum Unread {
        case none
        case bounded
        case unbounded
    }

    /// What a handler left of the body. Whether a client that waits for `100 Continue` still sends one is open.
    private func unreadBody(_ body: BodyStream) -> Unread {
        if body.discardBuffered() { return .none }
        guard body.progress == .waiting, !body.isAwaited, let remaining = body.remaining,
            remaining <= state.configuration.limits.drainBytes
        else { return .unbounded }
        return .bounded
    }

    /// Writes head and body; false if the connection cannot be used any more.
    private func write(_ response: Response, to head: RequestHead, keepAlive: Bool) async -> Bool {
        let encode = { (framing: ResponseFraming) in
            ResponseHead.encode(
                response, framing: response.status.isBodiless ? .none : framing, date: self.state.dateField(),
                keepAlive: framing == .close ? false : keepAlive, version: head.version)
        }
        let isHeadOnly = head.method == .head || response.status.isBodiless
        switch response.body {
        case .none: return await write(encode(.length(0)), [], 0..<0)
        case .bytes(let bytes):
            return await write(encode(.length(bytes.count)), bytes, isHeadOnly ? 0..<0 : 0..<bytes.count)
        case .file(let file):
            let start = encode(.length(file.range.count))
            switch file.source {
            case .memory(let bytes): return await write(start, bytes, isHeadOnly ? 0..<0 : file.range)
            case .descriptor(let open):
                guard await write(start, [], 0..<0) else { return false }
                return isHeadOnly ? true : await send(open, file.range)
            }
        case .stream(let length, let body):
            let framing: ResponseFraming =
                length.map { .length($0) } ?? (head.version == .http11 ? .chunked : .close)
            guard await write(encode(framing), [], 0..<0) else { return false }
            return isHeadOnly ? true : await stream(body, framing)
        }
    }

    private func stream(
        _ body: @escaping @Sendable (any ResponseWriter) async throws -> Void, _ framing: ResponseFraming
    ) async -> Bool {
        let writer = StreamWriter(connection: self, framing: framing)
        await runStream(needsPeer: framing == .chunked || framing == .close) {
            do {
                try await body(writer)
                await writer.finish()
            } catch {
                // Cut off: an incomplete chunked or counted body is how a client learns it.
                writer.abandon()
            }
        }
        return writer.isComplete && framing != .close
    }
}

/// Writes the pieces of a streamed response; confined to the connection's loop.
final class StreamWriter: ResponseWriter, @unchecked Sendable {
    // Safe to share: only code on the connection's loop touches it.

    private let connection: Connection
    private let framing: ResponseFraming
    private var written = 0
    private var isBroken = false
    private(set) var isComplete = false

    init(connection: Connection, framing: ResponseFraming) {
        self.connection = connection
        self.framing = framing
    }

    func send(_ bytes: [UInt8]) async throws(Disconnected) {
        guard !bytes.isEmpty else { return }
        guard !isBroken, !isComplete, !Task.isCancelled else { throw Disconnected() }
        if case .length(let length) = framing, written + bytes.count > length {
            isBroken = true
            throw Disconnected()
        }
        written += bytes.count
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

    /// Ends the body in order.
    func finish() async {
        guard !isBroken, !isComplete else { return }
        switch framing {
        case .chunked: isComplete = await connection.write(Array("0\r\n\r\n".utf8), [], 0..<0)
        case .length(let length): isComplete = written == length
        case .none, .close: isComplete = true
        }
    }

    func abandon() { isBroken = true }
}
