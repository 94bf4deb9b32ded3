import CLinux
import Domain
import Glibc

/// The current time, and dates and times in the household's time zone. If the household has none, the server's time
/// zone is used.
enum WallClock {
    /// The time zone of the current request's household; nil for the time zone of the server (`TZ`, otherwise the zone
    /// of the system).
    @TaskLocal static var zone: TimeZone?

    static func today() -> LocalDate {
        let seconds = time(nil)
        return LocalDate(dayNumber: (seconds + offset(at: seconds)).flooredQuotient(86_400))
    }

    /// The offset from UTC in seconds, positive to the east.
    ///
    /// - Parameter seconds: since 1970 UTC.
    static func offset(at seconds: Int) -> Int {
        if let zone { return zone.offsets.offset(at: seconds) }
        var seconds = time_t(seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }

    /// Makes database sessions use the zone in `TZ`, so that server and database agree on dates. Without `TZ` the
    /// database uses its own zone; an existing `PGTZ` takes precedence. Must be called before the first connection and
    /// before threads start, because libpq reads `PGTZ` from the environment.
    static func passZoneToDatabase() {
        guard let value = getenv("TZ"), let name = databaseZone(String(cString: value)) else { return }
        setenv("PGTZ", name, 0)
    }

    /// Returns the zone's name if tzdata, and therefore the database, knows it. PostgreSQL refuses connections with
    /// unknown zones.
    static func databaseZone(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), !name.hasPrefix("/"), !name.contains(".."),
            FileContent.isFile("/usr/share/zoneinfo/\(name)")
        else { return nil }
        return name
    }

    /// Microseconds since 1970-01-01 UTC.
    static func microseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    /// Text such as `2026-11-21T10:47:00.123Z`, for logs and JSON.
    static func iso(_ microseconds: Int64) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let day = "\(Int(parts.tm_year) + 1900)-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
        return "\(day)T\(time).\(padded(Int(microseconds / 1000 % 1000), 3))Z"
    }
}
