import EventLoop
import Glibc
import Postgres
import Testing

/// A database for one test, with the schema of `Migrations/`. It is dropped afterwards.
package struct TestDatabase: Sendable {
    package let name: String
    /// Settings for the application role, to which row-level security applies.
    package let settings: PostgresSettings
    /// Settings for the role that owns the schema, for preparing and checking data without the application.
    package let ownerSettings: PostgresSettings

    @TaskLocal static var bound: TestDatabase?

    /// The database of the running test.
    ///
    /// - Throws: `MissingTrait` if the test lacks the trait `.database`.
    package static var current: TestDatabase {
        get throws {
            guard let bound else { throw MissingTrait() }
            return bound
        }
    }

    struct MissingTrait: Error, CustomStringConvertible {
        let description = "the test lacks the trait .database"
    }

    /// A blocking connection as the owner role.
    package func owner() throws -> SynchronousConnection { try SynchronousConnection(ownerSettings) }

    /// Runs `body` on a new event loop, with a pool as the application role.
    package func withPool<Value: Sendable>(
        _ body: @escaping @Sendable (Pool) async throws -> Value
    ) async throws -> Value {
        let settings = settings
        return try await onLoop { loop in
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            return try await body(pool)
        }
    }

    static func create(migrations: String?) throws -> TestDatabase {
        let template = try TestServer.template(migrations: migrations)
        let name = "test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        let connection = try SynchronousConnection(TestServer.settings())
        try TestServer.runWithoutConnections(
            "CREATE DATABASE \(name) OWNER \(TestServer.ownerRole) TEMPLATE \(template)", connection)
        return TestDatabase(
            name: name,
            settings: try TestServer.settings(user: Migrator.applicationRole, database: name),
            ownerSettings: try TestServer.settings(user: TestServer.ownerRole, database: name))
    }

    func drop() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        try TestServer.runWithoutConnections("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", connection)
    }
}

/// Gives each test its own database, `TestDatabase.current`.
package struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    let migrations: String?

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Without a test case, the call is for a whole suite or test. Only the test cases get databases.
        guard testCase != nil else { return try await function() }
        // A test within a suite with another database trait already has a slot.
        guard TestDatabase.bound == nil else { return try await performInDatabase(function) }
        await DatabaseSlots.shared.acquire()
        do {
            try await waitIfMidnightIsNear()
            try await performInDatabase(function)
        } catch {
            await DatabaseSlots.shared.release()
            throw error
        }
        await DatabaseSlots.shared.release()
    }

    /// Waits for the next day if the day ends within a minute. Tests compare the product's dates with their own, and the
    /// date must not change while they run.
    private func waitIfMidnightIsNear() async throws {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        let seconds = 86_400 - Int(parts.tm_hour) * 3_600 - Int(parts.tm_min) * 60 - Int(parts.tm_sec)
        if seconds <= 60 { try await Task.sleep(for: .seconds(seconds + 1)) }
    }

    private func performInDatabase(_ function: @concurrent @Sendable () async throws -> Void) async throws {
        let database = try TestDatabase.create(migrations: migrations)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await TestDatabase.$bound.withValue(database) { try await function() })
        } catch {
            result = .failure(error)
        }
        try database.drop()
        try result.get()
    }
}

/// Limits the number of tests that use a database at the same time. If hundreds of them competed for the processors,
/// tests would exceed their time limits.
private actor DatabaseSlots {
    static let shared = DatabaseSlots()

    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func acquire() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Passes the slot to the test that has waited longest.
    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == DatabaseTrait {
    /// Gives the test a database with the schema of `Migrations/`.
    package static var database: DatabaseTrait {
        DatabaseTrait(migrations: TestSources.root + "/Migrations")
    }

    /// Gives the test a database without tables.
    package static var emptyDatabase: DatabaseTrait { DatabaseTrait(migrations: nil) }
}

/// The folder of the package, for tests that read its files.
package enum TestSources {
    /// The path without a slash at the end.
    package static let root: String = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")
}
