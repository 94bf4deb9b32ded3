import Domain
import EventLoop

/// Counts the requests of each API client in this process, per minute.
final class RateLimits: @unchecked Sendable {
    // Safe to share: read and written under the lock.

    /// The maximum number of requests of one client in a minute.
    let limit: Int
    /// The length of a window in seconds.
    private static let window: Int64 = 60

    /// The requests of one client in one window.
    private struct Count {
        var window: Int64
        var requests: Int
    }

    private let lock = Lock()
    private var counts: [OperationID: Count] = [:]

    init(limit: Int) { self.limit = limit }

    /// The state after one request.
    struct State: Equatable {
        /// The number of requests left; negative if this one is refused.
        let remaining: Int
        /// Seconds until the counter restarts.
        let reset: Int
        /// The maximum number of requests in a minute.
        let limit: Int
    }

    /// Counts one request.
    ///
    /// - Parameter seconds: the time of a monotonic clock.
    func count(_ client: OperationID, at seconds: Int64 = EventLoop.monotonicNow() / 1_000_000_000) -> State {
        let window = seconds / Self.window
        return lock.withLock {
            // Drop counters of earlier minutes.
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
