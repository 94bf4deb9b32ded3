import EventLoop
import Postgres

/// Creates and restores archives, and writes scheduled backups, on a separate loop that may block on files.
final class ArchiveWork: Sendable {
    private let loop: EventLoop
    private let pool: Pool

    /// Starts the background work.
    ///
    /// - Throws: `SystemError`, `ConfigError`, `MigrationError`.
    init(_ app: App) async throws {
        let loop = try EventLoop(name: "archives")
        try loop.start()
        var settings = try PoolSettings.of(app.config)
        settings.maximumConnections = 2
        settings.statementTimeout = .seconds(80)
        let pool = await Pool.logged(on: loop, settings, app.log)
        self.loop = loop
        self.pool = pool
        guard let folder = app.config.backupFolder else { return }
        let config = app.config
        let migrations = try Migration.read(directory: app.config.migrations)
        let log = app.log
        loop.spawn {
            var scheduled = ScheduledBackups(config, pool, log)
            var round = 0
            while true {
                for archives in HouseholdArchives.all(root: folder) {
                    await ArchiveJobRun(archives: archives, migrations: migrations, pool: pool, log: log).run()
                }
                // Check every 20 rounds whether a backup is due. Do not check in the first round, so that the backup
                // does not slow down the first requests.
                round += 1
                if round % 20 == 0 { await scheduled?.run() }
                await loop.sleep(for: .seconds(1))
            }
        }
    }

    /// Aborts a running job or backup. Its partial file is deleted after the next start.
    func stop() async {
        await Task(executorPreference: loop) { [pool] in pool.close() }.value
        loop.stop()
    }
}
