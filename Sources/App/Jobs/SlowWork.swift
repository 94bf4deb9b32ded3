import CProcess
import EventLoop
import Glibc

/// Runs computations that would block a loop, such as comparing thousands of names. They run one after another on a
/// thread with a lower priority than the loops.
///
/// Callers suspend and resume on their own loop.
package final class SlowWork: Sendable {
    private let thread: EventLoop
    private let tally = Tally()
    private let memory = JobMemory()

    /// The maximum number of jobs that wait or run; additional jobs fail with `busy`.
    static let maximumJobs = 32

    /// - Parameter name: the name of the thread.
    /// - Throws: `SystemError` if the system provides no descriptor or thread.
    package init(name: String = "slow work") throws(SystemError) {
        thread = try EventLoop(name: name)
        try thread.start()
        // On Linux each thread has its own nice value; 0 is the calling thread.
        thread.execute { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
    }

    deinit { thread.stop() }

    /// The number of jobs that have started.
    package var startedJobCount: Int { tally.startedJobCount }

    /// - Throws: the error of `work`; `Refusal.busy` if `maximumJobs` jobs are already waiting or running.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard tally.enter() else { throw Refusal.busy }
        let (tally, memory, zone) = (tally, memory, WallClock.zone)
        return try await withCheckedThrowingContinuation { continuation in
            thread.execute {
                tally.begin()
                let result = WallClock.$zone.withValue(zone) { Result(catching: work) }
                let isLast = tally.leave()
                continuation.resume(with: result)
                if isLast { memory.release() }
            }
        }
    }
}

/// The memory that jobs have freed.
private final class JobMemory: @unchecked Sendable {
    // Safe to share: only the thread of the jobs uses it.
    private var freed = FreedMemory()

    func release() { freed.release { _ = malloc_trim(0) } }
}

/// Counts jobs.
private final class Tally: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.
    private let lock = Lock()
    /// The number of jobs that wait or run.
    private var unfinished = 0
    /// The number of jobs that have started.
    private var total = 0

    var startedJobCount: Int { lock.withLock { total } }

    /// Counts a new job. Returns false if there are too many.
    func enter() -> Bool {
        lock.withLock {
            guard unfinished < SlowWork.maximumJobs else { return false }
            unfinished += 1
            return true
        }
    }

    /// Counts a job that starts to run.
    func begin() { lock.withLock { total += 1 } }

    /// Counts a finished job. Returns true if no other job is waiting.
    func leave() -> Bool {
        lock.withLock {
            unfinished -= 1
            return unfinished == 0
        }
    }
}
