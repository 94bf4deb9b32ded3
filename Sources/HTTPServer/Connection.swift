import EventLoop
import Glibc
import HTTP

/// A connection, served by one task; confined to its loop.
final class Connection: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    let state: LoopState
    let peer: PeerAddress
    private let counts: ConnectionCounts
    private let redirectPort: Int?
    var transport: Transport
    var watch: Watch?
    var parser = RequestParser()
    /// Bytes read from the socket. The next read happens after these are parsed, which limits pipelined requests.
    var input: [UInt8] = []
    /// Index in `input` of the first byte that is not parsed yet.
    var position = 0
    /// Number of requests received.
    private(set) var requestCount = 0
    private var isIdle = true
    var isAborted = false
    /// How fast the client reads the current answer.
    var pace = WritePace()
    /// Whether an answer was sent only in part.
    var isTruncated = false
    /// The task that writes a streamed response.
    var stream: Task<Void, Never>?
    /// Whether the streamed response is cancelled when the client closes its sending side.
    var streamEndsWithInput = false
    private var task: Task<Void, Never>?

    var loop: EventLoop { state.loop }
    var limits: ServerLimits { state.configuration.limits }

    init(
        state: LoopState, transport: Transport, peer: PeerAddress, counts: ConnectionCounts, redirectPort: Int?
    ) {
        self.state = state
        self.transport = transport
        self.peer = peer
        self.counts = counts
        self.redirectPort = redirectPort
    }

    // MARK: Starting and stopping

    /// Serves the connection in a task on the loop, and calls `onClose` at the end.
    func start(onClose: @escaping @Sendable () -> Void) {
        task = loop.spawn { [self] in
            await serve()
            task = nil
            onClose()
        }
    }

    private func serve() async {
        do {
            watch = try loop.watch(transport.descriptor, .edge) { [unowned self] readiness in
                if stream != nil, readiness.contains(.read) { readDuringStream() }
            }
        } catch {
            transport.close()
            return
        }
        state.add(self)
        if await handshake() {
            while await serveOne() {}
        }
        watch?.cancel()
        watch = nil
        transport.close(isTruncated: isTruncated)
        state.remove(self)
    }

    /// Ends the connection if it is idle; otherwise a running request is answered first.
    func stop() {
        stream?.cancel()
        if isIdle { abort() }
    }

    /// Ends the connection immediately.
    func abort() {
        isAborted = true
        stream?.cancel()
        task?.cancel()
        shutdown(transport.descriptor, Int32(SHUT_RDWR))
        watch?.cancel()
    }

    private func handshake() async -> Bool {
        guard transport.isSecure else { return true }
        let deadline = loop.now + limits.handshakeTime.nanoseconds
        while true {
            let result = transport.handshake()
            if case .bytes = result { return true }
            guard await wait(result, until: deadline) == .ready else { return false }
        }
    }

    /// Waits until the socket is ready for the operation that returned `result`. Returns `.cancelled` for results other
    /// than `wantsRead` and `wantsWrite`.
    func wait(_ result: TransferResult, until deadline: Int64) async -> Watch.Outcome {
        guard let watch, !isAborted else { return .cancelled }
        switch result {
        case .wantsRead:
            watch.markNotReady(.read)
            return await watch.ready(.read, until: deadline)
        case .wantsWrite:
            watch.markNotReady(.write)
            return await watch.ready(.write, until: deadline)
        case .bytes, .ended, .failed: return .cancelled
        }
    }

    // MARK: Requests

    /// Reads and answers one request. Returns true if another may follow.
    private func serveOne() async -> Bool {
        pace = WritePace()
        let message: MessageHead
        do {
            guard let head = try await readHead() else { return false }
            message = head
        } catch {
            await refuse(error, state.makeID(), isHead: false)
            return false
        }
        requestCount += 1
        let id = state.makeID()
        let head: RequestHead
        do {
            head = try RequestHead(
                validating: message, id: id, peer: peer, isSecure: transport.isSecure, hosts: state.configuration.hosts)
        } catch {
            // The answer to a malformed body is 400, even if the method is not allowed.
            let isMalformed = error.status == .methodNotAllowed && hasMalformedBody(message.framing)
            await refuse(isMalformed ? .malformedBody : error, id, isHead: message.method == .head)
            return false
        }
        let client = state.configuration.forwardedPeer.map { $0(head).network }
        if let client, !counts.begin(client) {
            let refusal = RequestRefusal(.tooManyRequests, "too many requests from one client")
            await refuse(refusal, id, isHead: head.method == .head)
            return false
        }
        defer { if let client { counts.end(client) } }
        let needsContinue = message.framing != .none && head.version == .http11 && head.headers.contains(.expect)
        let source = BodyStream(connection: self, framing: message.framing, needsContinue: needsContinue)
        let length: Int? =
            switch message.framing {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        let body = RequestBody(declaredLength: length, source: source)
        let response: Response
        if let redirectPort {
            response = Self.redirect(head, port: redirectPort)
        } else {
            // In a child task, because a task keeps the memory of its deepest call until it ends. The task of a
            // connection may wait for hours.
            async let made = state.responder(head, body)
            response = await made
        }
        let keepAlive = await answer(head, source, response, mayKeepAlive: message.keepAlive)
        source.detach()
        // Lets other connections of the loop proceed, because pipelined requests that never suspend would block them.
        if keepAlive, position < input.count, requestCount % 32 == 0 { await Task.yield() }
        return keepAlive
    }

    /// Whether the part of the body that has been received is malformed.
    private func hasMalformedBody(_ framing: BodyFraming) -> Bool {
        let body = BodyStream(connection: self, framing: framing, needsContinue: false)
        _ = body.discardBuffered()
        return body.progress == .failed(.malformed)
    }

    /// Returns the redirect to `https://` on the same host, or 400 for a request of HTTP/1.0 that names no host.
    private static func redirect(_ head: RequestHead, port: Int) -> Response {
        guard !head.host.isEmpty else { return .text(.badRequest, "\(Status.badRequest)\n") }
        let path = head.target.hasPrefix("/") ? head.target : "/"
        return .redirect(to: "https://\(head.host)\(port == 443 ? "" : ":\(port)")\(path)", .permanentRedirect)
    }

    /// Reads the head of the next request. Returns nil if the client closed the connection or sent nothing in time.
    private func readHead() async throws(RequestRefusal) -> MessageHead? {
        isIdle = parser.isIdle && position == input.count
        defer { isIdle = false }
        let isFirst = requestCount == 0
        var deadline = loop.now + (isFirst ? limits.headTime : limits.keepAliveTime).nanoseconds
        var hasBegun = false
        while true {
            while let event = try nextBuffered() {
                if case .head(let head) = event { return head }
            }
            if parser.isFinished { return nil }
            if !hasBegun, !parser.isIdle {
                hasBegun = true
                isIdle = false
                deadline = loop.now + limits.headTime.nanoseconds
            } else if !hasBegun, !isFirst, state.isStopping || counts.isCrowded {
                return nil
            }
            switch await fill(until: deadline) {
            case .filled: break
            case .timedOut:
                if parser.isIdle { return nil }
                throw RequestRefusal(.requestTimeout, "head not complete in time")
            case .ended, .failed: return nil
            }
        }
    }

    /// Runs the writer of a streamed response in a task that is cancelled when the client disconnects.
    ///
    /// - Parameter endsWithInput: whether the client counts as disconnected when it closes its sending side; true for
    ///   streams of unknown length.
    func runStream(endsWithInput: Bool, _ body: @escaping @Sendable () async -> Void) async {
        let task = loop.spawn(body)
        stream = task
        streamEndsWithInput = endsWithInput
        if state.isStopping || isAborted { task.cancel() }
        // Reads now, because the watch is edge-triggered and does not report earlier readiness again.
        readDuringStream()
        await task.value
        stream = nil
    }
}

extension Connection {
    var hasServedEnough: Bool { requestCount >= state.configuration.limits.requestsPerConnection }
}
