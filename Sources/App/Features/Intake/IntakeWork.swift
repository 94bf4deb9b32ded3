import EventLoop
import Glibc
import HTTPClient
import Mail
import Postgres

/// Imports files from the watched folder and the mailbox, on a separate loop that may block on files.
final class IntakeWork: Sendable {
    private let loop: EventLoop
    private let pool: Pool

    private static let folderPause = Duration.seconds(5)

    /// Starts the imports from the watched folder and from the mailbox, if they are configured.
    ///
    /// - Throws: `SystemError`, `ConfigError`, `ClientError`.
    init(_ app: App) async throws {
        let loop = try EventLoop(name: "intake")
        try loop.start()
        var settings = try PoolSettings.of(app.config)
        settings.maximumConnections = 2
        let pool = await Pool.logged(on: loop, settings, app.log)
        self.loop = loop
        self.pool = pool
        let database = Database(pools: [pool], diskSpace: app.database.diskSpace, signal: app.database.signal)
        let (config, log, texts) = (app.config, app.log, app.texts)
        if let root = config.watchedFolder {
            loop.spawn {
                var folder = WatchedFolder(root: root, database: database, texts: texts, log: log)
                while true {
                    await loop.sleep(for: Self.folderPause)
                    do {
                        try await folder.round()
                    } catch {
                        log.event(.warning, "watched folder", [("error", Log.text(of: error))])
                    }
                }
            }
        }
        if let mailbox = config.mailbox, let password = config.mailboxPassword {
            let tls = try ClientTLS(authorities: config.authorityFile)
            loop.spawn {
                let connections = OutgoingConnections(on: loop, tls: tls, allowsPrivateNetworks: true)
                var mail = MailIntake(mailbox, password: password, connections, database, log)
                var pause = MailPause()
                while true {
                    var failure: (any Error)?
                    do {
                        try await mail.round()
                    } catch {
                        failure = error
                        log.event(.warning, "mail", [("error", Log.text(of: error))])
                    }
                    await loop.sleep(for: pause.next(after: failure))
                }
            }
        }
    }

    /// Stops the imports. An interrupted import of a file is repeated after the next start.
    func stop() async {
        await Task(executorPreference: loop) { [pool] in pool.close() }.value
        loop.stop()
    }
}
