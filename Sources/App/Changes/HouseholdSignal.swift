import Domain
import EventLoop

/// Wakes tasks that wait for changes of a household, such as event streams and long polls.
///
/// Transactions of this process report their sequence number after the commit. Changes by other processes are found by
/// polling the database while a task waits. A waiting task holds no database connection.
package final class HouseholdSignal: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.

    /// Reads the last sequence number of a household's change log; nil for an unknown household.
    typealias Reading = @Sendable (HouseholdID) async throws -> Int64?

    /// The time between two checks for changes of other processes.
    static let interval = Duration.milliseconds(500)
    /// The maximum number of households whose sequence numbers are remembered. When it is reached, households without
    /// waiting tasks are forgotten.
    private static let maximumKnown = 10_000

    private struct Waiter {
        let sequence: Int64
        let continuation: CheckedContinuation<Int64?, Never>
    }

    private struct State {
        /// The last sequence number of each household, as far as this process knows it.
        var known: [HouseholdID: Int64] = [:]
        /// The waiting tasks by household and identifier.
        var waiters: [HouseholdID: [UInt64: Waiter]] = [:]
        var nextID: UInt64 = 0
        var isChecking = false
        var hasStopped = false
    }

    private let lock = Lock()
    private var state = State()

    package init() {}

    /// The number of waiting tasks.
    package var waitingCount: Int { lock.withLock { state.waiters.values.reduce(0) { $0 + $1.count } } }
    /// Whether the server is stopping, which ends all streams.
    package var hasStopped: Bool { lock.withLock { state.hasStopped } }

    /// Reports the last sequence number of a committed transaction.
    func report(_ household: HouseholdID, sequence: Int64) {
        let woken: [Waiter] = lock.withLock {
            guard sequence > state.known[household] ?? 0 else { return [] }
            if state.known.count >= Self.maximumKnown {
                state.known = state.known.filter { state.waiters[$0.key] != nil }
            }
            state.known[household] = sequence
            guard let waiters = state.waiters[household] else { return [] }
            let due = waiters.filter { $0.value.sequence < sequence }
            let rest = waiters.filter { $0.value.sequence >= sequence }
            state.waiters[household] = rest.isEmpty ? nil : rest
            return Array(due.values)
        }
        for waiter in woken { waiter.continuation.resume(returning: sequence) }
    }

    /// Waits until the household's last sequence number exceeds `sequence`. Must be called on an event loop.
    ///
    /// - Returns: the last known number; nil after `time`, when the task is cancelled, or when the server stops.
    func wait(
        for household: HouseholdID, after sequence: Int64, atMost time: Duration, reading: @escaping Reading
    ) async -> Int64? {
        guard let loop = EventLoop.current else { return nil }
        let id = lock.withLock {
            state.nextID += 1
            return state.nextID
        }
        let timer = loop.after(time) { [self] in end(id, household) }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Waiter(sequence: sequence, continuation: continuation), id, household)
                // If the task was cancelled earlier, the cancellation handler below found no waiter.
                if Task.isCancelled { end(id, household) }
                checkOthers(on: loop, reading)
            }
        } onCancel: {
            end(id, household)
        }
    }

    /// Makes the task wait, or resumes it at once if a newer sequence number is known or the server stops.
    private func add(_ waiter: Waiter, _ id: UInt64, _ household: HouseholdID) {
        let answer: Int64?? = lock.withLock {
            if state.hasStopped { return .some(nil) }
            if let known = state.known[household], known > waiter.sequence { return known }
            state.waiters[household, default: [:]][id] = waiter
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    /// Resumes a waiting task with nil.
    private func end(_ id: UInt64, _ household: HouseholdID) {
        let waiter = lock.withLock { () -> Waiter? in
            let waiter = state.waiters[household]?.removeValue(forKey: id)
            if state.waiters[household]?.isEmpty == true { state.waiters[household] = nil }
            return waiter
        }
        waiter?.continuation.resume(returning: nil)
    }

    /// Ends all waits, now and later, so that a server with open streams can stop.
    package func stop() {
        let waiters = lock.withLock {
            state.hasStopped = true
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap(\.values)
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    // MARK: Changes of other processes

    /// Starts the task that reads the sequence numbers, unless it is running. The started task ends when no other task
    /// waits.
    private func checkOthers(on loop: EventLoop, _ reading: @escaping Reading) {
        let isFirst = lock.withLock {
            guard !state.isChecking, !state.waiters.isEmpty else { return false }
            state.isChecking = true
            return true
        }
        guard isFirst else { return }
        loop.spawn { [self] in
            var pause = Self.interval
            while true {
                await loop.sleep(for: pause)
                guard let households = nextCheck() else { return }
                let began = EventLoop.monotonicNow()
                for household in households {
                    // Ignore database outages; the next check finds the change.
                    guard let sequence = try? await reading(household) else { continue }
                    report(household, sequence: sequence)
                }
                // Limit the checks to a tenth of the time if there are many households or the database is slow.
                pause = max(Self.interval, .nanoseconds(10 * (EventLoop.monotonicNow() - began)))
            }
        }
    }

    /// Returns the households that tasks wait for. If no task waits, records that the checks have ended and returns
    /// nil.
    private func nextCheck() -> [HouseholdID]? {
        lock.withLock {
            guard !state.waiters.isEmpty else {
                state.isChecking = false
                return nil
            }
            return Array(state.waiters.keys)
        }
    }
}
