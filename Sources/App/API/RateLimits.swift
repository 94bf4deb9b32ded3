import Domain
import EventLoop

/// Requests of each API client in this process: so many in each minute.
final class RateLimits: @unchecked Sendable {
    // Safe to share: read and written under the lock.

    /// Requests of one client in a minute.
    let limit: Int
    private static let window: Int64 = 60

    private struct Count {
        var window: Int64
        var requests: Int
    }

    private let lock = Lock()
    private var counts: [OperationID: Count] = [:]

    init(limit: Int) { self.limit = limit }

    /// The state after one request.
    struct State: Equatable {
        /// Requests that may follow; negative if this one is refused.
        let remaining: Int
        /// Seconds until the count begins again.
        let reset: Int
        /// Requests of one minute.
        let limit: Int
    }

    /// Counts one request.
    ///
    /// - Parameter seconds: a clock that does not go back.
    func count(_ client: OperationID, at seconds: Int64 = EventLoop.monotonicNow() / 1_000_000_000) -> State {
        let window = seconds / Self.window
        return lock.withLock {
            // Clients of past minutes are forgotten.
            if counts.count > 10_000 { counts = counts.filter { $0.value.window == window } }
            var count = counts[client] ?? Count(window: window, requests: 0)
            if count.window != window { count = Count(window: window, requests: 0) }
            count.requests = min(count.requests + 1, limit + 1)
            counts[client] = count
            return State(
                remaining: limit - count.requests, reset: Int(Self.window - seconds % Self.window), limit: limit)
        }
    }
}
