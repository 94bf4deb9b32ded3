import Glibc

/// A bounded queue of evaluations for ``PasswordHasher``, processed by a fixed number of threads.
final class HashingQueue: @unchecked Sendable {
    // Safe to share: the mutex guards all mutable state, and mutex and condition never move in memory.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waitingJobs: [@Sendable () -> Void] = []
    private var runningCount = 0
    private var startedCount = 0
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
        guard waitingJobs.count + runningCount < capacity else { return false }
        waitingJobs.append(job)
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
        let status = pthread_create(&thread, nil, HashingQueue.main, Unmanaged.passRetained(self).toOpaque())
        precondition(status == 0, "cannot create a thread for hashing passwords")
        pthread_detach(thread)
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let queue = Unmanaged<HashingQueue>.fromOpaque(argument).takeRetainedValue()
        while let job = queue.next() {
            job()
            queue.finishJob()
        }
        return nil
    }

    /// Waits for a job. Returns nil when the queue is stopped and empty.
    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waitingJobs.isEmpty {
            if isStopped { return nil }
            pthread_cond_wait(condition, mutex)
        }
        runningCount += 1
        startedCount += 1
        return waitingJobs.removeFirst()
    }

    private func finishJob() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        runningCount -= 1
    }

    /// The number of jobs that were started, including those that are finished.
    var startedJobCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return startedCount
    }
}
