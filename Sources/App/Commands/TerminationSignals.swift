import CLinux
import EventLoop
import Glibc
import Synchronization

/// Waits for SIGINT, SIGTERM or SIGHUP.
///
/// Uses signal handlers and a pipe, because `sigwait` works only if all threads block the signals. The main thread of a
/// Swift program runs `dispatch_main` and blocks no signals, so it would receive SIGTERM. The signal would end the
/// process at once. In a container where the process is PID 1, the signal would be ignored.
struct TerminationSignals {
    /// The descriptor to which the handler writes a byte.
    private static let writingEnd = Atomic<Int32>(-1)

    private let readingEnd: Int32

    /// Installs the handlers. Until `init` is called, a signal ends the process at once, because there is nothing to
    /// finish yet.
    static func installHandlers() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                // Only async-signal-safe calls are allowed here. The interrupted code must find `errno` unchanged.
                let savedErrno = errno
                let end = TerminationSignals.writingEnd.load(ordering: .acquiring)
                guard end >= 0 else { _exit(0) }
                var byte: UInt8 = 0
                _ = write(end, &byte, 1)
                errno = savedErrno
            }
        }
    }

    /// Must be called after `installHandlers`. After this call, a signal ends `wait`.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2") }
        readingEnd = ends[0]
        Self.writingEnd.store(ends[1], ordering: .releasing)
    }

    /// Blocks the thread until a signal arrives.
    func wait() {
        var byte: UInt8 = 0
        while read(readingEnd, &byte, 1) < 0, errno == EINTR {}
    }
}
