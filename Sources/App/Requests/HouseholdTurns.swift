import Domain
import EventLoop

/// Limits the requests of a household that are answered at the same time, so that one household cannot slow the others
/// down. Further requests wait in their order.
final class HouseholdTurns: @unchecked Sendable {
    // Safe to share: read and written under the lock.

    /// Requests of one household at the same time. A page with its pictures needs a few.
    static let simultaneous = 6
    /// Requests of one household that may wait; further ones are refused as busy.
    static let waiting = 200

    private struct State {
        var running = 0
        var queue: [CheckedContinuation<Void, Never>] = []
    }

    private let lock = Lock()
    private var households: [HouseholdID: State] = [:]

    init() {}

    /// Runs `body` when it is the household's turn.
    ///
    /// - Throws: `Refusal.busy` if too many requests are waiting; the error of `body`.
    func run<Value>(_ household: HouseholdID, _ body: () async throws -> Value) async throws -> Value {
        try await begin(household)
        defer { end(household) }
        return try await body()
    }

    private func begin(_ household: HouseholdID) async throws {
        let mayRun: Bool? = lock.withLock {
            var state = households[household] ?? State()
            if state.running < Self.simultaneous {
                state.running += 1
                households[household] = state
                return true
            }
            return state.queue.count < Self.waiting ? false : nil
        }
        guard let mayRun else { throw Refusal.busy }
        if mayRun { return }
        await withCheckedContinuation { continuation in
            let runsNow = lock.withLock {
                // A request may have ended in between.
                if households[household, default: State()].running < Self.simultaneous {
                    households[household, default: State()].running += 1
                    return true
                }
                households[household]?.queue.append(continuation)
                return false
            }
            if runsNow { continuation.resume() }
        }
    }

    private func end(_ household: HouseholdID) {
        let next = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            guard var state = households[household] else { return nil }
            guard state.queue.isEmpty else {
                // The next request takes this one's place.
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
