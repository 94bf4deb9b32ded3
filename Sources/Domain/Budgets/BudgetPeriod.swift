/// The period of a budget.
package enum BudgetPeriod: Hashable, Sendable {
    /// Monday to Sunday.
    case week
    /// A month that begins on a day, 1…28. 1 is the calendar month; 25 suits a salary paid on the 25th.
    case month(startDay: Int)
    case year

    /// The days of the period that contains `day`.
    package func days(containing day: LocalDate) -> Range<LocalDate> {
        switch self {
        case .week:
            let first = day.adding(days: -day.weekday.rawValue)
            return first..<first.adding(days: 7)
        case .month(let startDay):
            let start = min(max(startDay, 1), 28)
            let month = day.day < start ? day.month.previous : day.month
            return month.firstDay.adding(days: start - 1)..<month.next.firstDay.adding(days: start - 1)
        case .year:
            return Month(year: day.year, number: 1).firstDay..<Month(year: day.year + 1, number: 1).firstDay
        }
    }

    /// The days of the period before `days`.
    package func days(before days: Range<LocalDate>) -> Range<LocalDate> {
        self.days(containing: days.lowerBound.adding(days: -1))
    }
}
