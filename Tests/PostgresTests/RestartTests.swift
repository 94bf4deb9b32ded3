import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Postgres

@Suite(
    .enabled(if: TestCluster.isAvailable, "PostgreSQL 15's programs are needed"), .serialized, .timeLimit(.minutes(5)))
struct RestartTests {
    @Test func `requests fail soon while the server is down, and succeed after its restart`() async throws {
        let cluster = try TestCluster()
        var settings = try cluster.settings()
        settings.queueTimeout = .milliseconds(50)
        let impatient = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: impatient)
            defer { pool.close() }
            // Connecting may take longer than `queueTimeout`.
            while !pool.isConnected { await loop.sleep(for: .milliseconds(5)) }
            try await pool.query("CREATE TABLE t (n int PRIMARY KEY)")
            for round in 1...2 {
                try await pool.transaction { try await $0.query("INSERT INTO t VALUES (\(round))") }
                try cluster.stop("immediate")
                let down = await #expect(throws: PostgresError.self) { try await pool.read("SELECT 1") }
                #expect(down?.isUnavailable == true)
                let writing = await #expect(throws: PostgresError.self) {
                    try await pool.transaction { try await $0.query("INSERT INTO t VALUES (100)") }
                }
                #expect(writing?.isUnavailable == true)
                try cluster.start()
                // The pool reconnects by itself, without a request.
                while !pool.isConnected { await loop.sleep(for: .milliseconds(5)) }
                #expect(try await pool.read("SELECT count(*) FROM t").first(Int.self) == round)
            }
        }
    }

    @Test func `repeats a read after a restart of the server`() async throws {
        let cluster = try TestCluster()
        var settings = try cluster.settings()
        settings.queueTimeout = .seconds(30)
        let patient = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: patient)
            defer { pool.close() }
            _ = try await pool.read("SELECT 1")
            try cluster.stop("fast")
            onThread {
                usleep(200_000)
                try? cluster.start()
            }
            #expect(try await pool.read("SELECT \(5)").first(Int.self) == 5)
            #expect(try await pool.transaction { try await $0.query("SELECT \(6)").first(Int.self) } == 6)
        }
    }

    /// After COMMIT has stored the row, it waits for a standby server that does not exist. The test terminates the
    /// server process during this wait.
    @Test func `does not repeat a commit that succeeded without an answer`() async throws {
        let cluster = try TestCluster(configuration: "synchronous_commit = off\nsynchronous_standby_names = 'nobody'")
        let settings = try cluster.settings()
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            try await pool.query("CREATE TABLE operation (id int)")
            let attempts = Counter()
            onThread {
                for _ in 0..<6000 {
                    usleep(10_000)
                    let killed = try? SynchronousConnection(settings).query(
                        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                    if killed?.isEmpty == false { return }
                }
            }
            let value = try await pool.transaction(
                wasCommitted: { try await $0.query("SELECT FROM operation WHERE id = 1").count == 1 },
                { transaction in
                    try await transaction.query("SELECT set_config('synchronous_commit', 'on', true)")
                    try await transaction.query("INSERT INTO operation VALUES (1)")
                    return attempts.next()
                })
            #expect(value == 1)
            #expect(attempts.count == 1)
            #expect(try await pool.read("SELECT id FROM operation").decode(Int.self) == [1])
        }
    }
}
