import EventLoop
import Postgres

/// Runs the database work of a command. Uses one event loop and one connection pool.
enum OneLoop {
    static func run<Value: Sendable>(
        _ config: Config, _ body: @escaping @Sendable (Database) async throws -> Value
    ) async throws -> Value {
        try await run(try PoolSettings.of(config)) { pool in try await body(Database(pools: [pool])) }
    }

    static func run<Value: Sendable>(
        _ settings: PostgresSettings, _ body: @escaping @Sendable (Pool) async throws -> Value
    ) async throws -> Value {
        let loop = try EventLoop(name: "command")
        try loop.start()
        defer { loop.stop() }
        return try await Task(executorPreference: loop) {
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            return try await body(pool)
        }.value
    }
}
