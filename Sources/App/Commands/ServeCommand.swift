import CLinux
import EventLoop
import Glibc
import Postgres

/// What the executable puts in: sockets for the app.
package protocol ServerStarting: Sendable {
    /// What `start` would refuse about the settings, without listening: certificate, key and addresses.
    func check(_ app: App) throws
    /// Binds the addresses of the settings and serves on the loops.
    func start(_ app: App, loops: [EventLoop]) throws -> any RunningServer
}

/// A server that can be ended.
package protocol RunningServer: Sendable {
    /// Accepts no more, answers what runs, at most ten seconds.
    func stop() async
}

/// `allesteurer serve`.
enum ServeCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        TerminationSignals.endAtOnce()
        let config = try program.config()
        try config.checkReader()
        try config.checkSecondEngine()
        WallClock.tellDatabase()
        let log = Log(level: config.logLevel)
        try await checkRole(config, log)
        let signals = try TerminationSignals()
        let loops = try (0..<config.loops).map { number in try EventLoop(name: "loop-\(number)") }
        for loop in loops { try loop.start() }
        let settings = try PoolSettings.of(config)
        var pools: [Pool] = []
        for loop in loops { pools.append(await Pool.logged(on: loop, settings, log)) }
        let app = try App(config: config, database: Database(pools: pools), log: log)
        let server = try program.server.start(app, loops: loops)
        let background = try await Background(app)
        log.event(.info, "second engine", [("folder", config.secondEngine ?? "none")])
        log.event(.info, "serving", [("address", config.baseURL.description)])
        signals.wait()
        log.event(.info, "stopping")
        await server.stop()
        await background.stop()
        for pool in pools { await Task(executorPreference: pool.loop) { pool.close() }.value }
        for loop in loops { loop.stop() }
        return 0
    }

    /// Row-level security must bind the role that serves. Waits a while for a database that is just starting.
    private static func checkRole(_ config: Config, _ log: Log) async throws {
        let settings = try PoolSettings.of(config)
        let deadline = EventLoop.monotonicNow() + Duration.seconds(60).nanoseconds
        var isWaiting = false
        while true {
            do {
                let connection = try SynchronousConnection(settings)
                let objections = try ServingRole.objections(connection)
                guard objections.isEmpty else {
                    throw ConfigError(
                        description: "ALLESTEURER_DATABASE_URL must not serve: \(objections.joined(separator: "; "))")
                }
                do {
                    try Migrator(try Migration.read(directory: config.migrations), connection: connection).verify()
                } catch {
                    throw ConfigError(description: "the database does not fit this program: \(error)")
                }
                return
            } catch let error as PostgresError {
                guard EventLoop.monotonicNow() < deadline else { throw error }
                if !isWaiting { log.event(.warning, "waiting", [("for", "database"), ("seconds", "60")]) }
                isWaiting = true
                log.event(.warning, "database", [("error", error.description)])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

extension PostgresSettings {
    /// - Throws: `ConfigError`, which names the setting and holds nothing of the URL.
    init(_ url: String, of setting: String) throws(ConfigError) {
        do {
            try self.init(url: url)
        } catch {
            throw ConfigError(
                description: "ALLESTEURER_\(setting) is no PostgreSQL URL, such as postgresql://user@host/name")
        }
    }

    /// What PostgreSQL itself ends, should this process hang or be cut off: a statement that nobody waits for any more,
    /// a transaction whose owner went silent and would hold the household's lock.
    ///
    /// Longer than our own deadlines, which tell the person.
    func withBackstops() -> PostgresSettings {
        var settings = self
        // Behind a pooler that shares connections it is the pooler's own business.
        guard preparesStatements else { return settings }
        let backstops = "-c statement_timeout=90s -c idle_in_transaction_session_timeout=60s"
        // What stands in the URL comes later, and so wins.
        settings["options"] = [backstops, self["options"] ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
        return settings
    }
}

/// The pools' connections.
enum PoolSettings {
    static func of(_ config: Config) throws(ConfigError) -> PostgresSettings {
        var settings = try PostgresSettings(config.databaseURL, of: "DATABASE_URL")
        settings.maximumConnections = config.connections
        return settings.withBackstops()
    }
}

extension Pool {
    /// A pool of `loop` that tells the log of every connection that is lost or not made.
    static func logged(on loop: EventLoop, _ settings: PostgresSettings, _ log: Log) async -> Pool {
        await Task(executorPreference: loop) {
            let pool = Pool(loop: loop, settings: settings)
            pool.onFailure = { log.event(.warning, "database", [("error", $0.description)]) }
            return pool
        }.value
    }
}
