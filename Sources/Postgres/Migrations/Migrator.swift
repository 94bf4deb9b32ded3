/// Applies missing migrations in order, each in one transaction.
///
/// Runs as the owner of the schema. The server runs as ``applicationRole`` or a member of it, to which the migrations
/// grant privileges.
package struct Migrator {
    /// The role to which migrations grant privileges. It must exist before the first migration.
    package static let applicationRole = "allesteurer_app"

    /// Key of the advisory lock of migrations: an arbitrary number ("allesteu" in ASCII).
    private static let lock: Int64 = 0x616C_6C65_7374_6575

    private let migrations: [Migration]
    private let connection: SynchronousConnection

    package init(_ migrations: [Migration], connection: SynchronousConnection) {
        self.migrations = migrations
        self.connection = connection
    }

    /// Applies missing migrations.
    ///
    /// - Parameter lockTimeout: how long a migration waits for a lock on a table, in milliseconds. After that, the
    ///   migration is rolled back, so that statements waiting for its locks can continue. It is attempted at most five
    ///   times.
    /// - Returns: the migrations applied.
    /// - Throws: `MigrationError`. Migrations before the failed one remain applied.
    package func migrate(lockTimeout: Int = 5000) throws(MigrationError) -> [Migration.Label] {
        try checkRole()
        var applied: [Migration.Label] = []
        for migration in migrations {
            var attempts = 5
            while true {
                do {
                    if try apply(migration, lockTimeout) { applied.append(migration.label) }
                    break
                } catch .failed(_, let error) where error.sqlState == .lockNotAvailable && attempts > 1 {
                    attempts -= 1
                } catch {
                    throw error
                }
            }
        }
        try verify()
        return applied
    }

    /// Checks that exactly these migrations are applied. The server's role may do this.
    ///
    /// - Throws: `pending`, `unknown`, `edited`, `database`.
    package func verify() throws(MigrationError) {
        let records = try translate { () throws(PostgresError) in try hasTable() ? try self.records() : [] }
        try compare(records)
        guard records.count == migrations.count else { throw .pending(count: migrations.count - records.count) }
    }

    /// Applies one migration in a transaction. Returns false if it had already been applied.
    private func apply(_ migration: Migration, _ lockTimeout: Int) throws(MigrationError) -> Bool {
        do {
            try translate { () throws(PostgresError) in
                try connection.query("BEGIN")
                // Another process that migrates waits here without a time limit, because `lock_timeout` is set later.
                try connection.query("SELECT pg_advisory_xact_lock(\(Self.lock))")
            }
            return try applyLocked(migration, lockTimeout)
        } catch {
            if !connection.isIdle { _ = try? connection.query("ROLLBACK") }
            throw error
        }
    }

    private func applyLocked(_ migration: Migration, _ lockTimeout: Int) throws(MigrationError) -> Bool {
        let records = try translate { () throws(PostgresError) in
            try connection.query(
                """
                CREATE TABLE IF NOT EXISTS schema_migration (
                    number int PRIMARY KEY, name text NOT NULL, checksum bytea NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now())
                """)
            try connection.query(SQL(uncheckedText: "GRANT SELECT ON schema_migration TO \(Self.applicationRole)"))
            return try self.records()
        }
        try compare(records)
        guard records.count < migration.number else {
            try translate { () throws(PostgresError) in try connection.query("ROLLBACK") }
            return false
        }
        do throws(PostgresError) {
            try connection.query("SELECT set_config('lock_timeout', \(String(lockTimeout)), true)")
            try connection.run(script: migration.script)
        } catch {
            throw .failed(migration.label, error)
        }
        guard connection.isInTransaction else { throw .endedTransaction(migration.label) }
        do throws(PostgresError) {
            try connection.query(
                """
                INSERT INTO schema_migration (number, name, checksum)
                VALUES (\(migration.number), \(migration.name), sha256(\(Array(migration.script.utf8))))
                """)
            try connection.query("COMMIT")
        } catch {
            throw .failed(migration.label, error)
        }
        return true
    }

    private typealias Record = (label: Migration.Label, isSame: Bool)

    private func hasTable() throws(PostgresError) -> Bool {
        let rows = try connection.query("SELECT to_regclass('schema_migration') IS NOT NULL")
        return try rows.first(Bool.self) ?? false
    }

    /// Returns the applied migrations; PostgreSQL compares the checksums.
    private func records() throws(PostgresError) -> [Record] {
        let rows = try connection.query(
            """
            SELECT applied.number, applied.name, applied.checksum = sha256(known.script)
            FROM schema_migration AS applied
            LEFT JOIN unnest(\(migrations.map(\.number)), \(migrations.map { Array($0.script.utf8) }))
                AS known (number, script) ON known.number = applied.number
            ORDER BY applied.number
            """)
        return try rows.decode((Int, String, Bool?).self).map {
            (Migration.Label(number: $0.0, name: $0.1), $0.2 ?? false)
        }
    }

    /// Checks that every applied migration equals its file.
    private func compare(_ records: [Record]) throws(MigrationError) {
        for record in records {
            guard record.label.number <= migrations.count else { throw .unknown(record.label) }
            guard record.isSame, migrations[record.label.number - 1].name == record.label.name else {
                throw .edited(record.label)
            }
        }
    }

    private func checkRole() throws(MigrationError) {
        let exists = try translate { () throws(PostgresError) in
            try connection.query("SELECT 1 FROM pg_roles WHERE rolname = \(Self.applicationRole)").count == 1
        }
        guard exists else { throw .missingRole(Self.applicationRole) }
    }

    /// Runs `body` and throws its error as `MigrationError.database`.
    @discardableResult
    private func translate<Value>(_ body: () throws(PostgresError) -> Value) throws(MigrationError) -> Value {
        do { return try body() } catch { throw .database(error) }
    }
}
