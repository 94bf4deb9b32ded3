/// Decides when a scheduled backup is due and which old backups to delete.
struct BackupSchedule: Equatable {
    /// The time between two backups in seconds.
    let interval: Int64
    /// The number of backups to keep.
    let kept: Int

    /// Whether the newest backup is old enough for the next one. A newest backup in the future means that the clock was
    /// set back; it counts as made now.
    func isDue(_ names: [String], now: Int64) -> Bool {
        guard let newest = backups(names).map(\.madeAt).max() else { return true }
        return now - min(newest, now) >= interval
    }

    /// Returns the backups to delete: all but the `kept` newest. Call it after a new backup is complete.
    func expired(_ names: [String]) -> [String] {
        backups(names).sorted { $0.madeAt > $1.madeAt }.dropFirst(kept).map(\.text)
    }

    /// Returns the names of backups. The folder can contain other files.
    private func backups(_ names: [String]) -> [BackupName] {
        names.compactMap(BackupName.init(text:)).filter { $0.household == nil }
    }
}
