import EventLoop
import Postgres

/// Work that is not part of a request, on its own loop: reading receipts, deleting expired data.
package final class Background: Sendable {
    private let loop: EventLoop
    private let workers: [ReadingWorker]
    private let pool: Pool
    private let listener: Listener
    private let archives: ArchiveWork

    /// Starts the workers.
    ///
    /// - Throws: `SystemError`, `PostgresError` for an invalid URL.
    package init(_ app: App) async throws {
        let loop = try EventLoop(name: "background")
        try loop.start()
        var settings = try PoolSettings.of(app.config)
        settings.maximumConnections = max(2, app.config.readers + 1)
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
        let listener = await Task(executorPreference: loop) { [settings] in
            Listener(
                loop: loop, settings: settings, channels: ["job"],
                onConnected: { for worker in workers { worker.wake() } },
                onNotification: { _ in for worker in workers { worker.wake() } })
        }.value
        self.loop = loop
        self.pool = pool
        self.workers = workers
        self.listener = listener
        archives = try await ArchiveWork(app)
        for worker in workers { loop.spawn { await worker.run() } }
        loop.spawn { await Self.sweep(on: loop, database, log) }
    }

    /// Sweeps 30 seconds after the start, then every hour.
    private static func sweep(on loop: EventLoop, _ database: Database, _ log: Log) async {
        await loop.sleep(for: .seconds(30))
        while true {
            do {
                try await Sweeper.run(database)
            } catch let error as PostgresError {
                log.event(.warning, "sweep", [("error", error.description)])
            } catch {
                log.event(.warning, "sweep", [("error", String(reflecting: type(of: error)))])
            }
            await loop.sleep(for: .seconds(3600))
        }
    }

    /// Stops the workers. A receipt that is being read is read again after the next start.
    package func stop() async {
        let (workers, listener, pool) = (workers, listener, pool)
        await Task(executorPreference: loop) {
            for worker in workers { await worker.stop() }
            listener.close()
            pool.close()
        }.value
        loop.stop()
        await archives.stop()
    }
}
