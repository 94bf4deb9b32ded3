import Archive
import Domain
import EventLoop
import Postgres

/// Restores archives. Reads each archive to its end before it writes, so that a damaged archive changes nothing.
struct Restoration {
    let path: String
    let check: ArchiveCheck
    /// The migrations of this version of AllesTeurer.
    let migrations: [Migration]

    enum Problem: Error, CustomStringConvertible, Equatable {
        /// The database already has people or households.
        case notEmpty
        /// The database has a newer schema than the archive.
        case newerDatabase(database: Int, archive: Int)
        /// The archive has an older schema than this version: the number of its last migration.
        case older(Int)

        var description: String {
            switch self {
            case .notEmpty: "the database is not empty: restore a whole installation into a new database"
            case .newerDatabase(let database, let archive):
                "the database has schema \(database) but the archive has schema \(archive): restore into a new database"
            case .older(let schema):
                "the archive has the older schema \(schema): set ALLESTEURER_SCRATCH_DATABASE_URL to upgrade it"
            }
        }
    }

    /// - Throws: `ArchiveError.newer` if a later version created the archive.
    init(_ path: String, _ check: ArchiveCheck, _ migrations: [Migration]) throws {
        guard check.head.schema <= migrations.count else { throw ArchiveError.newer("schema \(check.head.schema)") }
        self.path = path
        self.check = check
        self.migrations = migrations
    }

    /// Creates the archive's schema in an empty database.
    ///
    /// - Throws: `Problem`, `MigrationError`.
    func prepare(_ owner: SynchronousConnection) throws {
        let schema = check.head.schema
        let hasTable = try owner.query("SELECT to_regclass('schema_migration') IS NOT NULL").first(Bool.self) ?? false
        if hasTable {
            let number = try owner.query("SELECT coalesce(max(number), 0)::bigint FROM schema_migration").first(
                Int64.self)
            if (number ?? 0) > 0 {
                let isEmpty = try owner.query(
                    "SELECT NOT EXISTS (SELECT 1 FROM person) AND NOT EXISTS (SELECT 1 FROM household)"
                ).first(Bool.self)
                guard isEmpty == true else { throw Problem.notEmpty }
            }
            guard (number ?? 0) <= Int64(schema) else {
                throw Problem.newerDatabase(database: Int(number ?? 0), archive: schema)
            }
        }
        _ = try Migrator(Array(migrations.prefix(schema)), connection: owner).migrate()
    }

    /// Restores all households with their identifiers. Call `prepare` first.
    func restoreAll(
        _ pool: Pool, progress: @escaping (Int64) -> Void = { _ in }
    ) async throws -> [RestoredPerson] {
        try await pool.transaction { transaction in
            // A concurrent restore waits here and then fails, because the database then has people. The number of the
            // lock is arbitrary; only restores use it.
            try await transaction.query("SELECT pg_advisory_xact_lock(4207849484)")
            guard try await transaction.query("SELECT 1 FROM person LIMIT 1").isEmpty else { throw Problem.notEmpty }
            return try await load(.same, transaction, progress)
        }
    }

    /// Restores a household with new identifiers into an installation that has other households. The archive must have
    /// the current schema.
    func restoreHousehold(
        _ pool: Pool, _ rule: PeopleRule, as household: HouseholdID, progress: @escaping (Int64) -> Void = { _ in },
        finally statements: [SQL] = []
    ) async throws -> [RestoredPerson] {
        guard check.head.scope == .household else {
            throw ArchiveError.invalid("it contains a whole installation, not one household")
        }
        guard check.head.schema == migrations.count else { throw Problem.older(check.head.schema) }
        return try await pool.transaction { transaction in
            let people = try await load(.new(household, rule), transaction, progress)
            if !statements.isEmpty { try await transaction.query(batch: statements) }
            return people
        }
    }

    private func load(
        _ mode: ArchiveImport.Mode, _ transaction: Transaction, _ progress: @escaping (Int64) -> Void = { _ in }
    ) async throws -> [RestoredPerson] {
        let loading = ArchiveImport(check.head, mode, transaction)
        loading.progress = progress
        try await loading.run(try check.reader(path))
        return loading.people
    }
}
