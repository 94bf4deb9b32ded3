import Postgres

/// `allesteurer migrate`: migrates the database schema.
enum MigrateCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        let config = try program.config()
        guard let url = config.ownerDatabaseURL else {
            throw ConfigError(description: "ALLESTEURER_OWNER_DATABASE_URL is missing: migrations run as the owner")
        }
        let connection = try SynchronousConnection(try PostgresSettings(url, of: "OWNER_DATABASE_URL"))
        let applied = try Migrator(try Migration.read(directory: config.migrations), connection: connection).migrate()
        for label in applied { Console.print("applied \(label)") }
        return 0
    }
}
