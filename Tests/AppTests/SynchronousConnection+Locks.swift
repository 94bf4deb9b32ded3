import Postgres
import Testing

extension SynchronousConnection {
    /// Waits until a statement of another connection to this database waits for a lock, up to two minutes.
    func waitForBlockedStatement() async throws {
        for _ in 0..<24_000 {
            let blocked = try query(
                """
                SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE NOT granted AND datname = current_database()
                """)
            if !blocked.isEmpty { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("no statement waits for a lock")
    }
}
