import CLinux
import CProcess
import EventLoop
import Glibc
import Postgres

/// `allesteurer serve`: runs the server.
enum ServeCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        TerminationSignals.installHandlers()
        OpenFileLimit.raise()
        let config = try program.config()
        try config.checkReader()
        try config.checkSecondEngine()
        try config.checkWatchedFolder()
        WallClock.passZoneToDatabase()
        let log = Log(level: config.logLevel)
        guard confinement_forbid_inspection() == 0 else { throw SystemError("prctl") }
        if let problem = ReaderConfinement.problem { log.event(.warning, "confinement", [("problem", problem)]) }
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
        app.database.signal.stop()
        await server.stop()
        await background.stop()
        for pool in pools { await Task(executorPreference: pool.loop) { pool.close() }.value }
        for loop in loops { loop.stop() }
        return 0
    }

    /// Checks that row-level security applies to the role, and that the schema is current. Waits up to 60 seconds for a
    /// database that is starting.
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
                        description:
                            "the role of ALLESTEURER_DATABASE_URL is not allowed: \(objections.joined(separator: "; "))"
                    )
                }
                do {
                    try Migrator(try Migration.read(directory: config.migrations), connection: connection).verify()
                } catch {
                    throw ConfigError(description: "the database schema does not match this version: \(error)")
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
