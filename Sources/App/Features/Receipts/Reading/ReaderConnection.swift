import CLinux
import EventLoop
import Glibc
import Recognition

/// The reader ended, did not answer in time, or sent invalid data. It has to be restarted.
struct ReaderLost: Error, CustomStringConvertible {
    let description: String
}

/// The reader cannot read any file on this machine: it cannot be started, a library or a model is missing, or its child
/// processes cannot be confined.
struct ReaderNotStarted: Error, CustomStringConvertible {
    let description: String

    /// The exit statuses of a reader that cannot run; 126 and 127 come from the dynamic linker.
    static let statuses: [Int32] = [1, 2, 126, 127]
}

/// A running `allesteurer-reader` and the socket to it. Confined to its event loop; runs one job at a time.
final class ReaderConnection: @unchecked Sendable {
    // Safe to share: only tasks on the loop's thread use it, including its watch of the socket and the child process.
    private let loop: EventLoop
    private let child: ChildProcess
    private let descriptor: Int32
    private let watch: Watch
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var isClosed = false

    /// Starts the reader. It accepts jobs after its engines are loaded.
    ///
    /// - Parameter secondEngine: the folder of the second engine; nil to read with the first engine only.
    /// - Throws: `SystemError` when the program cannot be started.
    init(on loop: EventLoop, path: String, secondEngine: String? = nil) throws {
        self.loop = loop
        var pair: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw SystemError("socketpair") }
        defer { Glibc.close(pair[1]) }
        descriptor = pair[0]
        _ = linux_set_nonblocking(descriptor)
        do {
            // libgomp reads its thread limit when it is loaded. Swift's crash reporter could hang forever, so it is
            // off.
            var environment = [
                "OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8",
                "PATH": "/usr/local/bin:/usr/bin:/bin",
            ]
            environment[Config.secondEngineVariable] = secondEngine
            child = try ChildProcess(
                on: loop, path: path, arguments: [], environment: environment,
                descriptors: [(here: pair[1], there: 3), (here: 2, there: 2)])
            watch = try loop.watch(descriptor, .edge)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    var identifier: pid_t { child.identifier }

    /// The longest time between two answers of a working reader. If the reader's child process does not answer in time,
    /// the reader ends the job itself; the additional 30 s allow for that on a busy machine.
    static func maximumSilence(in job: ReadingJob) -> Duration { .seconds(job.answerSeconds + 30) }

    /// The longest time until the reader accepts more bytes of the second or a later file. The child process first
    /// reads the pages of the previous file, each within the time limit for an answer.
    static func maximumWait(toSendFileOf job: ReadingJob) -> Duration {
        .seconds(ReadingJob.maximumPages * job.answerSeconds + 30)
    }

    /// False when the reader has ended or closed its socket. The next job then needs a new connection.
    var isUsable: Bool { !isClosed && child.exit == nil && !watch.isClosed && !watch.isFinished }

    /// Sends all the bytes.
    ///
    /// - Parameter deadline: monotonic time in nanoseconds, as in `EventLoop.monotonicNow()`.
    func send(_ bytes: [UInt8], until deadline: Int64) async throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            guard !isClosed else { throw ReaderLost(description: "the connection is closed") }
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                watch.markNotReady(.write)
                try await wait(.write, deadline)
            } else if errno != EINTR {
                throw ReaderLost(description: "sending to the reader failed: errno \(errno)")
            }
        }
    }

    /// Receives the next bytes, at least one.
    ///
    /// - Parameter deadline: monotonic time in nanoseconds.
    func receive(until deadline: Int64) async throws -> ArraySlice<UInt8> {
        while true {
            guard !isClosed else { throw ReaderLost(description: "the connection is closed") }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return buffer[..<count] }
            if count == 0 { throw ReaderLost(description: "the reader ended") }
            if errno == EAGAIN {
                watch.markNotReady(.read)
                try await wait(.read, deadline)
            } else if errno != EINTR {
                throw ReaderLost(description: "receiving from the reader failed: errno \(errno)")
            }
        }
    }

    /// Waits until the socket can be read or written.
    ///
    /// - Throws: `ReaderLost` after the deadline or when the connection is closed.
    private func wait(_ readiness: Readiness, _ deadline: Int64) async throws {
        switch await watch.ready(readiness, until: deadline) {
        case .ready: return
        case .timedOut: throw ReaderLost(description: "the reader did not answer in time")
        case .cancelled: throw ReaderLost(description: "the connection is closed")
        }
    }

    /// Kills the reader.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        watch.cancel()
        Glibc.close(descriptor)
        child.signal(SIGKILL)
    }

    /// Kills the reader and waits on this thread until it has ended. Used when the loop is about to stop.
    func killAndWait() {
        close()
        child.killAndWait()
    }

    /// Kills the reader and reaps the process. Must run before the loop stops; otherwise a zombie process remains.
    ///
    /// - Returns: how the process ended. It may have ended before it was killed.
    @discardableResult
    func end() async -> ChildProcess.Exit {
        close()
        return await child.ended()
    }
}
