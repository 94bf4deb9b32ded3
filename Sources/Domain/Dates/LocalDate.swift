/// A day of the Gregorian calendar, without time zone, in the years 1…9999.
package struct LocalDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int

    /// 0001-01-01.
    package static let earliest = LocalDate(unchecked: -719_162)
    /// 9999-12-31.
    package static let latest = LocalDate(unchecked: 2_932_896)
    /// 2000-01-01. Earlier purchase days are refused.
    package static let firstPurchaseDay = LocalDate(unchecked: 10_957)

    private init(unchecked dayNumber: Int) { self.dayNumber = dayNumber }

    /// The day `dayNumber` days after 1970-01-01, clamped to the years 1…9999.
    package init(dayNumber: Int) {
        self.dayNumber = min(max(dayNumber, LocalDate.earliest.dayNumber), LocalDate.latest.dayNumber)
    }

    /// Nil for a day that does not exist, such as 29.2.2025.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Month(year: year, number: month).dayCount
        else { return nil }
        self.init(unchecked: LocalDate.dayNumber(year: year, month: month, day: day))
    }

    /// 1…9999.
    package var year: Int { civil.year }
    /// 1…12.
    package var monthNumber: Int { civil.month }
    /// 1…31.
    package var day: Int { civil.day }
    package var month: Month { Month(year: civil.year, number: civil.month) }
    /// The day of the week in the proleptic Gregorian calendar.
    package var weekday: Weekday { Weekday.allCases[((dayNumber + 3) % 7 + 7) % 7] }

    package static func < (left: LocalDate, right: LocalDate) -> Bool { left.dayNumber < right.dayNumber }

    /// The day `count` days later, or earlier when negative; clamped to the years 1…9999.
    package func adding(days count: Int) -> LocalDate {
        let (sum, overflow) = dayNumber.addingReportingOverflow(count)
        return overflow ? (count < 0 ? .earliest : .latest) : LocalDate(dayNumber: sum)
    }

    /// The number of days from this one to `other`; negative when `other` is earlier.
    package func days(to other: LocalDate) -> Int { other.dayNumber - dayNumber }

    /// Whether this day can be a purchase day: 2000-01-01 … the day after `today`.
    package func isPlausiblePurchaseDay(asOf today: LocalDate) -> Bool {
        self >= .firstPurchaseDay && self <= today.adding(days: 1)
    }

    // The algorithms are from https://howardhinnant.github.io/date_algorithms.html; years begin in March.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The year, the month and the day of the month.
    var civil: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
