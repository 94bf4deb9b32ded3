import EventLoop
import Postgres
import Synchronization

/// Remembers whether PostgreSQL recently refused a write because its disk is full.
package final class DiskSpace: Sendable {
    /// The time for which a refusal is remembered. Afterwards the next write shows whether there is space again.
    private static let retention = Duration.seconds(60)
    /// Monotonic nanoseconds of the last refusal; 0 if there was none.
    private let lastRefusal = Atomic<Int64>(0)

    package init() {}

    /// Records that a statement failed with SQLSTATE 53100 (disk full).
    func recordRefusal() { lastRefusal.store(EventLoop.monotonicNow(), ordering: .relaxed) }

    /// Records the error of a failed statement if it means that the disk is full.
    func record(_ error: any Error) {
        if (error as? PostgresError)?.sqlState == .diskFull { recordRefusal() }
    }

    /// Whether the last refusal was less than a minute ago.
    package var isFull: Bool {
        let last = lastRefusal.load(ordering: .relaxed)
        return last != 0 && EventLoop.monotonicNow() - last < Self.retention.nanoseconds
    }
}
