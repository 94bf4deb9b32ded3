import Domain
import Templates

/// Formats days relative to today.
struct DayText {
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    /// For example `heute`, `gestern`, `03.11.2026`.
    func day(_ day: LocalDate) -> String {
        switch day.days(to: today) {
        case 0: words["server.today"]
        case 1: words["server.yesterday"]
        default: day.formatted(language)
        }
    }

    /// For example `3. Aug.`, or `3. Aug. 2025` in another year.
    func short(_ day: LocalDate) -> String {
        let month = words["server.month-short.\(day.monthNumber)"]
        let year = day.year == today.year ? "" : " \(day.year)"
        return language == .german ? "\(day.day). \(month)\(year)" : "\(day.day) \(month)\(year)"
    }

    /// For example `03.11.2026 (vor 18 Tagen)`. `heute` and `gestern` have no age.
    func dayWithAge(_ day: LocalDate) -> String {
        let days = day.days(to: today)
        return days < 2 ? self.day(day) : "\(self.day(day)) (\(age(days)))"
    }

    /// For example `heute`, `vor 5 Tagen`, `vor 4 Monaten`.
    func age(_ days: Int) -> String {
        switch days {
        case ...0: words["server.today"]
        case 1: words["server.yesterday"]
        case ..<61: words["server.days-ago", ["count": .number(String(days))]]
        default: words["server.months-ago", ["count": .number(String(days / 30))]]
        }
    }
}
