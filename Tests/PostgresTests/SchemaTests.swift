import TestSupport
import Testing

@testable import Postgres

/// The migrations of the project, applied by the trait that all tests use.
@Suite(.database, .timeLimit(.minutes(5)))
struct SchemaTests {
    @Test func `applies every migration, and accepts the application role`() async throws {
        let database = try TestDatabase.current
        let serving = try SynchronousConnection(database.settings)
        try Migrator(Migration.read(directory: TestSources.root + "/Migrations"), connection: serving).verify()
        #expect(try ServingRole.objections(serving) == [])
    }

    @Test func `every table of a household has row-level security`() throws {
        let unprotected = try TestDatabase.current.owner().query(
            """
            SELECT relname::text FROM pg_class
            JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'household_id' AND attnum = 1
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relrowsecurity
                AND relname <> ALL (\(ServingRole.globalTables))
            """)
        #expect(try unprotected.decode(String.self) == [])
    }

    @Test(arguments: [
        ("CREATEROLE", "the role may create roles (CREATEROLE)"),
        ("REPLICATION", "the role may replicate, so it can read everything (REPLICATION)"),
        ("BYPASSRLS", "the role bypasses row-level security"),
        ("IN ROLE", "the role is a member of a superuser"),
    ])
    func `refuses a role with unneeded privileges`(right: String, objection: String) throws {
        var superuser = try TestServer.settings()
        superuser["dbname"] = try TestDatabase.current.name
        let connection = try SynchronousConnection(superuser)
        // Roles belong to the whole cluster, which other tests use at the same time.
        let role = "privileged_\(UInt32.random(in: 0...UInt32.max))"
        let superuserRole = "\(role)_superuser"
        let isMember = right == "IN ROLE"
        if isMember { try connection.run(script: "CREATE ROLE \(superuserRole) SUPERUSER") }
        defer { try? connection.run(script: "DROP ROLE IF EXISTS \(role); DROP ROLE IF EXISTS \(superuserRole)") }
        try connection.run(script: "CREATE ROLE \(role) LOGIN \(isMember ? "IN ROLE \(superuserRole)" : right)")
        try connection.run(script: "SET SESSION AUTHORIZATION \(role)")
        let objections = try ServingRole.objections(connection)
        try connection.run(script: "RESET SESSION AUTHORIZATION")
        #expect(objections.contains(objection), "\(objections)")
    }

    @Test(arguments: ["ALTER TABLE receipt DISABLE ROW LEVEL SECURITY", "DROP POLICY tenant ON receipt"])
    func `refuses to serve a household table without an active policy`(change: String) throws {
        let database = try TestDatabase.current
        try database.owner().run(script: change)
        let objections = try ServingRole.objections(SynchronousConnection(database.settings))
        #expect(objections == ["tables without active row-level security: receipt"])
    }
}
