import EventLoop
import HTTP

extension Connection {
    /// Writes a response. Returns true if another request may follow.
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
        if unread == .malformed, (400...499).contains(response.status.code) {
            // The handler refused the request without reading its body. If the body is malformed, the answer is 400
            // instead.
            await refuse(.malformedBody, head.id, isHead: head.method == .head)
            return false
        }
        let framing = framing(of: response, to: head)
        let keepAlive =
            mayKeepAlive && (unread == .none || unread == .bounded) && framing != .close && !state.isStopping
            && !hasServedEnough && !response.headers.contains(.connection, token: "close")
        let isWritten = await write(response, framing, to: head, keepAlive: keepAlive)
        guard isWritten else {
            isTruncated = true
            return false
        }
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

    /// The part of a body that the handler has not read.
    private enum UnreadBody {
        case none
        /// At most `drainBytes`.
        case bounded
        /// More than `drainBytes`, or an unknown number of bytes.
        case unbounded
        case malformed
    }

    /// Returns the part of the body that the handler has not read. It is `unbounded` if the client still waits for
    /// `100 Continue`, because the client may then send the body or omit it.
    private func unreadBody(_ body: BodyStream) -> UnreadBody {
        let hasFailed = body.progress != .waiting
        if body.discardBuffered() { return .none }
        if !hasFailed, body.progress == .failed(.malformed) { return .malformed }
        guard body.progress == .waiting, !body.needsContinue, let remaining = body.remaining,
            remaining <= state.configuration.limits.drainBytes
        else { return .unbounded }
        return .bounded
    }

    private func framing(of response: Response, to head: RequestHead) -> ResponseFraming {
        if response.status.isBodiless { return .none }
        switch response.body {
        case .none: return .length(0)
        case .bytes(let bytes): return .length(bytes.count)
        case .file(let file): return .length(file.range.count)
        case .stream(let length?, _): return .length(length)
        case .stream(nil, _): return head.version == .http11 ? .chunked : .close
        }
    }

    /// Writes head and body. Returns false if the connection cannot be used further.
    private func write(
        _ response: Response, _ framing: ResponseFraming, to head: RequestHead, keepAlive: Bool
    ) async -> Bool {
        let start = ResponseHead.encode(
            response, framing: framing, date: state.dateField(), keepAlive: keepAlive, version: head.version)
        if head.method == .head || response.status.isBodiless { return await write(start, [], 0..<0) }
        switch response.body {
        case .none: return await write(start, [], 0..<0)
        case .bytes(let bytes): return await write(start, bytes, 0..<bytes.count)
        case .file(let file):
            switch file.source {
            case .memory(let bytes): return await write(start, bytes, file.range)
            case .descriptor(let open):
                guard await write(start, [], 0..<0) else { return false }
                return await send(open, file.range)
            }
        case .stream(_, let body):
            guard await write(start, [], 0..<0) else { return false }
            return await stream(body, framing)
        }
    }

    private func stream(
        _ body: @escaping @Sendable (any ResponseWriter) async throws -> Void, _ framing: ResponseFraming
    ) async -> Bool {
        let writer = StreamWriter(connection: self, framing: framing)
        await runStream(endsWithInput: framing == .chunked || framing == .close) {
            do {
                try await body(writer)
                await writer.finish()
            } catch {
                // The client recognises the error, because the body is incomplete.
                writer.abandon()
            }
        }
        return writer.isComplete
    }
}
