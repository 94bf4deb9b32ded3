import Domain
import EventLoop

/// Limits the live scans of each person to one frame at a time and about two frames per second.
final class FrameLimiter: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.
    private let lock = Lock()
    /// For each person, the start of the last frame, in monotonic nanoseconds, and whether it is still being read.
    private var last: [PersonID: (began: Int64, isRunning: Bool)] = [:]

    /// The shortest time between two frames of a person, in nanoseconds: half a second less a tolerance for the
    /// network.
    static let interval: Int64 = 400_000_000

    /// - Throws: `Refusal.tooSoon`.
    func run<Value>(
        _ person: PersonID, now: Int64 = EventLoop.monotonicNow(), _ body: () async throws -> Value
    ) async throws -> Value {
        let mayRun = lock.withLock {
            if last.count > 1_000 { last = last.filter { $0.value.isRunning || now - $0.value.began < Self.interval } }
            if let before = last[person], before.isRunning || now - before.began < Self.interval { return false }
            last[person] = (now, true)
            return true
        }
        guard mayRun else { throw Refusal.tooSoon }
        defer { lock.withLock { last[person]?.isRunning = false } }
        return try await body()
    }
}
