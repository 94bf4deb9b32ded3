/// Decides when a scheduled backup is due and which old ones to delete.
struct BackupSchedule: Equatable {
    /// The time between two backups in seconds.
    let interval: Int64
    /// The number of backups to keep.
    let kept: Int

    /// Whether the newest backup is old enough for the next one. A time in the future counts as now, because the clock
    /// was set back.
    func isDue(_ names: [String], now: Int64) -> Bool {
        guard let newest = backups(names).map(\.madeAt).max() else { return true }
        return now - min(newest, now) >= interval
    }

    /// Returns all but the newest backups. Called after a new backup is complete.
    func expired(_ names: [String]) -> [String] {
        backups(names).sorted { $0.madeAt > $1.madeAt }.dropFirst(kept).map(\.text)
    }

    /// Ignores other files in the folder.
    private func backups(_ names: [String]) -> [BackupName] {
        names.compactMap(BackupName.init(text:)).filter { $0.household == nil }
    }
}
