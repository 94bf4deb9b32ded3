import Archive
import Crypto
import Domain
import Postgres

/// `allesteurer restore FILE`: restores an installation into an empty database, or adds a household to an existing one.
enum RestoreCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.count == 1 else { throw UsageError(description: "takes one file") }
        let path = arguments[0]
        let config = try program.config()
        do {
            let check = try ArchiveCheck.run(path, try config.requireBackupKey())
            let restoration = try Restoration(path, check, try Migration.read(directory: config.migrations))
            Console.print("Restoring \(path). If this is interrupted, nothing is stored; start it again.")
            switch check.head.scope {
            case .installation: try await restoreAll(restoration, config)
            case .household: try await restoreHousehold(restoration, config)
            }
            return 0
        } catch let error as ArchiveError {
            Console.error("allesteurer restore: \(path): \(error); nothing was restored")
            return 1
        } catch let error as Restoration.Problem {
            Console.error("allesteurer restore: \(path): \(error); nothing was restored")
            return 1
        }
    }

    private static func settings(_ config: Config) throws -> PostgresSettings {
        try PoolSettings.of(config, statementTimeout: .seconds(600))
    }

    private static func restoreAll(_ restoration: Restoration, _ config: Config) async throws {
        guard let url = config.ownerDatabaseURL else {
            throw ConfigError(description: "ALLESTEURER_OWNER_DATABASE_URL is missing: restoring creates the tables")
        }
        let owner = try SynchronousConnection(try PostgresSettings(url, of: "OWNER_DATABASE_URL"))
        try restoration.prepare(owner)
        let people = try await OneLoop.run(try settings(config)) { pool in
            try await restoration.restoreAll(pool, progress: progress(restoration))
        }
        let applied = try Migrator(restoration.migrations, connection: owner).migrate()
        for label in applied { Console.print("applied \(label)") }
        let head = restoration.check.head
        Console.print("Restored households: \(head.households.count); people: \(people.count).")
    }

    /// Prints the progress after each tenth of the archive.
    private static func progress(_ restoration: Restoration) -> (Int64) -> Void {
        let size = max(1, restoration.check.size)
        var shown: Int64 = 0
        return { offset in
            let tenths = offset * 10 / Int64(size)
            guard tenths > shown, tenths < 10 else { return }
            shown = tenths
            Console.print("\(tenths * 10) %")
        }
    }

    private static func restoreHousehold(_ restoration: Restoration, _ config: Config) async throws {
        let household = HouseholdID.new()
        if restoration.check.head.schema == restoration.migrations.count {
            return try await restoreAndPrintLinks(restoration, household, config)
        }
        let upgraded = try await UpgradedArchive.make(restoration, config)
        defer { withExtendedLifetime(upgraded) {} }
        try await restoreAndPrintLinks(upgraded.restoration, household, config)
    }

    /// Restores a household from an archive of the current schema and prints a link for each person without a password.
    private static func restoreAndPrintLinks(
        _ restoration: Restoration, _ household: HouseholdID, _ config: Config
    ) async throws {
        let links = try await OneLoop.run(try settings(config)) { pool in
            let people = try await restoration.restoreHousehold(
                pool, .byLogin, as: household, progress: progress(restoration))
            let resets = PasswordResets(database: Database(pools: [pool]))
            var lines: [String] = []
            for person in people {
                switch person.kind {
                case .known: lines.append("\(person.login): has an account here")
                case .created:
                    guard let token = try await resets.create(login: person.login) else { continue }
                    lines.append("\(person.login): sets a password at \(config.baseURL)/reset/\(token.secret)")
                case .same, .former: continue
                }
            }
            return lines
        }
        Console.print("Restored as household \(household).")
        for line in links { Console.print(line) }
    }
}
