import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Runs `body` for all `values` concurrently. Returns the results in the order of the values.
func together<Input: Sendable, Output: Sendable>(
    _ values: [Input], _ body: @escaping @Sendable (Input) async throws(PostgresError) -> Output
) async -> [Result<Output, PostgresError>] {
    await withTaskGroup(of: (Int, Result<Output, PostgresError>).self) { group in
        for (index, value) in values.enumerated() {
            group.addTask {
                do throws(PostgresError) {
                    return (index, .success(try await body(value)))
                } catch {
                    return (index, .failure(error))
                }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

@Suite(.emptyDatabase, .timeLimit(.minutes(5)))
struct PoolTests {
    @Test func `answers a statement`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            let rows = try await pool.read("SELECT \(41) + 1, current_user::text")
            let (number, user) = try #require(try rows.first((Int, String).self))
            #expect(number == 42)
            #expect(user == Migrator.applicationRole)
        }
    }

    @Test func `answers a thousand statements in order`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            for number in 0..<1000 {
                let answer = try await pool.read("SELECT \(number)").first(Int.self)
                #expect(answer == number)
            }
            #expect(pool.connectionCount == 1)
            let answers = await together(Array(0..<1000)) { number throws(PostgresError) in
                try await pool.read("SELECT \(number)").first(Int.self)
            }
            #expect(answers == (0..<1000).map { .success($0) })
        }
    }

    @Test func `sets the household for one statement only`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            let household = PostgresUUID(high: 1, low: 2)
            let setting: SQL = "SELECT NULLIF(current_setting('app.household', true), '')::uuid"
            #expect(try await pool.read(household: household, setting).first(PostgresUUID.self) == household)
            #expect(try await pool.read(setting).decode(PostgresUUID?.self) == [nil])
            let bothResults = try await pool.read(household: household, batch: [setting, setting])
            #expect(bothResults.count == 2)
            #expect(try bothResults[1].first(PostgresUUID.self) == household)
        }
    }

    @Test func `closes connections that are not used, except two`() async throws {
        var settings = try TestDatabase.current.settings
        settings.idleTimeout = .seconds(2)
        let narrow = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: narrow)
            defer { pool.close() }
            let answers = await together([1, 2, 3]) { number throws(PostgresError) in
                do {
                    return try await pool.transaction { transaction in
                        try await transaction.query("SELECT pg_sleep(0.2)")
                        return try await transaction.query("SELECT \(number)").first(Int.self)
                    }
                } catch {
                    throw error as? PostgresError ?? .unstorable
                }
            }
            #expect(answers == [1, 2, 3].map { .success($0) })
            #expect(pool.connectionCount > 2)
            for _ in 0..<1_200 where pool.connectionCount > 2 { await loop.sleep(for: .milliseconds(50)) }
            #expect(pool.connectionCount == 2)
            #expect(try await pool.read("SELECT 1").first(Int.self) == 1)
            #expect(pool.lastFailure == nil)
        }
    }

    @Test func `fails only the statement with the error`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            let answers = await together([1, 0, 3]) { divisor throws(PostgresError) in
                try await pool.read("SELECT 3 / \(divisor)").first(Int.self)
            }
            #expect(answers[0] == .success(3))
            #expect(answers[2] == .success(1))
            let error = #expect(throws: PostgresError.self) { try answers[1].get() }
            #expect(error?.sqlState == SQLState("22012"))
        }
    }

    @Test func `reports the position of a syntax error`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            let error = await #expect(throws: PostgresError.self) { try await pool.read("SELECT 1 +* x") }
            #expect(error?.sqlState == SQLState("42601") || error?.sqlState == SQLState("42703"))
            #expect(error?.position != nil)
            #expect(try await pool.read("SELECT 1").count == 1)
        }
    }

    @Test func `executes either all statements of a batch or none`() async throws {
        let database = try TestDatabase.current
        try database.owner().run(
            script: "CREATE TABLE t (n int PRIMARY KEY); GRANT ALL ON t TO \(Migrator.applicationRole)")
        try await database.withPool { pool async throws in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query(batch: ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"])
            }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(error?.constraint == "t_pkey")
            #expect(error?.table == "t")
            #expect(try await pool.read("SELECT * FROM t").isEmpty)
            #expect(try await pool.query("INSERT INTO t VALUES (1), (2)").affected == 2)
        }
    }

    @Test func `descriptions of errors contain no values`() async throws {
        let database = try TestDatabase.current
        try database.owner().run(
            script: "CREATE TABLE t (word text PRIMARY KEY); GRANT ALL ON t TO \(Migrator.applicationRole)")
        try await database.withPool { pool async throws in
            let secret = "sesame"
            let cast = await #expect(throws: PostgresError.self) { try await pool.read("SELECT \(secret)::int") }
            #expect(cast?.message.contains(secret) == true)
            #expect(cast?.description.contains(secret) == false)
            try await pool.query("INSERT INTO t VALUES (\(secret))")
            let duplicate = await #expect(throws: PostgresError.self) {
                try await pool.query("INSERT INTO t VALUES (\(secret))")
            }
            #expect(duplicate?.detail?.contains(secret) == true)
            #expect(duplicate?.description.contains(secret) == false)
        }
    }

    @Test func `turns violations of named constraints into errors of the domain`() async throws {
        enum Refusal: Error { case taken }
        let database = try TestDatabase.current
        try database.owner().run(
            script: "CREATE TABLE t (n int PRIMARY KEY); GRANT ALL ON t TO \(Migrator.applicationRole)")
        try await database.withPool { pool async throws in
            try await pool.query("INSERT INTO t VALUES (1)")
            await #expect(throws: Refusal.taken) {
                try await onConstraint(["t_pkey": Refusal.taken]) { try await pool.query("INSERT INTO t VALUES (1)") }
            }
        }
    }

    @Test func `cancels a statement at its deadline`() async throws {
        var settings = try TestDatabase.current.settings
        settings.statementTimeout = .milliseconds(100)
        let impatient = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: impatient)
            defer { pool.close() }
            // Connecting may take longer than `statementTimeout`.
            while !pool.isConnected { await loop.sleep(for: .milliseconds(5)) }
            let error = await #expect(throws: PostgresError.self) { try await pool.read("SELECT pg_sleep(60)") }
            #expect(error?.kind == .timedOut)
            // The pool closes the connection itself, which is not a failure.
            #expect(pool.lastFailure == nil)
            // On a busy machine, this may also take longer than `statementTimeout`.
            while (try? await pool.read("SELECT 1").count) != 1 { await loop.sleep(for: .milliseconds(5)) }
            let began = EventLoop.monotonicNow()
            let observer = try SynchronousConnection(impatient)
            let running: SQL =
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()"
            while try observer.query(running).first(Int.self) != 0 { await loop.sleep(for: .milliseconds(5)) }
            // Without the cancellation, the statement would run for a minute.
            #expect(EventLoop.monotonicNow() - began < Duration.seconds(30).nanoseconds)
        }
    }

    @Test func `cancels a statement at its deadline while an earlier one still runs`() async throws {
        var settings = try TestDatabase.current.settings
        settings.maximumConnections = 1
        let single = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: single)
            defer { pool.close() }
            #expect(try await pool.read("SELECT 1").count == 1)
            @Sendable func failure(_ statement: SQL, within duration: Duration) async -> PostgresError.Kind? {
                let answer: Exchange.Answer = await withUnsafeContinuation { continuation in
                    pool.submit(
                        Exchange(
                            statements: [statement], preamble: 0, deadline: loop.now + duration.nanoseconds,
                            continuation: continuation))
                }
                do {
                    _ = try answer.get()
                    return nil
                } catch {
                    return error.kind
                }
            }
            // PostgreSQL answers the second statement after the first.
            async let slow = failure("SELECT pg_sleep(2)", within: .seconds(60))
            async let impatient = failure("SELECT 1", within: .milliseconds(100))
            #expect(await impatient == .timedOut)
            #expect(await slow == nil)
        }
    }

    @Test func `refuses a value that PostgreSQL cannot store, without sending it`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            let error = await #expect(throws: PostgresError.self) { try await pool.read("SELECT \("a\0")") }
            #expect(error?.kind == .invalid)
        }
    }

    @Test func `runs statements and transactions without changing the thread`() async throws {
        try await TestDatabase.current.withPool { pool async throws in
            _ = try await pool.read("SELECT 1")
            let jobsBefore = pool.loop.jobCountFromOtherThreads
            _ = try await pool.read(household: PostgresUUID(high: 1, low: 2), "SELECT \(1)")
            _ = try await pool.transaction { try await $0.query("SELECT 1").count }
            #expect(pool.loop.isCurrent)
            #expect(pool.loop.jobCountFromOtherThreads == jobsBefore)
        }
    }

    @Test func `applies the wait limit of a statement while a transaction waits longer`() async throws {
        var settings = try TestDatabase.current.settings
        settings.maximumConnections = 1
        settings.queueTimeout = .milliseconds(20)
        settings.transactionQueueTimeout = .seconds(60)
        let narrow = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: narrow)
            defer { pool.close() }
            while !pool.isConnected { await loop.sleep(for: .milliseconds(5)) }
            let only = try await pool.reserve()
            async let patient = pool.transaction { try await $0.query("SELECT 1").count }
            await loop.sleep(for: .milliseconds(5))
            let error = await #expect(throws: PostgresError.self) { try await pool.read("SELECT 1") }
            #expect(error?.kind == .unavailable)
            pool.release(only)
            // The transaction, which waits longer, gets the connection although the statement has timed out.
            #expect(try await patient == 1)
        }
    }

    @Test func `fails soon if there is no server`() async throws {
        var settings = try TestDatabase.current.settings
        settings["host"] = "/nonexistent"
        settings.queueTimeout = .milliseconds(50)
        let nowhere = settings
        try await onLoop { loop async throws in
            let pool = Pool(loop: loop, settings: nowhere)
            defer { pool.close() }
            let error = await #expect(throws: PostgresError.self) { try await pool.read("SELECT 1") }
            #expect(error?.isUnavailable == true)
            let second = await #expect(throws: PostgresError.self) {
                try await pool.transaction { try await $0.query("SELECT 1") }
            }
            #expect(second?.kind == .unavailable)
        }
    }
}
