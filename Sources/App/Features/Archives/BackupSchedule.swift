/// When a scheduled backup is due, and which of the old ones are deleted.
struct BackupSchedule: Equatable {
    /// Seconds between two backups.
    let interval: Int64
    /// Number of backups that are kept.
    let kept: Int

    /// Whether the newest backup in the folder is too old. A time in the future counts as now: the clock was set back.
    func isDue(_ names: [String], now: Int64) -> Bool {
        guard let newest = backups(names).map(\.madeAt).max() else { return true }
        return now - min(newest, now) >= interval
    }

    /// All but the newest ones. Called after a new backup is complete.
    func expired(_ names: [String]) -> [String] {
        backups(names).sorted { $0.madeAt > $1.madeAt }.dropFirst(kept).map(\.text)
    }

    /// Other files in the folder do not count.
    private func backups(_ names: [String]) -> [BackupName] {
        names.compactMap(BackupName.init(text:)).filter { $0.household == nil }
    }
}
