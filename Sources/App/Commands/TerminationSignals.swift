import CLinux
import EventLoop
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, waited for by one thread.
///
/// Through handlers: a blocked signal would have to be blocked in every thread, and the main thread of a Swift program,
/// which rests in `dispatch_main`, blocks none. There SIGTERM would end the process at once, or, as a container's first
/// process, do nothing at all.
struct TerminationSignals {
    /// Where the handler writes a byte.
    private static let writingEnd = Atomic<Int32>(-1)

    private let readingEnd: Int32

    /// Takes the signals over for the rest of the process. Until somebody waits for them they end it at once: nothing is
    /// under way yet that would have to be brought to its end.
    static func endAtOnce() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                // It runs in the middle of anything: only what is safe there, and nothing of it remains.
                let before = errno
                let end = TerminationSignals.writingEnd.load(ordering: .acquiring)
                guard end >= 0 else { _exit(0) }
                var byte: UInt8 = 0
                _ = write(end, &byte, 1)
                errno = before
            }
        }
    }

    /// From here on they are waited for. After `endAtOnce`.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2") }
        readingEnd = ends[0]
        Self.writingEnd.store(ends[1], ordering: .releasing)
    }

    /// Returns when one of them came. Blocks the thread.
    func wait() {
        var byte: UInt8 = 0
        while read(readingEnd, &byte, 1) < 0, errno == EINTR {}
    }
}
