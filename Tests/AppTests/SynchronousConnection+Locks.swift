import Postgres
import Testing

extension SynchronousConnection {
    /// Waits, at most two minutes, until `count` statements of other connections to this database wait for locks.
    func waitForBlockedStatement(count: Int = 1) async throws {
        for _ in 0..<24_000 {
            let blocked = try query(
                """
                SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE NOT granted AND datname = current_database()
                """)
            if blocked.count >= count { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("fewer than \(count) statements wait for a lock")
    }
}
