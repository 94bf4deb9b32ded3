import EventLoop
import HTTPClient
import Postgres

/// Work outside requests, on separate loops: reading receipts, calling webhooks, writing archives, importing files and
/// mail, deleting expired data.
package final class Background: Sendable {
    private let loop: EventLoop
    private let workers: [ReadingWorker]
    private let pool: Pool
    private let listener: Listener
    private let webhooks: [WebhookWorker]
    private let archives: ArchiveWork
    private let intake: IntakeWork

    /// The maximum number of webhook messages that are sent at the same time.
    private static let senders = 2

    /// Starts the workers.
    ///
    /// - Throws: `SystemError`; `ConfigError` for an invalid database URL; `ClientError` for unreadable certificates.
    package init(_ app: App) async throws {
        let loop = try EventLoop(name: "background")
        try loop.start()
        var settings = try PoolSettings.of(app.config)
        settings.maximumConnections = max(2, app.config.readers + 1) + Self.senders
        settings.statementTimeout = .seconds(60)
        let (config, log) = (app.config, app.log)
        let pool = await Pool.logged(on: loop, settings, log)
        let database = Database(
            pools: [pool], diskSpace: app.database.diskSpace, signal: app.database.signal)
        let workers = try (0..<config.readers).map { _ in
            try ReadingWorker(
                on: loop, database: database, readerPath: config.reader, secondEngine: config.secondEngine,
                facts: config.facts, log: log)
        }
        let client = HTTPClient(
            on: loop, tls: try ClientTLS(authorities: config.authorityFile),
            allowsPrivateNetworks: config.allowsPrivateWebhooks)
        let webhooks = (0..<Self.senders).map { _ in
            WebhookWorker(on: loop, database: database, client: client, log: log)
        }
        let wakeAll: @Sendable () -> Void = {
            for worker in workers { worker.wake() }
            for worker in webhooks { worker.wake() }
        }
        let listener = await Task(executorPreference: loop) { [settings] in
            Listener(
                loop: loop, settings: settings, channels: ["job"],
                onConnected: { wakeAll() }, onNotification: { _ in wakeAll() })
        }.value
        self.loop = loop
        self.pool = pool
        self.workers = workers
        self.webhooks = webhooks
        self.listener = listener
        archives = try await ArchiveWork(app)
        intake = try await IntakeWork(app)
        for worker in workers { loop.spawn { await worker.run() } }
        for worker in webhooks { loop.spawn { await worker.run() } }
        loop.spawn { await Self.sweep(on: loop, database, config.backupFolder, log) }
    }

    /// Deletes expired data 30 seconds after the start, then every hour.
    private static func sweep(
        on loop: EventLoop, _ database: Database, _ archivesRoot: String?, _ log: Log
    ) async {
        await loop.sleep(for: .seconds(30))
        while true {
            do {
                try await Sweeper.run(database, archivesRoot: archivesRoot)
            } catch {
                log.event(.warning, "sweep", [("error", Log.text(of: error))])
            }
            await loop.sleep(for: .seconds(3600))
        }
    }

    /// Stops the workers. Receipts that are being read are read again after the next start.
    package func stop() async {
        let (workers, webhooks, listener, pool) = (workers, webhooks, listener, pool)
        await Task(executorPreference: loop) {
            for worker in webhooks { worker.stop() }
            for worker in workers { await worker.stop() }
            listener.close()
            pool.close()
        }.value
        loop.stop()
        await archives.stop()
        await intake.stop()
    }
}
