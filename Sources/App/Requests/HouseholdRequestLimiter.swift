import Domain
import EventLoop

/// Limits the simultaneous requests of each household, so that no household slows down the others. Additional requests
/// wait in the order of their arrival.
final class HouseholdRequestLimiter: @unchecked Sendable {
    // Safe to share: `households` is read and written under the lock.
    private let lock = Lock()
    private var households: [HouseholdID: State] = [:]

    /// The maximum number of simultaneous requests of a household. A page with pictures needs a few.
    static let maximumSimultaneous = 6
    /// The maximum number of waiting requests of a household; further requests are refused as busy.
    static let maximumWaiting = 200

    private struct State {
        var running = 0
        var queue: [CheckedContinuation<Void, Never>] = []
    }

    init() {}

    /// Runs `body` when the household may run another request.
    ///
    /// - Throws: `Refusal.busy` if too many requests are waiting; the error of `body`.
    func run<Value>(_ household: HouseholdID, _ body: () async throws -> Value) async throws -> Value {
        try await begin(household)
        defer { end(household) }
        return try await body()
    }

    /// Waits until the household may run another request.
    private func begin(_ household: HouseholdID) async throws {
        let mayRun: Bool? = lock.withLock {
            var state = households[household] ?? State()
            if state.running < Self.maximumSimultaneous {
                state.running += 1
                households[household] = state
                return true
            }
            return state.queue.count < Self.maximumWaiting ? false : nil
        }
        guard let mayRun else { throw Refusal.busy }
        if mayRun { return }
        await withCheckedContinuation { continuation in
            let runsNow = lock.withLock {
                // Another request may have ended in between.
                if households[household, default: State()].running < Self.maximumSimultaneous {
                    households[household, default: State()].running += 1
                    return true
                }
                households[household]?.queue.append(continuation)
                return false
            }
            if runsNow { continuation.resume() }
        }
    }

    /// Ends a request. If others wait, the first of them runs next.
    private func end(_ household: HouseholdID) {
        let next = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            guard var state = households[household] else { return nil }
            guard state.queue.isEmpty else {
                // The next request takes over the slot of this one.
                let next = state.queue.removeFirst()
                households[household] = state
                return next
            }
            state.running -= 1
            households[household] = state.running > 0 ? state : nil
            return nil
        }
        next?.resume()
    }
}
