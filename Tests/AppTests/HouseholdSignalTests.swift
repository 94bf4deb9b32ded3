import Domain
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import App

/// Tasks that wait for a change of a household.
@Suite(.timeLimit(.minutes(5))) struct HouseholdSignalTests {
    private static let long = Duration.seconds(120)

    @Test(.database) func `a committed change wakes the tasks that wait for its household, and no other tasks`()
        async throws
    {
        try await AppHarness.run { harness in
            let (anna, berta) = (try await harness.signUp(), try await harness.signUp("Berta Adler"))
            let database = harness.database
            let (first, other) = (anna.household, berta.household)
            let loop = try #require(EventLoop.current)
            let waiting = (0..<3).map { _ in
                loop.spawnValue { await database.waitForChange(of: first, after: 0, atMost: Self.long) }
            }
            let otherTask = loop.spawnValue {
                await database.waitForChange(of: other, after: 1_000, atMost: Self.long)
            }
            while database.signal.waitingCount < 1 { await loop.sleep(for: .milliseconds(1)) }
            let receipt = try await Self.receipt(anna, database)
            for task in waiting { #expect(try #require(await task.value) > 0) }
            #expect(database.signal.waitingCount == 1, "the task of the other household must still wait: \(receipt)")
            otherTask.cancel()
            #expect(await otherTask.value == nil)
            #expect(database.signal.waitingCount == 0)
        }
    }

    @Test(.database) func `a wait for a change that was already committed ends at once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sequenceBefore = try await Self.sequence(anna, harness.database)
            _ = try await Self.receipt(anna, harness.database)
            let sequenceAfter = try await Self.sequence(anna, harness.database)
            #expect(sequenceAfter == sequenceBefore + 1)
            let known = await harness.database.waitForChange(
                of: anna.household, after: sequenceBefore, atMost: Self.long)
            #expect(known == sequenceAfter)
        }
    }

    @Test(.database) func `a waiting task notices a change by another server process`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sequenceBefore = try await Self.sequence(anna, harness.database)
            // Each server process has its own signal.
            let other = Database(pools: [harness.database.pool])
            _ = try await Self.receipt(anna, other)
            let known = await harness.database.waitForChange(
                of: anna.household, after: sequenceBefore, atMost: Self.long)
            #expect(known == sequenceBefore + 1)
        }
    }

    @Test(.database) func `a wait ends after its time limit, and all waits end when the server stops`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let database = harness.database
            let household = anna.household
            let loop = try #require(EventLoop.current)
            #expect(await database.waitForChange(of: household, after: 1_000, atMost: .milliseconds(5)) == nil)
            let task = loop.spawnValue { await database.waitForChange(of: household, after: 1_000, atMost: Self.long) }
            while database.signal.waitingCount < 1 { await loop.sleep(for: .milliseconds(1)) }
            database.signal.stop()
            #expect(await task.value == nil)
            #expect(await database.waitForChange(of: household, after: 1_000, atMost: Self.long) == nil)
        }
    }

    @Test(.database) func `waiting tasks hold no connection`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let database = harness.database
            let household = anna.household
            let loop = try #require(EventLoop.current)
            let count = 500
            let waiting = (0..<count).map { _ in
                loop.spawnValue { await database.waitForChange(of: household, after: 1_000, atMost: Self.long) }
            }
            while database.signal.waitingCount < count { await loop.sleep(for: .milliseconds(1)) }
            #expect(try await Self.sequence(anna, database) >= 0)
            for task in waiting { task.cancel() }
            for task in waiting { #expect(await task.value == nil) }
        }
    }

    private static func sequence(_ browser: Browser, _ database: Database) async throws -> Int64 {
        let household = browser.household
        let rows = try await database.read(household, "SELECT sync_seq FROM household WHERE id = \(household)")
        return try #require(try rows.first(Int64.self))
    }

    private static func receipt(_ browser: Browser, _ database: Database) async throws -> ReceiptID {
        let session = try await Sessions(database: database).find(browser.cookies["__Host-session"] ?? "")
        let intake = ReceiptIntake(database: database, quarantine: Quarantine(database: database))
        return try await intake.draft(by: try #require(session).member)
    }
}

extension EventLoop {
    /// Starts a task on this loop and returns it.
    fileprivate func spawnValue<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: self, operation: body)
    }
}
