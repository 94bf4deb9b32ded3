import EventLoop
import Postgres

extension PostgresSettings {
    /// - Throws: `ConfigError` that names the setting but does not contain the URL.
    init(_ url: String, of setting: String) throws(ConfigError) {
        do {
            try self.init(url: url)
        } catch {
            throw ConfigError(
                description: "ALLESTEURER_\(setting) is not a PostgreSQL URL such as postgresql://user@host/name")
        }
    }

    /// Adds server-side timeouts for statements and idle transactions. If this process hangs or loses its network, the
    /// timeouts end open transactions and so release the household's lock. They are longer than the deadlines of
    /// `Pool`, so that `Pool` reports the error first. The timeout for statements is 90 s, or `statementTimeout` plus
    /// 30 s if this is longer.
    ///
    /// Each connection plans each statement only once, because planning the statements that confirm a receipt takes as
    /// long as executing them.
    func withSessionOptions() -> PostgresSettings {
        var settings = self
        // Poolers that share connections do not accept session options.
        guard preparesStatements else { return settings }
        let longest = max(.seconds(90), statementTimeout + .seconds(30)).components.seconds
        let options =
            "-c statement_timeout=\(longest)s -c idle_in_transaction_session_timeout=60s -c plan_cache_mode=force_generic_plan"
        // Options in the URL come last and take precedence.
        settings["options"] = [options, self["options"] ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
        return settings
    }
}

enum PoolSettings {
    /// - Parameter statementTimeout: nil for the default.
    static func of(_ config: Config, statementTimeout: Duration? = nil) throws(ConfigError) -> PostgresSettings {
        var settings = try PostgresSettings(config.databaseURL, of: "DATABASE_URL")
        if let statementTimeout { settings.statementTimeout = statementTimeout }
        settings.maximumConnections = config.connections
        return settings.withSessionOptions()
    }
}

extension Pool {
    /// Returns a pool on `loop` that logs every lost or failed connection.
    static func logged(on loop: EventLoop, _ settings: PostgresSettings, _ log: Log) async -> Pool {
        await Task(executorPreference: loop) {
            let pool = Pool(loop: loop, settings: settings)
            pool.onFailure = { log.event(.warning, "database", [("error", $0.description)]) }
            return pool
        }.value
    }
}
