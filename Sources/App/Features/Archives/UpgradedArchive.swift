import Archive
import Crypto
import Domain
import EventLoop
import Postgres

/// An archive with an older schema, converted to the current one: restored into a scratch database, migrated, and
/// archived again. Its file is deleted when this value is released.
struct UpgradedArchive: Sendable {
    let restoration: Restoration
    private let folder: UpgradeFolder

    static func make(_ old: Restoration, _ config: Config) async throws -> UpgradedArchive {
        guard config.scratchDatabaseURL != nil else { throw Restoration.Problem.older(old.check.head.schema) }
        let scratch = try config.scratchDatabase()
        let passphrase = try config.requireBackupKey()
        let folder = try UpgradeFolder(in: old.path.parentFolder)
        let path = "\(folder.path)/archive.tar"
        try await scratch.use {
            let owner = try SynchronousConnection(scratch.owner)
            try old.prepare(owner)
            try await OneLoop.run(scratch.application) { pool in _ = try await old.restoreAll(pool) }
            _ = try Migrator(old.migrations, connection: owner).migrate()
            try await OneLoop.run(scratch.application) { pool in
                guard let household = old.check.head.households.first?.id else { return }
                _ = try await BackupFile.write(
                    path, passphrase, madeAt: old.check.head.madeAt, .household(household.relabelled()), pool)
            }
        }
        let check = try ArchiveCheck.run(path, passphrase)
        return UpgradedArchive(restoration: try Restoration(path, check, old.migrations), folder: folder)
    }
}
