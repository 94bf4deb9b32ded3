import EventLoop
import TestSupport
import Testing

@testable import Postgres

@Suite(.emptyDatabase, .timeLimit(.minutes(5)))
struct LostConnectionTests {
    @Test func `repeats a read whose server process was terminated`() async throws {
        let database = try TestDatabase.current
        try await database.withPool { pool async throws in
            // The read waits for this lock until its server process is terminated.
            let holder = try SynchronousConnection(database.settings)
            try holder.query("SELECT pg_advisory_lock(1)")
            pool.loop.spawn {
                while (try? terminate(database.name, "SELECT pg_advisory_lock_shared%")) == 0 {
                    await pool.loop.sleep(for: .milliseconds(1))
                }
                _ = try? holder.query("SELECT pg_advisory_unlock(1)")
            }
            let rows = try await pool.read("SELECT pg_advisory_lock_shared(1), \(7)")
            #expect(try rows[0][1] as Int == 7)
        }
    }

    @Test func `does not repeat a write, and reports the lost connection`() async throws {
        let database = try TestDatabase.current
        try await database.withPool { pool async throws in
            pool.loop.spawn {
                while (try? terminate(database.name, "SELECT pg_sleep(30)%")) == 0 {
                    await pool.loop.sleep(for: .milliseconds(1))
                }
            }
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT pg_sleep(30)") }
            #expect(error?.isUnavailable == true)
            #expect(error?.sqlState == .adminShutdown)
            #expect(try await pool.read("SELECT 1").count == 1)
        }
    }

    @Test func `replaces an idle connection that was terminated`() async throws {
        let database = try TestDatabase.current
        try await database.withPool { pool async throws in
            _ = try await pool.query("SELECT 1")
            try terminate(database.name, "%")
            while pool.isConnected { await pool.loop.sleep(for: .milliseconds(1)) }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test func `a listener receives notifications, also after reconnecting`() async throws {
        let database = try TestDatabase.current
        try await onLoop { loop async throws in
            var received: [Notification] = []
            var connections = 0
            let listener = Listener(
                loop: loop, settings: database.settings, channels: ["job", "receipt"],
                onConnected: { connections += 1 }, onNotification: { received.append($0) })
            let pool = Pool(loop: loop, settings: database.settings)
            defer {
                listener.close()
                pool.close()
            }
            while connections < 1 { await loop.sleep(for: .milliseconds(1)) }
            try await pool.query("SELECT pg_notify('job', \("one"))")
            while received.count < 1 { await loop.sleep(for: .milliseconds(1)) }
            try terminate(database.name, "LISTEN%")
            while connections < 2 { await loop.sleep(for: .milliseconds(1)) }
            try await pool.query("SELECT pg_notify('receipt', ''), pg_notify('other', 'x')")
            while received.count < 2 { await loop.sleep(for: .milliseconds(1)) }
            #expect(
                received == [
                    Notification(channel: "job", payload: "one"), Notification(channel: "receipt", payload: ""),
                ])
        }
    }
}
