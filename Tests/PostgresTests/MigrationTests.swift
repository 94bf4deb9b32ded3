import Glibc
import TestSupport
import Testing

@testable import Postgres

@Suite(.emptyDatabase, .timeLimit(.minutes(5)))
struct MigrationTests {
    private let database: TestDatabase
    private let first = Migration(number: 1, name: "first", script: "CREATE TABLE a (n int); CREATE TABLE b (n int);")
    private let second = Migration(
        number: 2, name: "second", script: "ALTER TABLE a ADD m int; GRANT SELECT ON a TO allesteurer_app;")

    init() throws { database = try TestDatabase.current }

    private func migrate(_ migrations: Migration..., lockTimeout: Int = 5000) throws -> [Int] {
        try Migrator(migrations, connection: database.owner()).migrate(lockTimeout: lockTimeout).map(\.number)
    }

    @Test func `applies each migration once`() throws {
        #expect(try migrate(first) == [1])
        #expect(try migrate(first, second) == [2])
        #expect(try migrate(first, second) == [])
        #expect(try database.owner().query("SELECT m FROM a").isEmpty)
    }

    @Test func `refuses a migration that was edited after it was applied`() throws {
        _ = try migrate(first)
        let edited = Migration(number: 1, name: "first", script: first.script + " ")
        #expect(throws: MigrationError.edited(first.label)) { try migrate(edited, second) }
        let renamed = Migration(number: 1, name: "primo", script: first.script)
        #expect(throws: MigrationError.edited(first.label)) { try migrate(renamed) }
    }

    @Test func `refuses a database of a newer version`() throws {
        _ = try migrate(first, second)
        #expect(throws: MigrationError.unknown(second.label)) { try migrate(first) }
    }

    @Test func `rolls a failed migration back`() throws {
        let brokenMigration = Migration(number: 2, name: "broken", script: "CREATE TABLE c (n int);\nSELECT 1 / 0;")
        let error = try #require(throws: MigrationError.self) { try migrate(first, brokenMigration) }
        guard case .failed(let label, let cause) = error else {
            Issue.record(error)
            return
        }
        #expect(label.description == "0002_broken")
        #expect(cause.sqlState == SQLState("22012"))
        let owner = try database.owner()
        #expect(try owner.query("SELECT to_regclass('c') IS NULL").first(Bool.self) == true)
        #expect(try migrate(first, second) == [2])
    }

    @Test func `refuses a migration that commits`() throws {
        let committing = Migration(number: 1, name: "committing", script: "CREATE TABLE a (n int); COMMIT;")
        #expect(throws: MigrationError.endedTransaction(committing.label)) { try migrate(committing) }
    }

    @Test func `fails after the lock timeout if a table is locked`() throws {
        _ = try migrate(first)
        let user = try database.owner()
        try user.query("BEGIN")
        try user.query("SELECT * FROM a")
        let error = try #require(throws: MigrationError.self) { try migrate(first, second, lockTimeout: 10) }
        guard case .failed(_, let cause) = error else {
            Issue.record(error)
            return
        }
        #expect(cause.sqlState == .lockNotAvailable)
        try user.query("COMMIT")
        #expect(try migrate(first, second) == [2])
    }

    @Test func `several migrators at the same time apply each migration once`() async throws {
        let (first, second, database) = (first, second, database)
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try Migrator([first, second], connection: database.owner()).migrate().map(\.number)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == [1, 2])
    }

    @Test func `the application role can check that the schema is current`() throws {
        let serving = try SynchronousConnection(database.settings)
        #expect(throws: MigrationError.pending(count: 2)) {
            try Migrator([first, second], connection: serving).verify()
        }
        _ = try migrate(first)
        #expect(throws: MigrationError.pending(count: 1)) {
            try Migrator([first, second], connection: serving).verify()
        }
        _ = try migrate(first, second)
        try Migrator([first, second], connection: serving).verify()
        #expect(throws: MigrationError.unknown(second.label)) { try Migrator([first], connection: serving).verify() }
    }

    @Test func `refuses the owner and a superuser as the role of the server`() throws {
        _ = try migrate(first)
        #expect(try ServingRole.objections(SynchronousConnection(database.settings)) == [])
        #expect(try ServingRole.objections(database.owner()).count == 1)
        var superuser = try TestServer.settings()
        superuser["dbname"] = database.name
        #expect(try ServingRole.objections(SynchronousConnection(superuser)).contains("the role is a superuser"))
    }

    @Test(arguments: [
        (["0001_a.sql", "0002_b.sql"], nil),
        (["0001_a.sql", "README.md"], MigrationError.badName("README.md")),
        (["1_a.sql"], .badName("1_a.sql")),
        (["0001_.sql"], .badName("0001_.sql")),
        (["0001_a.sql", "0001_b.sql"], .badNumber("0001_b.sql", expected: 2)),
        (["0001_a.sql", "0003_c.sql"], .badNumber("0003_c.sql", expected: 2)),
        (["0002_b.sql"], .badNumber("0002_b.sql", expected: 1)),
    ])
    func `refuses migration files with invalid names or gaps in their numbers`(
        names: [String], expected: MigrationError?
    ) throws {
        var template = Array("/tmp/migrations-XXXXXX".utf8CString)
        let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        for name in names { close(open("\(directory)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        defer {
            for name in names { unlink("\(directory)/\(name)") }
            rmdir(directory)
        }
        let result = Result { () throws(MigrationError) in try Migration.read(directory: directory).map(\.number) }
        #expect(result == expected.map { .failure($0) } ?? .success(Array(1...names.count)))
    }
}
