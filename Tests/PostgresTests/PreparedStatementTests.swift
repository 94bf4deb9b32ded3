import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Statements that connections keep prepared.
@Suite(.emptyDatabase, .timeLimit(.minutes(5))) struct PreparedStatementTests {
    @Test func `prepares a statement although an earlier one of the batch fails`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            await #expect(throws: PostgresError.self) {
                try await pool.query(batch: ["SELECT 1 / \(0)", "SELECT 'never seen', \(5)"])
            }
            #expect(try await pool.read("SELECT 'never seen', \(5)").count == 1)
        }
    }

    @Test func `answers more different statements than a connection keeps prepared`() async throws {
        var settings = try TestDatabase.current.settings
        settings.maximumStatements = 3
        settings.maximumConnections = 1
        let limited = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: limited)
            defer { pool.close() }
            for round in 0..<3 {
                for text in ["a", "b", "c", "d", "e"] {
                    let sql = SQL(uncheckedText: "SELECT '\(text)', ") + "\(round)"
                    #expect(try await pool.read(sql).first((String, Int).self)! == (text, round))
                }
            }
            let prepared = try await pool.read("SELECT count(*) FROM pg_prepared_statements").first(Int.self)
            #expect(prepared == 3)
            let many = try await pool.read(batch: (0..<9).map { SQL(uncheckedText: "SELECT 'x\($0)', ") + "\($0)" })
            #expect(try many.map { try $0.first((String, Int).self)!.1 } == Array(0..<9))
        }
    }

    @Test func `runs statements with values if prepared statements are disabled`() async throws {
        var settings = try TestDatabase.current.settings
        settings.preparesStatements = false
        let unprepared = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: unprepared)
            defer { pool.close() }
            #expect(try await pool.read("SELECT \(1), \("x")").first((Int, String).self)! == (1, "x"))
            #expect(try await pool.read("SELECT count(*) FROM pg_prepared_statements").first(Int.self) == 0)
        }
    }

    @Test func `prepares a statement again after its table was changed`() async throws {
        let database = try TestDatabase.current
        let owner = database.ownerSettings
        try database.owner().run(
            script: "CREATE TABLE t (a int); INSERT INTO t VALUES (1); GRANT ALL ON t TO \(Migrator.applicationRole)")
        try await database.withPool { pool async throws in
            #expect(try await pool.read("SELECT * FROM t")[0].rows.columnCount == 1)
            try SynchronousConnection(owner).run(script: "ALTER TABLE t ADD b int")
            #expect(try await pool.read("SELECT * FROM t")[0].rows.columnCount == 2)
            let inside = try await pool.transaction { try await $0.query("SELECT * FROM t") }
            #expect(inside.columnCount == 2)
        }
    }
}
