import Archive
import Crypto
import EventLoop
import Glibc
import Postgres

/// Writes backups of the installation to a folder at intervals, and deletes old ones.
struct ScheduledBackups {
    let folder: String
    let schedule: BackupSchedule
    let passphrase: Password
    let pool: Pool
    let log: Log
    /// The pause after the last failure, and its end, both in seconds; nil after a success.
    private var failure: (pause: Int64, until: Int64)?

    private static let firstPause: Int64 = 60
    private static let maximumPause: Int64 = 3_600

    /// Returns nil if no folder, passphrase or interval is configured.
    init?(_ config: Config, _ pool: Pool, _ log: Log) {
        guard let folder = config.backupFolder, let passphrase = config.backupKey, config.backupHours > 0 else {
            return nil
        }
        self.folder = folder
        schedule = BackupSchedule(interval: Int64(config.backupHours) * 3600, backupsToKeep: config.backupsKept)
        self.passphrase = passphrase
        self.pool = pool
        self.log = log
    }

    /// Writes a backup if one is due. Logs failures. The next attempt waits a minute after a failure, and up to an hour
    /// after repeated failures, because each attempt reads the whole database and can fill the disk.
    mutating func run(now: Int64 = Int64(time(nil))) async {
        // The pause also ends if the clock was set back.
        if let failure, now < failure.until, now >= failure.until - failure.pause { return }
        do {
            try await writeIfDue(now)
            failure = nil
        } catch let error as BackupFile.AlreadyExists {
            // Another server is writing the backup.
            log.event(.debug, "backup", [("skipped", error.description)])
        } catch {
            let pause = min(failure.map { $0.pause * 2 } ?? Self.firstPause, Self.maximumPause)
            failure = (pause, now + pause)
            let text = (error as? PostgresError)?.description ?? "\(error)"
            log.event(.error, "backup", [("error", text), ("seconds", "\(pause)")])
        }
    }

    private func writeIfDue(_ now: Int64) async throws {
        let names = try FolderListing.names(folder)
        try removePartialFiles(names)
        guard schedule.isDue(names, now: now) else { return }
        let newBackup = BackupName(household: nil, madeAt: now).text
        let path = "\(folder)/\(newBackup)"
        let digest = try await BackupFile.write(
            path, passphrase, madeAt: now, .installation, pool, leavingFree: ArchiveUpload.reserve
        ).digest
        log.event(.info, "backup", [("file", path), ("sha256", Hexadecimal.encode(digest))])
        for name in schedule.expired(try FolderListing.names(folder), after: newBackup) { unlink("\(folder)/\(name)") }
    }

    /// Logs and deletes the partial files of interrupted backups.
    private func removePartialFiles(_ names: [String]) throws {
        for name in names where name.hasSuffix(BackupFile.suffix) {
            guard BackupName(text: String(name.dropLast(BackupFile.suffix.utf8.count))) != nil,
                BackupFile.removePartialFile("\(folder)/\(name)")
            else { continue }
            log.event(.warning, "backup", [("incomplete", name)])
        }
    }
}
