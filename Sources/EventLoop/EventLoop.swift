import CLinux
import Glibc

/// One epoll thread that runs Swift tasks.
///
/// A task started with ``spawn(_:)`` prefers this loop, so all its nonisolated code, and every async function it calls,
/// stays on the loop's thread: no locks and no thread hops between socket, query and template. What a loop owns
/// (connections, pools, timers) is confined to its thread and says so by a precondition.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Safe to share: `inbox` is guarded by its lock, the counters are atomic, the rest is touched on the loop's
    // thread only (or before it starts).

    /// Tells loops apart; the kernel never hears it.
    package let name: String
    private let epoll: Int32
    private let wakeup: Int32
    private let inbox = Inbox()
    private var thread = pthread_t()
    private var running = true

    private var jobs: [UnownedJob] = []
    private var batch: [UnownedJob] = []
    private var watches: [Int32: Watch] = [:]
    private var generation: UInt32 = 0
    private var timers = TimerHeap()
    private(set) var waiting: [ObjectIdentifier: Watch] = [:]
    private var nextSweep: Int64 = .max

    /// Monotonic time in nanoseconds, read once per turn of the loop.
    package private(set) var now: Int64 = EventLoop.monotonicNow()

    /// - Throws: `SystemError` when the kernel gives no epoll or event descriptor.
    package init(name: String) throws(SystemError) {
        self.name = name
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("epoll_create1") }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else {
            close(epoll)
            throw SystemError("eventfd")
        }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(UInt32(bitPattern: wakeup))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event) == 0 else { throw SystemError("epoll_ctl") }
    }

    deinit {
        close(wakeup)
        close(epoll)
    }

    // MARK: Life

    /// Starts the loop's thread.
    package func start() {
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                LoopThread.current = loop
                loop.run()
                return nil
            }, context)
    }

    /// Ends the loop after the jobs at hand, and waits for its thread. Call it from another thread.
    package func stop() {
        precondition(!isCurrent, "a loop cannot wait for itself")
        execute { self.running = false }
        pthread_join(thread, nil)
    }

    /// The loop whose thread this is, if any.
    package static var current: EventLoop? { LoopThread.current }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool { LoopThread.current === self }

    // MARK: Work

    /// Jobs that other threads handed in since the start; 0 more during a request means that nothing hopped.
    package var foreignEnqueues: Int { inbox.count }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if inbox.add(job: job) {
            wake()
        }
    }

    /// Runs `operation` as a task of its own on this loop.
    @discardableResult
    package func spawn(_ operation: sending @escaping () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: operation)
    }

    /// Runs `body` on the loop's thread soon; callable from any thread.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        if inbox.add(body: body) { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }

    // MARK: Readiness

    /// Watches a descriptor until the watch is cancelled; the descriptor stays the caller's to close (after cancelling).
    ///
    /// - Parameter handler: called on the loop with what is ready; awaiting ``Watch/ready(_:until:)`` needs none.
    /// - Throws: `epoll_ctl`'s refusal: a descriptor that cannot be watched, or is watched already.
    package func watch(
        _ descriptor: Int32, _ mode: Watch.Mode, handler: ((Readiness) -> Void)? = nil
    ) throws(SystemError) -> Watch {
        precondition(isCurrent, "a watch belongs to the loop's thread")
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

    func forget(_ watch: Watch) {
        guard watches[watch.descriptor] === watch else { return }
        watches[watch.descriptor] = nil
        waiting[ObjectIdentifier(watch)] = nil
        var event = epoll_event()
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, &event)
    }

    func waits(_ watch: Watch) {
        waiting[ObjectIdentifier(watch)] = watch
        if nextSweep == .max { nextSweep = now + Self.sweepInterval }
    }

    func waitsNoMore(_ watch: Watch) {
        waiting[ObjectIdentifier(watch)] = nil
    }

    // MARK: Time

    /// Calls `handler` once on the loop after `delay`, exact to about a millisecond.
    package func after(_ delay: Duration, _ handler: @escaping () -> Void) -> LoopTimer {
        precondition(isCurrent, "a timer belongs to the loop's thread")
        return timers.add(at: Self.monotonicNow() + delay.nanoseconds, handler)
    }

    /// Suspends the calling task, which must run on this loop.
    package func sleep(for delay: Duration) async {
        await withUnsafeContinuation { continuation in
            _ = after(delay) { continuation.resume() }
        }
    }

    /// The clock that all deadlines are told by: nanoseconds from an unknown moment, never set back.
    package static func monotonicNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: The turn

    /// Deadlines of waits are looked at this often; they are seconds, so a quarter is exact enough and costs nothing.
    private static let sweepInterval: Int64 = 250_000_000

    private func run() {
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        while running {
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
        // A descriptor closed and opened again in the same turn has a newer generation.
        guard let watch = watches[descriptor], watch.generation == UInt32(event.data.u64 >> 32) else { return }
        watch.fire(Readiness(epoll: event.events))
    }

    private func takeInbox() {
        let (newJobs, bodies) = inbox.take()
        jobs.append(contentsOf: newJobs)
        for body in bodies { body() }
    }

    private func runJobs() {
        // Bounded, so that tasks which keep waking each other cannot starve the sockets.
        var rounds = 0
        while !jobs.isEmpty, rounds < 16 {
            swap(&jobs, &batch)
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
            batch.removeAll(keepingCapacity: batch.capacity <= 1024)
            rounds += 1
        }
    }

    private func timeout() -> Int32 {
        guard jobs.isEmpty else { return 0 }
        let next = min(timers.next ?? .max, nextSweep)
        guard next != .max else { return -1 }
        let left = next - Self.monotonicNow()
        return left <= 0 ? 0 : Int32(min(left / 1_000_000 + 1, 60_000))
    }

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
