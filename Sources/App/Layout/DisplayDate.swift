import Domain
import Postgres

/// Formats instants in the time zone of the household or, without one, of the server.
enum DisplayDate {
    /// A text such as `21.11.2026`.
    static func day(_ instant: PostgresInstant, _ language: Language) -> String {
        localDay(instant).formatted(language)
    }

    /// A text such as `21.11.2026, 20:14`.
    static func dayAndTime(_ instant: PostgresInstant, _ language: Language) -> String {
        let minutes = (localSeconds(instant) - localDay(instant).dayNumber * 86_400) / 60
        return "\(day(instant, language)), \(padded(Int32(minutes / 60))):\(padded(Int32(minutes % 60)))"
    }

    /// A text such as `20:14`.
    static func clock(_ time: PostgresTime) -> String {
        let minutes = Int32(time.microsecondsSinceMidnight / 60_000_000)
        return "\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    static func localDay(_ instant: PostgresInstant) -> LocalDate {
        LocalDate(dayNumber: localSeconds(instant).flooredQuotient(86_400))
    }

    /// Seconds since 1970 on the local clock.
    private static func localSeconds(_ instant: PostgresInstant) -> Int {
        let seconds = Int(instant.microsecondsSince1970).flooredQuotient(1_000_000)
        return seconds + WallClock.offset(at: seconds)
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
}
