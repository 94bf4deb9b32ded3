import Glibc

/// Hashes and compares passwords on threads of its own, at most `width` at a time, so that no event loop waits and a crowd
/// at the door costs bounded memory.
///
/// Callers suspend and go on where they were. Threads live as long as the process.
package final class PasswordHasher: Sendable {
    private let cost: PasswordCost
    private let queue: JobQueue
    /// Compared against when there is no such account, so that both paths do one evaluation.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - width: evaluations at once; each takes the memory of `cost`.
    ///   - limit: how many may wait; the next one is told `busy`.
    package init(cost: PasswordCost = PasswordCost(), width: Int = 2, limit: Int = 64) {
        self.cost = cost
        decoy = PasswordHash.decoy(cost)
        queue = JobQueue(width: width, limit: limit)
    }

    /// One evaluation, with a salt of its own.
    ///
    /// - Throws: `busy` at once when as many wait as may; `argon2` when libargon2 refuses.
    package func hash(_ password: Password) async throws(PasswordHashError) -> PasswordHash {
        let cost = cost
        return try await queue.run { () throws(PasswordHashError) in try PasswordHash.make(password.bytes, cost) }
    }

    /// How many evaluations were begun since the start.
    package var evaluations: Int { queue.begun }

    /// One evaluation whether or not there is a hash; without one the answer is false.
    ///
    /// - Throws: `busy` at once when as many wait as may.
    package func verify(_ password: Password, _ hash: PasswordHash?) async throws(PasswordHashError) -> Bool {
        let decoy = decoy
        return try await queue.run { () throws(PasswordHashError) in
            (hash ?? decoy).matches(password.bytes) && hash != nil
        }
    }
}

/// A bounded queue worked off by a fixed number of threads.
private final class JobQueue: @unchecked Sendable {
    // Safe because `waiting`, `running` and `started` are only touched between lock and unlock of `mutex`; mutex and condition never move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [@Sendable () -> Void] = []
    private var running = 0
    private var started = 0
    private let capacity: Int

    init(width: Int, limit: Int) {
        capacity = width + limit
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        for _ in 0..<width { startThread() }
    }

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PasswordHashError) -> Value
    ) async throws(PasswordHashError) -> Value {
        let result: Result<Value, PasswordHashError> = await withCheckedContinuation { continuation in
            let accepted = enqueue {
                do throws(PasswordHashError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !accepted { continuation.resume(returning: .failure(.busy)) }
        }
        return try result.get()
    }

    private func enqueue(_ job: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard waiting.count + running < capacity else { return false }
        waiting.append(job)
        pthread_cond_signal(condition)
        return true
    }

    private func startThread() {
        var thread = pthread_t()
        // The threads keep the queue alive; they never end.
        let this = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(&thread, nil, JobQueue.main, this)
        precondition(status == 0, "no thread for hashing passwords")
        pthread_detach(thread)
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let queue = Unmanaged<JobQueue>.fromOpaque(argument).takeUnretainedValue()
        while true {
            queue.next()()
            queue.finished()
        }
    }

    private func next() -> @Sendable () -> Void {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty { pthread_cond_wait(condition, mutex) }
        running += 1
        started += 1
        return waiting.removeFirst()
    }

    private func finished() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        running -= 1
    }

    /// Jobs that were begun.
    var begun: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return started
    }
}
