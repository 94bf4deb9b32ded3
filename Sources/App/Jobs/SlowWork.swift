import EventLoop
import Glibc

/// Long computations, such as analysing thousands of names or parsing a table. Run one after the other, on a thread with
/// lower priority than the loops.
///
/// Callers suspend and resume on their own loop.
package final class SlowWork: Sendable {
    private let thread: EventLoop
    private let tally = Tally()

    /// The limit of waiting and running jobs. A further one throws `busy`.
    static let mostJobs = 32

    /// - Throws: `SystemError` when there are no more file descriptors.
    package init() throws(SystemError) {
        thread = try EventLoop(name: "slow work")
        try thread.start()
        // On Linux the nice value is per thread; 0 is the calling thread.
        thread.execute { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
    }

    deinit { thread.stop() }

    /// The number of jobs since the start.
    package var begun: Int { tally.begun }

    /// - Throws: the errors of `work`; `Refusal.busy` when `mostJobs` is reached.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard tally.enter() else { throw Refusal.busy }
        let (tally, zone) = (tally, WallClock.zone)
        return try await withCheckedThrowingContinuation { continuation in
            thread.execute {
                tally.begin()
                let result = WallClock.$zone.withValue(zone) { Result(catching: work) }
                tally.leave()
                continuation.resume(with: result)
            }
        }
    }
}

/// Counts jobs.
private final class Tally: @unchecked Sendable {
    // Safe: all properties are accessed under the lock.
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
