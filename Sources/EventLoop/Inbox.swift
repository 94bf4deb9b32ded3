import Glibc

/// Jobs and closures that other threads pass to a loop.
final class Inbox: @unchecked Sendable {
    // Safe to share: everything is read and written under the lock.
    private let lock = Lock()
    private var jobs: [UnownedJob] = []
    private var bodies: [@Sendable () -> Void] = []
    private var total = 0

    /// The number of jobs added since the loop was created.
    var count: Int { lock.withLock { total } }

    /// Adds a job. Returns true if the loop must be woken.
    func add(job: UnownedJob) -> Bool {
        lock.withLock {
            let wasEmpty = jobs.isEmpty && bodies.isEmpty
            jobs.append(job)
            total += 1
            return wasEmpty
        }
    }

    /// Adds a closure. Returns true if the loop must be woken.
    func add(body: @escaping @Sendable () -> Void) -> Bool {
        lock.withLock {
            let wasEmpty = jobs.isEmpty && bodies.isEmpty
            bodies.append(body)
            return wasEmpty
        }
    }

    /// Removes and returns all jobs and closures.
    func take() -> ([UnownedJob], [@Sendable () -> Void]) {
        lock.withLock {
            guard !jobs.isEmpty || !bodies.isEmpty else { return ([], []) }
            let takenWork = (jobs, bodies)
            jobs = []
            bodies = []
            return takenWork
        }
    }
}

/// A pthread mutex. Used instead of `Synchronization.Mutex`, around which the thread sanitizer reports false races.
package final class Lock: @unchecked Sendable {
    // Safe to share: a mutex may be used on any thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates an unlocked lock.
    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while holding the lock. `body` must not take the same lock again.
    package func withLock<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// The loop of the current thread, in thread-local storage.
enum LoopThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Stored without a reference count, because a loop outlives its thread.
    static var current: EventLoop? {
        get {
            guard let pointer = pthread_getspecific(key) else { return nil }
            return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
        }
        set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
}
