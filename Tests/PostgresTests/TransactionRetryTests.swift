import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Transactions that fail because of other transactions or of a lost connection are repeated.
@Suite(.emptyDatabase, .timeLimit(.minutes(5))) struct TransactionRetryTests {
    let database: TestDatabase

    init() throws { database = try TestDatabase.withAccounts() }

    @Test func `retries after a deadlock`() async throws {
        try await database.withPool { pool async throws in
            let outcomes = await together([(1, 2), (2, 1)]) { order throws(PostgresError) in
                do {
                    return try await pool.transaction { transaction in
                        try await transaction.query("UPDATE account SET balance = balance - 1 WHERE id = \(order.0)")
                        try await transaction.query("SELECT pg_sleep(0.05)")
                        try await transaction.query("UPDATE account SET balance = balance + 1 WHERE id = \(order.1)")
                        return true
                    }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(outcomes == [.success(true), .success(true)])
            #expect(try await pool.read("SELECT balance FROM account").decode(Int.self) == [100, 100])
        }
    }

    @Test func `retries after a serialization failure`() async throws {
        try await database.withPool { pool async throws in
            let outcomes = await together([1, 2, 3]) { _ throws(PostgresError) in
                do {
                    return try await pool.transaction(isolation: .serializable) { transaction in
                        let sum = try await transaction.query("SELECT sum(balance) FROM account").first(Int.self) ?? 0
                        try await transaction.query("SELECT pg_sleep(0.02)")
                        try await transaction.query("UPDATE account SET balance = \(sum) WHERE id = 1")
                        return sum
                    }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(Set(outcomes) == [.success(200), .success(300), .success(400)])
        }
    }

    @Test func `retries after a temporary error even if the closure throws another error instead`() async throws {
        try await database.withPool { pool async throws in
            let attempts = Counter()
            try await pool.transaction { transaction in
                do {
                    if attempts.next() == 1 {
                        try await transaction.query(
                            "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'serialization_failure'; END $$")
                    }
                } catch {
                    throw Refused()
                }
            }
            #expect(attempts.count == 2)
        }
    }

    @Test func `retries after a temporary error in an attempt, even if the closure ignores it`() async throws {
        try await database.withPool { pool async throws in
            let attempts = Counter()
            try await pool.transaction { transaction in
                let statement: SQL =
                    attempts.next() == 1
                    ? "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'deadlock_detected'; END $$" : "SELECT 1"
                try await transaction.query("UPDATE account SET balance = balance - 1 WHERE id = 1")
                _ = try? await transaction.attempt { try await transaction.query(statement) }
            }
            #expect(attempts.count == 2)
            #expect(try await pool.read("SELECT balance FROM account WHERE id = 1").first(Int.self) == 99)
        }
    }

    @Test func `does not retry after the violation of a constraint`() async throws {
        try await database.withPool { pool async throws in
            let attempts = Counter()
            await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    _ = attempts.next()
                    try await transaction.query("INSERT INTO account VALUES (1, 1)")
                }
            }
            #expect(attempts.count == 1)
        }
    }

    @Test func `limits the number of retries`() async throws {
        try await database.withPool { pool async throws in
            let attempts = Counter()
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    _ = attempts.next()
                    try await transaction.query(
                        "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'deadlock_detected'; END $$")
                }
            }
            #expect(error?.sqlState == .deadlockDetected)
            #expect(attempts.count == 6)
        }
    }

    @Test func `retries on a new connection if the server process ends before COMMIT`() async throws {
        let name = database.name
        try await database.withPool { pool async throws in
            let attempts = Counter()
            let value = try await pool.transaction { transaction in
                try await transaction.query("UPDATE account SET balance = balance - 1 WHERE id = 1")
                if attempts.next() == 1 { try terminate(name, "UPDATE account%") }
                return try await transaction.query("SELECT balance FROM account WHERE id = 1").first(Int.self)
            }
            #expect(value == 99)
            #expect(attempts.count == 2)
        }
    }

    @Test func `reports an unanswered COMMIT as unknown`() async throws {
        try killServerAtCommit()
        try await database.withPool { pool async throws in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { try await $0.query("INSERT INTO operation VALUES (1)") }
            }
            #expect(error?.kind == .commitUnknown)
        }
    }

    @Test func `repeats an unanswered COMMIT if its operation is not stored`() async throws {
        try killServerAtCommit()
        try await database.withPool { pool async throws in
            let attempts = Counter()
            let questions = Counter()
            let value = try await pool.transaction(
                wasCommitted: { transaction in
                    // After this statement, COMMIT no longer ends the server process.
                    if questions.next() == 1 { try await transaction.query("DELETE FROM fuse") }
                    return try await transaction.query("SELECT FROM operation WHERE id = 1").count == 1
                },
                { transaction in
                    try await transaction.query("INSERT INTO operation VALUES (1)")
                    return attempts.next()
                })
            #expect(value == 2)
            #expect(questions.count == 1)
            #expect(try await pool.read("SELECT id FROM operation").decode(Int.self) == [1])
        }
    }

    /// Creates a trigger that ends the server process at the COMMIT of a transaction that writes an operation. It has
    /// an effect only while the table `fuse` has a row.
    private func killServerAtCommit() throws {
        try database.owner().run(
            script: """
                CREATE TABLE fuse (n int);
                INSERT INTO fuse VALUES (1);
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF EXISTS (SELECT FROM fuse) THEN
                        PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(10);
                    END IF;
                    RETURN NULL;
                END $$;
                CREATE CONSTRAINT TRIGGER die AFTER INSERT ON operation DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION die();
                GRANT ALL ON fuse TO \(Migrator.applicationRole);
                """)
    }
}
