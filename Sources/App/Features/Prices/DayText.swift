import Domain
import Templates

/// Days as lists show them.
struct DayText {
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    /// `heute`, `gestern`, `03.11.2026`.
    func day(_ day: LocalDate) -> String {
        switch day.days(to: today) {
        case 0: words["server.today"]
        case 1: words["server.yesterday"]
        default: day.formatted(language)
        }
    }

    /// `3. Aug.`, `3. Aug. 2025` when it was not this year.
    func short(_ day: LocalDate) -> String {
        let month = words["server.month-short.\(day.monthNumber)"]
        let year = day.year == today.year ? "" : " \(day.year)"
        return language == .german ? "\(day.day). \(month)\(year)" : "\(day.day) \(month)\(year)"
    }

    /// `03.11.2026 (vor 18 Tagen)`; `heute` and `gestern` say their age themselves.
    func dayWithAge(_ day: LocalDate) -> String {
        let days = day.days(to: today)
        return days < 2 ? self.day(day) : "\(self.day(day)) (\(age(days)))"
    }

    /// `heute`, `vor 5 Tagen`, `vor 4 Monaten`.
    func age(_ days: Int) -> String {
        switch days {
        case ...0: words["server.today"]
        case 1: words["server.yesterday"]
        case ..<61: words["server.days-ago", ["count": .number(String(days))]]
        default: words["server.months-ago", ["count": .number(String(days / 30))]]
        }
    }
}
