import Domain

/// The file name of a backup: `allesteurer-20261125T003348Z.tar` or `household-ID-20261125T003348Z.tar`.
struct BackupName: Equatable {
    /// Nil for a backup of the whole installation.
    let household: HouseholdID?
    /// Seconds since 1970, UTC.
    let madeAt: Int64

    static let suffix = ".tar"

    init(household: HouseholdID?, madeAt: Int64) {
        self.household = household
        self.madeAt = madeAt
    }

    var text: String {
        let day = LocalDate(dayNumber: Int((madeAt - Self.modulo(madeAt, 86_400)) / 86_400))
        let second = Int(Self.modulo(madeAt, 86_400))
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        let prefix = household.map { "household-\($0)" } ?? "allesteurer"
        return "\(prefix)-\(day.iso.filter { $0 != "-" })T\(time)Z\(Self.suffix)"
    }

    /// Parses a file name; returns nil unless it has one of the two forms above.
    init?(text: String) {
        guard text.hasSuffix("Z\(Self.suffix)") else { return nil }
        let stem = text.dropLast(1 + Self.suffix.utf8.count)
        guard stem.utf8.count > 15, let day = LocalDate(parsing: Self.iso(stem.suffix(15))),
            let time = Int(stem.suffix(6))
        else { return nil }
        let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
        let prefix = stem.dropLast(16)
        household = prefix.hasPrefix("household-") ? HouseholdID(prefix.dropFirst(10)) : nil
        madeAt = Int64(day.dayNumber) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        guard self.text == text else { return nil }
    }

    /// Converts `20261125T003348` to `2026-11-25`.
    private static func iso(_ stamp: Substring) -> String {
        let digits = Array(stamp.prefix(8))
        guard digits.count == 8 else { return "" }
        return "\(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6...]))"
    }

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
