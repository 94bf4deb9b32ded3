import CLinux
import Glibc
import OCRCore
import Recognition

/// Passes the server's job to a confined child and the child's answers to the server, enforces the deadline and reports
/// how each job ended. One thread, one job at a time. It does not decode anything itself.
struct Supervisor {
    private let reader: PageReader
    private var decoder = FrameDecoder()
    private var toServer = OutgoingBytes()
    private var child: Child?

    init(reader: PageReader) {
        self.reader = reader
    }

    /// Runs until the server closes its end (status 0), `poll` fails or children cannot be confined (1), or the server
    /// violates the protocol (3).
    mutating func run() -> Int32 {
        defer { child?.kill() }
        while true {
            if let status = wait() { return status }
        }
    }

    /// Waits for input, for room in a socket or for the deadline, and handles it. Returns the exit status at the end.
    private mutating func wait() -> Int32? {
        var watched = [pollfd(fd: serverSocket, events: 0, revents: 0)]
        if childHasRoom { watched[0].events |= Int16(POLLIN) }
        if !toServer.isEmpty { watched[0].events |= Int16(POLLOUT) }
        if let child {
            var events: Int16 = 0
            if toServer.count < 1 << 20 { events |= Int16(POLLIN) }
            if !child.outgoing.isEmpty { events |= Int16(POLLOUT) }
            watched.append(pollfd(fd: child.socket, events: events, revents: 0))
        }
        let timeout = child.map { max(0, $0.deadline - monotonicMilliseconds()) } ?? -1
        let ready = poll(&watched, nfds_t(watched.count), Int32(clamping: timeout))
        if ready < 0 { return errno == EINTR ? nil : 1 }
        if watched.count > 1, watched[1].revents != 0 {
            let isReadable = watched[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
            if let status = exchangeWithChild(isReadable: isReadable) { return status }
        }
        // After the exchange: on a busy machine, this process may read an answer only after the time limit.
        if let child, monotonicMilliseconds() >= child.deadline {
            let reason = child.timeLimitReason
            child.kill()
            if let status = end(killReason: reason) { return status }
        }
        if watched[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            if watched[0].events & Int16(POLLIN) == 0, watched[0].revents & Int16(POLLHUP | POLLERR) != 0 { return 0 }
            if let status = receive() { return status }
        }
        toServer.flush(to: serverSocket)
        return nil
    }

    /// - Returns: an exit status if the server has closed its end or violated the protocol.
    private mutating func receive() -> Int32? {
        guard childHasRoom, let bytes = readSome(serverSocket) else { return nil }
        if bytes.isEmpty { return 0 }
        decoder.append(bytes)
        do {
            while let frame = try decoder.next() {
                if frame.kind == ReaderRequest.jobKind {
                    guard child == nil, frame.isLast,
                        case .job(let job) = try ReaderRequest(kind: frame.kind, payload: frame.payload)
                    else { return 3 }
                    start(job)
                }
                let needsAnswer = frame.kind == ReaderRequest.rereadKind || frame.kind == ReaderRequest.picturesKind
                if needsAnswer, frame.isLast { child?.restartClock() }
                if frame.kind == ReaderRequest.doneKind { child?.isDone = true }
                // Without a child, these frames belong to a job that has ended.
                child?.outgoing.append(frame.bytes)
            }
        } catch { return 3 }
        return nil
    }

    /// Whether the bytes that wait to be sent to the child are few enough to accept more.
    private var childHasRoom: Bool { child.map { $0.outgoing.count < 1 << 20 } ?? true }

    /// Starts a child for the job. Reports a failed job if the child cannot be started.
    private mutating func start(_ job: ReadingJob) {
        child = Child(job: job, reader: reader, serverSocket: serverSocket)
        if child == nil {
            toServer.append(ReaderAnswer.failed(id: job.id, .crashed, cpuMilliseconds: 0).frames.joined())
        }
    }

    /// Sends pending bytes to the child and passes its answers to the server.
    ///
    /// - Returns: an exit status if children cannot be confined.
    private mutating func exchangeWithChild(isReadable: Bool) -> Int32? {
        guard var child else { return nil }
        child.outgoing.flush(to: child.socket)
        var isOver = false
        if isReadable, let bytes = readSome(child.socket) {
            isOver = bytes.isEmpty
            child.decoder.append(bytes)
            do {
                while let frame = try child.decoder.next() {
                    guard ReaderAnswer.childKinds.contains(frame.kind) else { throw WireError.malformed }
                    if frame.isLast { child.restartClock() }
                    toServer.append(frame.bytes)
                }
            } catch {
                // The child violates the protocol: it is defective or controlled by a malicious file.
                child.kill()
                isOver = true
            }
        }
        self.child = child
        return isOver ? end() : nil
    }

    /// Waits for the child and reports to the server how it ended.
    ///
    /// - Parameter killReason: the reason why the child was killed at its time limit; nil if it was not.
    /// - Returns: an exit status if children cannot be confined. The server then does not count the job as failed.
    private mutating func end(killReason: ReadingFailureReason? = nil) -> Int32? {
        guard let child else { return nil }
        self.child = nil
        close(child.socket)
        let ending = child.collect(killReason: killReason)
        if ending.isNotConfined, !Child.canBeConfined(serverSocket: serverSocket) {
            printError("cannot confine a process: its limits, Landlock rules or system call filter were refused")
            return 1
        }
        let answer: ReaderAnswer =
            if let failure = ending.failure {
                .failed(id: child.job.id, failure, cpuMilliseconds: ending.cpuMilliseconds)
            } else {
                .finished(id: child.job.id, cpuMilliseconds: ending.cpuMilliseconds)
            }
        toServer.append(answer.frames.joined())
        return nil
    }
}
