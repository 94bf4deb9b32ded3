import EventLoop
import Synchronization

/// Whether PostgreSQL recently refused to write because its disk is full.
package final class DiskSpace: Sendable {
    /// How long a refusal counts. Afterwards the next write shows whether there is space again.
    private static let memory = Duration.seconds(60)
    /// Monotonic nanoseconds of the last refusal; 0 if there was none.
    private let lastRefusal = Atomic<Int64>(0)

    package init() {}

    /// Called when a statement fails with `53100`.
    func noteRefusal() { lastRefusal.store(EventLoop.monotonicNow(), ordering: .relaxed) }

    /// Whether the last refusal was less than a minute ago.
    package var isFull: Bool {
        let last = lastRefusal.load(ordering: .relaxed)
        return last != 0 && EventLoop.monotonicNow() - last < Self.memory.nanoseconds
    }
}
