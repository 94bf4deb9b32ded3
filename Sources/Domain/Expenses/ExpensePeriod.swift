/// A range of days for which spending is shown, and the earlier ranges for comparison.
package enum ExpensePeriod: String, Sendable, CaseIterable {
    /// The week, which begins on Monday.
    case week
    case month
    /// The last 30 days, including today.
    case days30 = "30"
    case days90 = "90"
    case year

    /// The days of the period up to today.
    ///
    /// - Parameter shown: for `month`, the month to use instead of the current one.
    package func days(today: LocalDate, month shown: Month? = nil) -> Range<LocalDate> {
        let end = today.adding(days: 1)
        switch self {
        case .week: return today.adding(days: -today.weekday.rawValue)..<end
        case .month:
            let month = shown ?? today.month
            return month.firstDay..<min(month.next.firstDay, max(end, month.firstDay))
        case .days30: return end.adding(days: -30)..<end
        case .days90: return end.adding(days: -90)..<end
        case .year: return Month(year: today.year, number: 1).firstDay..<end
        }
    }

    /// The corresponding days of the previous period: for a current month or year, the days up to the same date.
    package func before(_ days: Range<LocalDate>) -> Range<LocalDate> {
        switch self {
        case .week: return days.lowerBound.adding(days: -7)..<days.upperBound.adding(days: -7)
        case .month: return Self.shifted(days, months: -1)
        case .days30, .days90:
            let count = days.lowerBound.days(to: days.upperBound)
            return days.lowerBound.adding(days: -count)..<days.lowerBound
        case .year: return Self.shifted(days, months: -12)
        }
    }

    /// The same days of the previous year.
    package func yearBefore(_ days: Range<LocalDate>) -> Range<LocalDate> { Self.shifted(days, months: -12) }

    /// The same days `months` months later. A whole month stays a whole month.
    private static func shifted(_ days: Range<LocalDate>, months: Int) -> Range<LocalDate> {
        let first = days.lowerBound.moved(months: months)
        let isWhole = days.upperBound == days.upperBound.month.firstDay
        let end =
            isWhole
            ? days.upperBound.month.adding(months).firstDay
            : days.upperBound.adding(days: -1).moved(months: months).adding(days: 1)
        return first..<max(end, first)
    }
}

extension LocalDate {
    /// The same day of the month `months` months later, or the last day of a shorter month.
    package func moved(months: Int) -> LocalDate {
        let month = month.adding(months)
        return month.firstDay.adding(days: min(day, month.dayCount) - 1)
    }
}
