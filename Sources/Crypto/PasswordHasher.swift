import Glibc

/// Hashes and verifies passwords on its own threads, at most `width` at a time. So event loops are not blocked, and
/// many simultaneous sign-ins use a limited amount of memory.
///
/// Callers suspend and resume on their own executor. The threads end when the hasher is released.
package final class PasswordHasher: Sendable {
    /// The cost of new hashes. A stored hash with another cost should be replaced.
    package let cost: PasswordCost
    private let queue: JobQueue
    /// The hash that is verified if there is no account, so that the time of an answer does not reveal whether there is
    /// one.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - width: number of simultaneous evaluations; each uses the memory of `cost`.
    ///   - limit: number of evaluations that may wait; further ones fail with `busy`.
    package init(cost: PasswordCost = PasswordCost(), width: Int = 2, limit: Int = 64) {
        self.cost = cost
        decoy = PasswordHash.decoy(cost)
        queue = JobQueue(width: width, limit: limit)
    }

    deinit { queue.stop() }

    /// Hashes a password with a new salt, which is one evaluation.
    ///
    /// - Throws: `busy` immediately if the queue is full; `argon2` if libargon2 fails.
    package func hash(_ password: Password) async throws(PasswordHashError) -> PasswordHash {
        let cost = cost
        return try await queue.run { () throws(PasswordHashError) in try PasswordHash.make(password.bytes, cost) }
    }

    /// Number of evaluations begun.
    package var evaluations: Int { queue.begun }

    /// Verifies a password with one evaluation. If `hash` is nil, the evaluation takes as long and the result is false.
    ///
    /// - Throws: `busy` immediately if the queue is full; `argon2` if libargon2 gets no memory.
    package func verify(_ password: Password, _ hash: PasswordHash?) async throws(PasswordHashError) -> Bool {
        let decoy = decoy
        return try await queue.run { () throws(PasswordHashError) in
            let isMatch = try (hash ?? decoy).matches(password.bytes)
            return isMatch && hash != nil
        }
    }
}

/// A bounded queue, processed by a fixed number of threads.
private final class JobQueue: @unchecked Sendable {
    // Safe to share: the mutex guards all mutable state, and mutex and condition never move in memory.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [@Sendable () -> Void] = []
    private var running = 0
    private var started = 0
    private var isStopped = false
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

    /// Ends the threads when the waiting jobs are done.
    func stop() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isStopped = true
        pthread_cond_broadcast(condition)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private func startThread() {
        var thread = pthread_t()
        // Each thread keeps the queue alive until it ends.
        let status = pthread_create(&thread, nil, JobQueue.main, Unmanaged.passRetained(self).toOpaque())
        precondition(status == 0, "cannot create a thread for hashing passwords")
        pthread_detach(thread)
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let queue = Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue()
        while let job = queue.next() {
            job()
            queue.finished()
        }
        return nil
    }

    /// Waits for a job. Returns nil when the queue is stopped and empty.
    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty {
            if isStopped { return nil }
            pthread_cond_wait(condition, mutex)
        }
        running += 1
        started += 1
        return waiting.removeFirst()
    }

    private func finished() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        running -= 1
    }

    /// Number of jobs begun.
    var begun: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return started
    }
}
