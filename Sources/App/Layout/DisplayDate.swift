import CLinux
import Domain
import Glibc
import Postgres

/// Writes instants in the server's time zone.
enum DisplayDate {
    /// `21.11.2026`.
    static func day(_ instant: PostgresInstant, _ language: Language) -> String {
        localDay(instant).formatted(language)
    }

    /// `21.11.2026, 20:14`.
    static func dayAndTime(_ instant: PostgresInstant, _ language: Language) -> String {
        let parts = broken(instant)
        return "\(localDay(instant).formatted(language)), \(padded(parts.tm_hour)):\(padded(parts.tm_min))"
    }

    /// `20:14`.
    static func clock(_ time: PostgresTime) -> String {
        let minutes = Int32(time.microsecondsSinceMidnight / 60_000_000)
        return "\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    static func localDay(_ instant: PostgresInstant) -> LocalDate {
        let parts = broken(instant)
        return LocalDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
            ?? .earliest
    }

    private static func broken(_ instant: PostgresInstant) -> tm {
        var seconds = time_t(instant.microsecondsSince1970 / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
}
