import EventLoop
import Postgres

extension PostgresSettings {
    /// - Throws: `ConfigError` with the name of the setting, without the URL.
    init(_ url: String, of setting: String) throws(ConfigError) {
        do {
            try self.init(url: url)
        } catch {
            throw ConfigError(
                description: "ALLESTEURER_\(setting) is not a PostgreSQL URL such as postgresql://user@host/name")
        }
    }

    /// Server-side timeouts for statements and idle transactions, in case this process hangs or loses its network: an open
    /// transaction would hold the household's lock. They are longer than the deadlines of `Pool`, which report errors to the
    /// user.
    ///
    /// Each connection plans a statement once: planning a booking again takes longer than the booking.
    func withSessionOptions() -> PostgresSettings {
        var settings = self
        // A pooler that shares connections does not accept session options.
        guard preparesStatements else { return settings }
        let options =
            "-c statement_timeout=90s -c idle_in_transaction_session_timeout=60s -c plan_cache_mode=force_generic_plan"
        // Options of the URL come last and so have priority.
        settings["options"] = [options, self["options"] ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
        return settings
    }
}

enum PoolSettings {
    static func of(_ config: Config) throws(ConfigError) -> PostgresSettings {
        var settings = try PostgresSettings(config.databaseURL, of: "DATABASE_URL")
        settings.maximumConnections = config.connections
        return settings.withSessionOptions()
    }
}

extension Pool {
    /// A pool of `loop` that logs every lost or failed connection.
    static func logged(on loop: EventLoop, _ settings: PostgresSettings, _ log: Log) async -> Pool {
        await Task(executorPreference: loop) {
            let pool = Pool(loop: loop, settings: settings)
            pool.onFailure = { log.event(.warning, "database", [("error", $0.description)]) }
            return pool
        }.value
    }
}
