import Postgres

/// `allesteurer check-config`: checks the settings like `serve`, but without a database.
enum CheckConfigCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        let config = try program.config()
        _ = try PoolSettings.of(config)
        if let url = config.ownerDatabaseURL { _ = try PostgresSettings(url, of: "OWNER_DATABASE_URL") }
        try config.checkReader()
        try config.checkSecondEngine()
        try config.checkWatchedFolder()
        do {
            _ = try Migration.read(directory: config.migrations)
            try program.server.check(try App(config: config, database: Database(pools: []), log: Log(level: .error)))
        } catch let error as ConfigError {
            throw error
        } catch {
            throw ConfigError(description: "the settings cannot be used: \(error)")
        }
        if let problem = ReaderConfinement.problem { Console.print("Warning: \(problem).") }
        Console.print("The settings are valid. Base URL: \(config.baseURL)")
        Console.print(
            config.secondEngine.map { "Receipts are read by two engines; the second is in \($0)." }
                ?? "Receipts are read by Tesseract alone; \(Config.secondEngineVariable) is not set.")
        return 0
    }
}
