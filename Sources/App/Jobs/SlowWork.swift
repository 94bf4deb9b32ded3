import EventLoop
import Glibc

/// Computing that would hold up a loop: names taken apart by the thousand, tables read. One job after the other, on a
/// thread of its own that yields to the loops.
///
/// Callers suspend and go on where they were, on their own loop.
package final class SlowWork: Sendable {
    private let thread: EventLoop
    private let tally = Tally()

    /// Jobs that may wait or run; the next one is told `busy`.
    static let mostJobs = 32

    /// - Throws: `SystemError` when the kernel gives no more descriptors.
    package init() throws(SystemError) {
        thread = try EventLoop(name: "slow work")
        try thread.start()
        // On Linux a nice value belongs to a thread: 0 is the calling one.
        thread.execute { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
    }

    deinit { thread.stop() }

    /// Jobs that were begun since the start.
    package var begun: Int { tally.begun }

    /// - Throws: what `work` throws; `Refusal.busy` when too much waits already.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard tally.enter() else { throw Refusal.busy }
        let tally = tally
        return try await withCheckedThrowingContinuation { continuation in
            thread.execute {
                tally.begin()
                let result = Result(catching: work)
                tally.leave()
                continuation.resume(with: result)
            }
        }
    }
}

/// How many jobs there are.
private final class Tally: @unchecked Sendable {
    // Safe to share: the numbers are read and written under the lock.
    private let lock = Lock()
    private var present = 0
    private var total = 0

    var begun: Int { lock.withLock { total } }

    func enter() -> Bool {
        lock.withLock {
            guard present < SlowWork.mostJobs else { return false }
            present += 1
            return true
        }
    }

    func begin() { lock.withLock { total += 1 } }

    func leave() { lock.withLock { present -= 1 } }
}
