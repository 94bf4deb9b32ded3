import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// The project's own migrations, through the trait that every other test uses.
@Suite(.database)
struct SchemaTests {
    @Test func everyMigrationIsAppliedAndTheServingRoleMayServe() async throws {
        let database = try TestDatabase.current
        let serving = try SynchronousConnection(database.settings)
        try Migrator(Migration.read(directory: TestSources.root + "/Migrations"), connection: serving).verify()
        #expect(try ServingRole.objections(serving) == [])
    }

    @Test func everyTableOfAHouseholdHasRowLevelSecurity() throws {
        let open = try TestDatabase.current.owner().query(
            """
            SELECT relname::text FROM pg_class
            JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'household_id' AND attnum = 1
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relrowsecurity
                AND relname <> ALL (\(Self.readBeforeTheHouseholdIsKnown))
            """)
        #expect(try open.decode(String.self) == [])
    }

    /// Global tables that contain a household but are read by a token or a worker; see their migrations for the
    /// reasons.
    private static let readBeforeTheHouseholdIsKnown = ["membership", "job"]

    @Test func eachLoopFindsItsPool() async throws {
        let settings = try TestDatabase.current.settings
        try await onLoop { first async throws in
            try await onLoop { second async throws in
                let database = Database(loops: [first, second], settings: settings)
                #expect(database.pool.loop === second)
                #expect(try await database.pool.read("SELECT 1").count == 1)
                first.execute { database.pool.close() }
                database.pool.close()
            }
        }
    }
}
