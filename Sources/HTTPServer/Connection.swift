import EventLoop
import Glibc
import HTTP

/// One client's connection, served by one task; confined to its loop.
final class Connection: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    enum FillOutcome {
        case filled
        case timedOut
        case ended
        case failed
    }

    enum BufferedEvent {
        case head(MessageHead)
        case body([UInt8])
        case end
    }

    let state: LoopState
    let peer: PeerAddress
    private let counts: ConnectionCounts
    private let redirectPort: Int?
    private(set) var transport: Transport
    private var watch: Watch?
    private var parser = RequestParser()
    /// Bytes read and not parsed: at most one read, so that pipelining is bounded.
    private var input: [UInt8] = []
    private var position = 0
    private(set) var requests = 0
    private var isIdle = true
    private var isAborted = false
    /// A streamed response in the writing.
    private var stream: Task<Void, Never>?
    /// Whether a client that has only finished sending counts as gone.
    private var streamNeedsPeer = false
    private var task: Task<Void, Never>?

    var loop: EventLoop { state.loop }
    private var limits: ServerLimits { state.configuration.limits }

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
    private func wait(_ result: TransferResult, until deadline: Int64) async -> Watch.Outcome {
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

    // MARK: Reading

    /// What the bytes at hand say next; nil when they are used up.
    func nextBuffered() throws(RequestRefusal) -> BufferedEvent? {
        guard let event = try parser.next(input, &position, end: input.count) else {
            // Given back, so that an idle connection holds no buffer.
            input = []
            position = 0
            return nil
        }
        switch event {
        case .head(let head): return .head(head)
        case .end: return .end
        case .body(let range):
            guard range.count == input.count else { return .body(Array(input[range])) }
            let bytes = input
            input = []
            position = 0
            return .body(bytes)
        }
    }

    /// Reads once into the empty input.
    func fill(until deadline: Int64) async -> FillOutcome {
        guard let watch else { return .failed }
        while true {
            if await watch.ready(.read, until: deadline) != .ready { return isAborted ? .failed : .timedOut }
            if isAborted { return .failed }
            let result = readOnce()
            switch result {
            case .bytes: return .filled
            case .ended: return .ended
            case .failed: return .failed
            case .wantsRead, .wantsWrite:
                let outcome = await wait(result, until: deadline)
                if outcome != .ready { return outcome == .timedOut ? .timedOut : .failed }
            }
        }
    }

    private func readOnce() -> TransferResult {
        let buffer = state.readBuffer
        let result = transport.read(into: buffer)
        if case .bytes(let count) = result {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if position == input.count {
                input = Array(bytes)
                position = 0
            } else {
                input.append(contentsOf: bytes)
            }
            // Emptied: no second read only to hear so. Not after the peer's end, which no edge announces again.
            if count < buffer.count, transport.shortReadsAreLast, let watch, !watch.isFinished {
                watch.exhausted(.read)
            }
        }
        return result
    }

    /// While a response is streamed, reading only serves to notice that the client has gone.
    private func readDuringStream() {
        while input.count - position < 64 * 1024 {
            switch readOnce() {
            case .bytes: break
            case .wantsRead, .wantsWrite:
                watch?.exhausted(.read)
                return
            case .ended:
                if streamNeedsPeer { stream?.cancel() }
                return
            case .failed:
                stream?.cancel()
                return
            }
        }
    }

    // MARK: Writing

    func sendContinue() async -> Bool {
        await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), [], 0..<0)
    }

    /// Writes both completely; false if the client is gone or too slow.
    func write(_ first: [UInt8], _ second: [UInt8], _ range: Range<Int>) async -> Bool {
        var sent = 0
        let total = first.count + range.count
        let start = loop.now
        while sent < total {
            if isAborted { return false }
            let result = first.withUnsafeBytes { first in
                second.withUnsafeBytes { second in
                    let body = UnsafeRawBufferPointer(rebasing: second[range])
                    if sent < first.count {
                        return transport.write(UnsafeRawBufferPointer(rebasing: first[sent...]), body)
                    }
                    let rest = UnsafeRawBufferPointer(rebasing: body[(sent - first.count)...])
                    return transport.write(rest, UnsafeRawBufferPointer(start: nil, count: 0))
                }
            }
            if case .bytes(let count) = result {
                sent += count
            } else if await wait(result, until: writeDeadline(start, sent)) != .ready {
                return false
            }
        }
        return true
    }

    /// Sends a range of a file; false if the client is gone or too slow.
    func send(_ file: OpenFile, _ range: Range<Int>) async -> Bool {
        var offset = range.lowerBound
        let start = loop.now
        while offset < range.upperBound {
            if isAborted { return false }
            let count = min(range.upperBound - offset, 256 * 1024)
            if transport.isSecure {
                guard let bytes = file.read(offset..<offset + min(count, 64 * 1024)), !bytes.isEmpty,
                    await write(bytes, [], 0..<0)
                else { return false }
                offset += bytes.count
                continue
            }
            let result = transport.send(file: file.descriptor, offset: offset, count: count)
            if case .bytes(let sent) = result {
                // The file became shorter: the promised length cannot be kept.
                guard sent > 0 else { return false }
                offset += sent
            } else if await wait(result, until: writeDeadline(start, offset - range.lowerBound)) != .ready {
                return false
            }
        }
        return true
    }

    /// A client may rest for `writeTime`, and has to read 8 KiB/s on average after it. What the kernel's buffer takes
    /// counts as read, so a resting client is told from its last progress.
    private func writeDeadline(_ start: Int64, _ sent: Int) -> Int64 {
        let rest = limits.writeTime.nanoseconds
        return min(loop.now + rest, start + rest + Int64(sent / 8192) * 1_000_000_000)
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

    // MARK: The end

    /// Answers a request that never reached the responder, and lets the client see the answer.
    private func refuse(_ refusal: RequestRefusal, _ id: RequestID, isHead: Bool) async {
        state.configuration.onRefusal(
            RefusedRequest(id: id, peer: peer, isSecure: transport.isSecure, refusal: refusal))
        var response = Response.text(refusal.status, "\(refusal.status.description)\n")
        response.headers["X-Content-Type-Options"] = "nosniff"
        if refusal.status == .methodNotAllowed { response.headers[.allow] = "GET, HEAD, POST, PUT, PATCH, DELETE" }
        guard case .bytes(let body) = response.body else { return }
        let head = ResponseHead.encode(
            response, framing: .length(body.count), date: state.dateField(), keepAlive: false, version: .http11)
        if await write(head, body, isHead ? 0..<0 : 0..<body.count) { await linger() }
    }

    /// Closes our side and drops what still arrives for a moment: closing with unread bytes would make the kernel send a
    /// reset, which can take the answer from the client (RFC 9112 §9.6).
    func linger() async {
        transport.finishWriting()
        input = []
        position = 0
        let time = state.isStopping ? min(limits.lingerTime, .milliseconds(200)) : limits.lingerTime
        let deadline = loop.now + time.nanoseconds
        var dropped = 0
        while dropped < 32 << 20, loop.now < deadline, case .filled = await fill(until: deadline) {
            dropped += input.count
            input = []
        }
    }
}

extension Connection {
    var hasServedEnough: Bool { requests >= state.configuration.limits.requestsPerConnection }
}
