import Domain

/// An instant of a fiscal code, `2019-11-22T11:29:48.000Z`, to the second.
struct UTCInstant: Equatable {
    let date: LocalDate
    let time: LocalTime
}

extension UTCInstant {
    init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 40, let date = LocalDate(parsing: parts[0]),
            let time = LocalTime(parsing: parts[1].prefix(8))
        else { return nil }
        self.init(date: date, time: time)
    }

    /// Local time of Berlin and Vienna: UTC+1, UTC+2 between the last Sundays of March and October, 01:00 UTC.
    var berlin: (date: LocalDate, time: LocalTime) {
        let summerStart = UTCInstant.lastSunday(date.year, 3)
        let summerEnd = UTCInstant.lastSunday(date.year, 10)
        let isAfterOne = time.secondOfDay >= 3_600
        let isSummer =
            (date > summerStart || (date == summerStart && isAfterOne))
            && (date < summerEnd || (date == summerEnd && !isAfterOne))
        let second = time.secondOfDay + (isSummer ? 7_200 : 3_600)
        let day = date.adding(days: second / 86_400)
        let rest = second % 86_400
        return (day, LocalTime(hour: rest / 3_600, minute: rest / 60 % 60, second: rest % 60) ?? time)
    }

    /// The last Sunday of a month with 31 days.
    private static func lastSunday(_ year: Int, _ month: Int) -> LocalDate {
        let last = LocalDate(year: year, month: month, day: 31) ?? .earliest
        return last.adding(days: -((last.weekday.rawValue + 1) % 7))
    }
}
