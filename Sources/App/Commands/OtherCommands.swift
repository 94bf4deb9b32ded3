import Crypto
import DocumentParsing
import EventLoop
import HTTP
import Postgres

/// `allesteurer migrate`.
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

/// `allesteurer setup-link`: prints nothing when somebody has set up already.
enum SetUpLinkCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty || arguments == ["--another"] else {
            throw UsageError(description: "takes --another only")
        }
        let config = try program.config()
        let isAnother = !arguments.isEmpty
        let link = try await OneLoop.run(config) { database in
            let invitations = Invitations(database: database)
            if !isAnother, try await !invitations.isUntouched() { return String?.none }
            return "\(config.baseURL)/setup/\(try await invitations.setUp().secret)"
        }
        if let link { Console.print(link) }
        return 0
    }
}

/// `allesteurer routes`.
enum RoutesCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        let app = try App(config: try program.config(), database: Database(pools: []), log: Log(level: .error))
        Console.print(table(app.routes.routes))
        return 0
    }

    /// Method, path, who may call it, handler; one route a line.
    static func table(_ routes: [Route<Endpoint>]) -> String {
        let rows = routes.map { [$0.method.name, $0.pattern, $0.handler.access, $0.handler.name] }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            (0..<3).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count + 2) }.joined() + row[3]
        }.joined(separator: "\n")
    }
}

/// `allesteurer facts`: the words and chains that the program knows, to write a file of one's own by.
enum FactsCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        Console.print(ChainFacts.builtInText.trimmed)
        return 0
    }
}

/// `allesteurer check-config`: the settings and everything that is checked at start, without a database.
enum CheckConfigCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        let config = try program.config()
        _ = try PoolSettings.of(config)
        if let url = config.ownerDatabaseURL { _ = try PostgresSettings(url, of: "OWNER_DATABASE_URL") }
        try config.checkReader()
        try config.checkSecondEngine()
        do {
            _ = try Migration.read(directory: config.migrations)
            try program.server.check(try App(config: config, database: Database(pools: []), log: Log(level: .error)))
        } catch let error as ConfigError {
            throw error
        } catch {
            throw ConfigError(description: "the settings cannot be used: \(error)")
        }
        Console.print("The settings are fine; pages are served at \(config.baseURL).")
        Console.print(
            config.secondEngine.map { "Receipts are read by two engines; the second is in \($0)." }
                ?? "Receipts are read by Tesseract alone; \(Config.secondEngineVariable) is not set.")
        return 0
    }
}

/// A loop and its connections for a command that needs the database.
enum OneLoop {
    static func run<Value: Sendable>(
        _ config: Config, _ body: @escaping @Sendable (Database) async throws -> Value
    ) async throws -> Value {
        let loop = try EventLoop(name: "command")
        try loop.start()
        defer { loop.stop() }
        let settings = try PoolSettings.of(config)
        return try await Task(executorPreference: loop) {
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            return try await body(Database(pools: [pool]))
        }.value
    }
}
