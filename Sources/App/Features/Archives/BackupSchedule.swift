/// Decides when a scheduled backup is due and which old backups to delete.
struct BackupSchedule: Equatable {
    /// The time between two backups in seconds.
    let interval: Int64
    /// The number of backups to keep.
    let backupsToKeep: Int

    /// Whether a new backup is due: whether the newest one is at least `interval` old. Ignores backups that are more
    /// than `interval` in the future. They were made while the clock was wrong, and would prevent new backups until
    /// that time.
    ///
    /// - Parameter now: in seconds since 1970.
    func isDue(_ names: [String], now: Int64) -> Bool {
        guard let newest = backups(names).map(\.madeAt).filter({ $0 <= now + interval }).max() else { return true }
        return now - newest >= interval
    }

    /// Returns the backups to delete: all but the newest `backupsToKeep`. Call it after a new backup is complete.
    ///
    /// - Parameter made: the new backup. It is never deleted, even if other backups have times in the future.
    func expired(_ names: [String], after made: String) -> [String] {
        backups(names).sorted { $0.madeAt > $1.madeAt }.dropFirst(backupsToKeep).map(\.text).filter { $0 != made }
    }

    /// Returns the names of backups. The folder can contain other files.
    private func backups(_ names: [String]) -> [BackupName] {
        names.compactMap(BackupName.init(text:)).filter { $0.household == nil }
    }
}
