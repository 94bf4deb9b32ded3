import EventLoop
import Glibc
import HTTP

/// One client's connection, served by one task; confined to its loop.
final class Connection: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    let state: LoopState
    let peer: PeerAddress
    private let counts: ConnectionCounts
    private let redirectPort: Int?
    var transport: Transport
    var watch: Watch?
    var parser = RequestParser()
    /// Bytes read and not parsed: at most one read, so that pipelining is bounded.
    var input: [UInt8] = []
    var position = 0
    private(set) var requests = 0
    private var isIdle = true
    var isAborted = false
    /// A streamed response in the writing.
    var stream: Task<Void, Never>?
    /// Whether a client that has only finished sending counts as gone.
    var streamNeedsPeer = false
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

    // MARK: Life

    /// Serves in a task of its own on the loop, and calls `onClose` at the end.
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
        transport.close()
        state.remove(self)
    }

    /// Ends the connection when it is idle; a running request is answered first.
    func stop() {
        stream?.cancel()
        if isIdle { abort() }
    }

    /// Ends the connection now.
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

    /// Waits for what a transfer wants; `.cancelled` if it wants nothing.
    func wait(_ result: TransferResult, until deadline: Int64) async -> Watch.Outcome {
        guard let watch, !isAborted else { return .cancelled }
        switch result {
        case .wantsRead:
            watch.exhausted(.read)
            return await watch.ready(.read, until: deadline)
        case .wantsWrite:
            watch.exhausted(.write)
            return await watch.ready(.write, until: deadline)
        case .bytes, .ended, .failed: return .cancelled
        }
    }

    // MARK: Requests

    /// Reads and answers one request; true if another may follow.
    private func serveOne() async -> Bool {
        let message: MessageHead
        do {
            guard let head = try await readHead() else { return false }
            message = head
        } catch {
            await refuse(error, state.makeID(), isHead: false)
            return false
        }
        requests += 1
        let id = state.makeID()
        let head: RequestHead
        do {
            head = try RequestHead(
                validating: message, id: id, peer: peer, isSecure: transport.isSecure, hosts: state.configuration.hosts)
        } catch {
            await refuse(error, id, isHead: message.method == .head)
            return false
        }
        let isAwaited = message.framing != .none && head.version == .http11 && head.headers.contains(.expect)
        let source = BodyStream(connection: self, framing: message.framing, isAwaited: isAwaited)
        let length: Int? =
            switch message.framing {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        let body = RequestBody(declaredLength: length, source: source)
        let response: Response
        if let redirectPort {
            response = .redirect(to: Self.secureURL(head, port: redirectPort), .permanentRedirect)
        } else {
            response = await state.responder(head, body)
        }
        let keepAlive = await answer(head, source, response, mayKeepAlive: message.keepAlive)
        source.detach()
        // A pipeline of requests that never wait would keep the loop from its other connections.
        if keepAlive, position < input.count, requests % 32 == 0 { await Task.yield() }
        return keepAlive
    }

    private static func secureURL(_ head: RequestHead, port: Int) -> String {
        let path = head.target.hasPrefix("/") ? head.target : "/"
        return "https://\(head.host)\(port == 443 ? "" : ":\(port)")\(path)"
    }

    /// nil when the client left, or sent nothing in time.
    private func readHead() async throws(RequestRefusal) -> MessageHead? {
        isIdle = parser.isIdle && position == input.count
        defer { isIdle = false }
        let isFirst = requests == 0
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

    /// Runs the writer of a streamed response in a task of its own, so that it can be cancelled when the client goes.
    ///
    /// - Parameter needsPeer: whether a client that has finished sending counts as gone: yes for streams without end.
    func runStream(needsPeer: Bool, _ body: @escaping @Sendable () async -> Void) async {
        let task = loop.spawn(body)
        stream = task
        streamNeedsPeer = needsPeer
        if state.isStopping || isAborted { task.cancel() }
        // What arrived before is not announced again.
        readDuringStream()
        await task.value
        stream = nil
    }
}

extension Connection {
    var hasServedEnough: Bool { requests >= state.configuration.limits.requestsPerConnection }
}
