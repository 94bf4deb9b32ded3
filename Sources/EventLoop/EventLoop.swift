import CLinux
import Glibc

/// A thread that waits for descriptors and timers (epoll(7)) and executes Swift tasks.
///
/// Tasks started with ``spawn(_:)`` prefer this loop: their nonisolated code, and all async functions they call, run on
/// its thread. So a request needs no locks and no thread changes between socket, query and template. Objects that
/// belong to a loop (connections, pools, timers) are confined to its thread, which preconditions check.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Safe to share: `inbox` has a lock. All other mutable state is touched on the loop's thread only, or before it
    // starts.

    /// The name of the loop, used in messages only.
    package let name: String
    private let epoll: Int32
    private let wakeup: Int32
    private let inbox = Inbox()
    private var thread = pthread_t()
    private var isRunning = true

    private var jobs: [UnownedJob] = []
    /// The jobs of the current round of `runJobs`.
    private var batch: [UnownedJob] = []
    private var watches: [Int32: Watch] = [:]
    /// The generation of the last watch: a counter of watches. Events contain the generation of their watch, because a
    /// later watch may have the same descriptor number.
    private var generation: UInt32 = 0
    private var timers = TimerHeap()
    /// The watches whose deadlines `sweep` checks.
    private(set) var waiting: [ObjectIdentifier: Watch] = [:]
    /// The time of the next `sweep`; `.max` if no watch has a deadline.
    private var nextSweep: Int64 = .max

    /// Monotonic time in nanoseconds, read once per iteration of the loop.
    package private(set) var now: Int64 = EventLoop.monotonicNow()

    /// - Throws: `SystemError` if the kernel provides no epoll or event descriptor.
    package init(name: String) throws(SystemError) {
        self.name = name
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // All properties have values, so `deinit` closes the descriptors after an error.
        guard epoll >= 0, wakeup >= 0 else { throw SystemError(epoll < 0 ? "epoll_create1" : "eventfd") }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(UInt32(bitPattern: wakeup))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event) == 0 else { throw SystemError("epoll_ctl") }
    }

    deinit {
        close(wakeup)
        close(epoll)
    }

    // MARK: Starting and stopping

    /// Starts the loop's thread.
    ///
    /// - Throws: `SystemError` if the system provides no thread.
    package func start() throws(SystemError) {
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                LoopThread.current = loop
                loop.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw SystemError("pthread_create", code: code)
        }
    }

    /// Ends the loop after the current jobs, and waits for its thread. Must be called on another thread.
    package func stop() {
        precondition(!isCurrent, "stop() must not be called on the loop's own thread")
        execute { self.isRunning = false }
        pthread_join(thread, nil)
    }

    /// The loop of the current thread, if any.
    package static var current: EventLoop? { LoopThread.current }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool { LoopThread.current === self }

    // MARK: Work

    /// Number of jobs that other threads have enqueued. Tests check that it does not change during a request.
    package var jobCountFromOtherThreads: Int { inbox.count }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if inbox.add(job: job) {
            wake()
        }
    }

    /// Starts a task on this loop.
    @discardableResult
    package func spawn(_ operation: sending @escaping () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: operation)
    }

    /// Runs `body` on the loop's thread. May be called on any thread.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        if inbox.add(body: body) { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }

    // MARK: Readiness

    /// Watches a descriptor until the watch is cancelled. The caller keeps the descriptor and closes it after
    /// cancelling.
    ///
    /// - Parameter handler: called on the loop when the descriptor becomes ready; not needed with
    ///   ``Watch/ready(_:until:)``.
    /// - Throws: the error of `epoll_ctl`, if the descriptor cannot be watched or is watched already.
    package func watch(
        _ descriptor: Int32, _ mode: Watch.Mode, handler: ((Readiness) -> Void)? = nil
    ) throws(SystemError) -> Watch {
        precondition(isCurrent, "a watch must be used on the loop's thread")
        generation &+= 1
        let watch = Watch(loop: self, descriptor: descriptor, mode: mode, generation: generation, handler: handler)
        try control(EPOLL_CTL_ADD, watch)
        watches[descriptor] = watch
        return watch
    }

    func control(_ operation: Int32, _ watch: Watch) throws(SystemError) {
        var event = epoll_event()
        event.events = watch.epollEvents
        event.data.u64 = UInt64(watch.generation) << 32 | UInt64(UInt32(bitPattern: watch.descriptor))
        guard epoll_ctl(epoll, operation, watch.descriptor, &event) == 0 else { throw SystemError("epoll_ctl") }
    }

    /// Stops watching a descriptor.
    func forget(_ watch: Watch) {
        guard watches[watch.descriptor] === watch else { return }
        watches[watch.descriptor] = nil
        waiting[ObjectIdentifier(watch)] = nil
        var event = epoll_event()
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, &event)
    }

    /// Makes `sweep()` check the deadlines of a watch.
    func addWaiting(_ watch: Watch) {
        waiting[ObjectIdentifier(watch)] = watch
        if nextSweep == .max { nextSweep = now + Self.sweepInterval }
    }

    func removeWaiting(_ watch: Watch) {
        waiting[ObjectIdentifier(watch)] = nil
    }

    // MARK: Time

    /// Calls `handler` once on the loop after `delay`, with a precision of about a millisecond.
    package func after(_ delay: Duration, _ handler: @escaping () -> Void) -> LoopTimer {
        precondition(isCurrent, "a timer must be created on the loop's thread")
        return timers.add(at: Self.monotonicNow() + delay.nanoseconds, handler)
    }

    /// Suspends the calling task for `delay`. The task must run on this loop.
    package func sleep(for delay: Duration) async {
        await withUnsafeContinuation { continuation in
            _ = after(delay) { continuation.resume() }
        }
    }

    /// The clock of all deadlines: monotonic, in nanoseconds since an unspecified time.
    package static func monotonicNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: Iteration

    /// The interval in nanoseconds at which the deadlines of watches are checked. Time limits of watches are several
    /// seconds, so a quarter of a second is precise enough.
    private static let sweepInterval: Int64 = 250_000_000

    private func run() {
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        while isRunning {
            let count = epoll_wait(epoll, events, Int32(capacity), timeout())
            now = Self.monotonicNow()
            for index in 0..<max(0, Int(count)) { dispatch(events[index]) }
            takeInbox()
            runJobs()
            for timer in timers.takeDue(at: now) { timer.fire() }
            sweep()
            runJobs()
        }
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        if descriptor == wakeup {
            var value: UInt64 = 0
            _ = read(wakeup, &value, 8)
            return
        }
        // Ignores events of a descriptor that was closed in the same iteration. If its number is in use again, the new
        // watch has another generation.
        guard let watch = watches[descriptor], watch.generation == UInt32(event.data.u64 >> 32) else { return }
        watch.fire(Readiness(epoll: event.events))
    }

    private func takeInbox() {
        let (newJobs, bodies) = inbox.take()
        jobs.append(contentsOf: newJobs)
        for body in bodies { body() }
    }

    private func runJobs() {
        // The number of rounds is limited, so that tasks that wake each other cannot block the sockets.
        var rounds = 0
        while !jobs.isEmpty, rounds < 16 {
            swap(&jobs, &batch)
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
            batch.removeAll(keepingCapacity: batch.capacity <= 1024)
            rounds += 1
        }
    }

    /// The time limit of `epoll_wait` in milliseconds; -1 for none.
    private func timeout() -> Int32 {
        guard jobs.isEmpty else { return 0 }
        let nextWakeTime = min(timers.next ?? .max, nextSweep)
        guard nextWakeTime != .max else { return -1 }
        let remaining = nextWakeTime - Self.monotonicNow()
        return remaining <= 0 ? 0 : Int32(min(remaining / 1_000_000 + 1, 60_000))
    }

    /// Ends waits whose deadline has passed.
    private func sweep() {
        guard now >= nextSweep else { return }
        for watch in waiting.values { watch.expire(at: now) }
        nextSweep = waiting.isEmpty ? .max : now + Self.sweepInterval
    }
}

extension Duration {
    /// Whole nanoseconds, saturating at about 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
