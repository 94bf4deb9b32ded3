import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// An error of the closure of a transaction.
struct Refused: Error {}

@Suite(.emptyDatabase, .timeLimit(.minutes(5)))
struct TransactionTests {
    let database: TestDatabase

    init() throws { database = try TestDatabase.withAccounts() }

    @Test func `commits the writes of the closure`() async throws {
        try await database.withPool { pool async throws in
            let remainingBalance = try await pool.transaction { transaction in
                try await transaction.query("UPDATE account SET balance = balance - \(30) WHERE id = 1")
                return try await transaction.query("SELECT balance FROM account WHERE id = 1").first(Int.self)
            }
            #expect(remainingBalance == 70)
            #expect(try await pool.read("SELECT balance FROM account ORDER BY id").decode(Int.self) == [70, 100])
        }
    }

    @Test func `rolls back after an error`() async throws {
        try await database.withPool { pool async throws in
            await #expect(throws: Refused.self) {
                try await pool.transaction { transaction in
                    try await transaction.query("UPDATE account SET balance = 0")
                    throw Refused()
                }
            }
            #expect(try await pool.read("SELECT sum(balance) FROM account").first(Int.self) == 200)
            #expect(pool.connectionCount == 1)
        }
    }

    @Test func `a failed attempt is undone, and the transaction continues`() async throws {
        try await database.withPool { pool async throws in
            try await pool.transaction { transaction in
                try await transaction.query("UPDATE account SET balance = 1 WHERE id = 1")
                await #expect(throws: PostgresError.self) {
                    try await transaction.attempt {
                        try await transaction.query("UPDATE account SET balance = 7 WHERE id = 1")
                        try await transaction.query("UPDATE account SET balance = -1 WHERE id = 2")
                    }
                }
                await #expect(throws: Refused.self) {
                    try await transaction.attempt {
                        try await transaction.query("UPDATE account SET balance = 8 WHERE id = 1")
                        throw Refused()
                    }
                }
                try await transaction.attempt {
                    try await transaction.query("UPDATE account SET balance = 2 WHERE id = 2")
                }
            }
            #expect(try await pool.read("SELECT balance FROM account ORDER BY id").decode(Int.self) == [1, 2])
        }
    }

    @Test func `a failed statement fails the transaction even if the closure catches its error`() async throws {
        try await database.withPool { pool async throws in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    try await transaction.query("UPDATE account SET balance = 1 WHERE id = 1")
                    _ = try? await transaction.query("UPDATE account SET balance = -1 WHERE id = 2")
                }
            }
            #expect(error?.constraint == "account_balance_check")
            #expect(try await pool.read("SELECT sum(balance) FROM account").first(Int.self) == 200)
        }
    }

    @Test func `sets the household for every statement`() async throws {
        try await database.withPool { pool async throws in
            let household = PostgresUUID(high: 7, low: 8)
            let seenHousehold = try await pool.transaction(household: household) { transaction in
                let question: SQL = "SELECT current_setting('app.household')::uuid"
                return try await transaction.query(batch: [question, question]).map { try $0.first(PostgresUUID.self) }
            }
            #expect(seenHousehold == [household, household])
            let settingAfter = try await pool.read("SELECT current_setting('app.household', true)").decode(String?.self)
            #expect(settingAfter == [""] || settingAfter == [nil])
        }
    }

    @Test func `returns the value of a closure without statements`() async throws {
        try await database.withPool { pool async throws in
            #expect(try await pool.transaction { _ in 5 } == 5)
        }
    }

    @Test func `refuses statements after the end of the transaction`() async throws {
        try await database.withPool { pool async throws in
            let escaped = try await pool.transaction { transaction in
                try await transaction.query("SELECT 1")
                return transaction
            }
            let error = await #expect(throws: PostgresError.self) { try await escaped.query("SELECT 1") }
            #expect(error?.kind == .invalid)
        }
    }

    @Test func `a snapshot does not see later commits`() async throws {
        try await database.withPool { pool async throws in
            let sums = try await pool.transaction(isolation: .snapshot) { transaction in
                let question: SQL = "SELECT sum(balance) FROM account"
                let sumBefore = try await transaction.query(question).first(Int.self)
                try await pool.query("UPDATE account SET balance = 0")
                return [sumBefore, try await transaction.query(question).first(Int.self)]
            }
            #expect(sums == [200, 200])
        }
    }

    @Test func `runs single statements while transactions are open`() async throws {
        try await database.withPool { pool async throws in
            let answers = await together(Array(0..<12)) { number throws(PostgresError) in
                if number >= 6 { return try await pool.read("SELECT \(number)").first(Int.self) }
                do {
                    return try await pool.transaction { transaction in
                        try await transaction.query("SELECT pg_sleep(0.02)")
                        return try await transaction.query("SELECT \(number)").first(Int.self)
                    }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(answers == (0..<12).map { .success($0) })
            #expect(pool.connectionCount <= 4)
        }
    }

    @Test func `gives a transaction a connection despite a stream of single statements`() async throws {
        var settings = database.settings
        settings.maximumConnections = 2
        let narrow = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: narrow)
            defer { pool.close() }
            let (statements, finished) = (Counter(), Counter())
            let answers = await together(Array(0..<33)) { number throws(PostgresError) in
                guard number == 32 else {
                    while finished.count == 0 {
                        try await pool.read("SELECT pg_sleep(0.002)")
                        _ = statements.next()
                    }
                    return true
                }
                // Waits until all connections are busy and statements are waiting for one.
                while statements.count < 10 { await pool.loop.sleep(for: .milliseconds(1)) }
                defer { _ = finished.next() }
                do {
                    return try await pool.transaction { try await $0.query("SELECT 1").count == 1 }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(answers == answers.map { _ in .success(true) })
        }
    }

    @Test func `lets transactions wait longer for a connection than single statements`() async throws {
        var settings = database.settings
        settings.maximumConnections = 2
        settings.queueTimeout = .milliseconds(20)
        let narrow = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: narrow)
            defer { pool.close() }
            // Connecting may take longer than `queueTimeout`.
            while !pool.isConnected { await loop.sleep(for: .milliseconds(5)) }
            let answers = await together(Array(0..<6)) { number throws(PostgresError) in
                do {
                    return try await pool.transaction { try await $0.query("SELECT pg_sleep(0.05)").count == 1 }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(answers == answers.map { _ in .success(true) })
        }
    }
}

extension TestDatabase {
    /// Returns the database of the test, with two accounts of 100 and an empty table of operations.
    static func withAccounts() throws -> TestDatabase {
        let database = try TestDatabase.current
        try database.owner().run(
            script: """
                CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL CHECK (balance >= 0));
                INSERT INTO account VALUES (1, 100), (2, 100);
                CREATE TABLE operation (id int PRIMARY KEY);
                GRANT ALL ON ALL TABLES IN SCHEMA public TO \(Migrator.applicationRole);
                """)
        let server = try SynchronousConnection(TestServer.settings())
        try server.query(SQL(uncheckedText: "ALTER DATABASE \(database.name) SET deadlock_timeout = '10ms'"))
        return database
    }
}

/// Terminates the server processes whose last statement matches `pattern`. Returns their number.
@discardableResult
func terminate(_ database: String, _ pattern: String) throws -> Int {
    let server = try SynchronousConnection(TestServer.settings())
    return try server.query(
        """
        SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
        WHERE datname = \(database) AND query LIKE \(pattern)
        """
    ).count
}

/// A counter that can be captured by closures on one loop.
final class Counter: @unchecked Sendable {
    // Safe to share: each one is used on one loop only.
    private(set) var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
