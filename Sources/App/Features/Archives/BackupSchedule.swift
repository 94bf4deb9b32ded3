/// Decides when a scheduled backup is due and which old backups to delete.
struct BackupSchedule: Equatable {
    /// The time between two backups in seconds.
    let interval: Int64
    /// The number of backups to keep.
    let kept: Int

    /// Whether the newest backup is old enough for the next one. A backup that is more than the interval in the future
    /// was made while the clock was wrong. It does not count, because no backup would be made until that time.
    func isDue(_ names: [String], now: Int64) -> Bool {
        guard let newest = backups(names).map(\.madeAt).filter({ $0 <= now + interval }).max() else { return true }
        return now - newest >= interval
    }

    /// Returns the backups to delete: all but the `kept` newest. Call it after a new backup is complete.
    ///
    /// - Parameter made: the new backup, which is kept even if the times of others are in the future.
    func expired(_ names: [String], after made: String) -> [String] {
        backups(names).sorted { $0.madeAt > $1.madeAt }.dropFirst(kept).map(\.text).filter { $0 != made }
    }

    /// Returns the names of backups. The folder can contain other files.
    private func backups(_ names: [String]) -> [BackupName] {
        names.compactMap(BackupName.init(text:)).filter { $0.household == nil }
    }
}
