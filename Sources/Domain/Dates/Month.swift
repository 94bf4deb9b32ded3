/// A calendar month of one year.
package struct Month: Hashable, Comparable, Sendable {
    /// The year, without limits. The days of the month are clamped to the years 1…9999.
    package let year: Int
    /// 1…12.
    package let number: Int

    /// A `number` outside 1…12 carries over into other years.
    package init(year: Int, number: Int) {
        let index = year * 12 + number - 1
        let remainder = index % 12
        self.year = remainder < 0 ? index / 12 - 1 : index / 12
        self.number = (remainder < 0 ? remainder + 12 : remainder) + 1
    }

    /// Reads `2026-11`.
    package init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 7, parts.count == 2, parts[0].utf8.allSatisfy(\.isDigit),
            parts[1].utf8.allSatisfy(\.isDigit), let year = Int(parts[0]), let number = Int(parts[1]),
            parts[0].utf8.count == 4, (1...9999).contains(year), (1...12).contains(number)
        else { return nil }
        self.init(year: year, number: number)
    }

    /// Reads `2026-11`. Returns nil for a month before the first purchases, and for one after the current month.
    package init?(parsing text: some StringProtocol, today: LocalDate) {
        guard let month = Month(parsing: text), month >= LocalDate.firstPurchaseDay.month, month <= today.month else {
            return nil
        }
        self = month
    }

    package static func < (left: Month, right: Month) -> Bool {
        (left.year, left.number) < (right.year, right.number)
    }

    /// The month `count` months later, or earlier when negative.
    package func adding(_ count: Int) -> Month { Month(year: year, number: number + count) }
    package var next: Month { adding(1) }
    package var previous: Month { adding(-1) }

    /// The number of months from this one to `other`.
    package func months(to other: Month) -> Int { (other.year - year) * 12 + other.number - number }

    /// 28…31.
    package var dayCount: Int {
        switch number {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package var firstDay: LocalDate { LocalDate(year: year, month: number, day: 1) ?? .earliest }
    package var lastDay: LocalDate { LocalDate(year: year, month: number, day: dayCount) ?? .latest }
    package var days: ClosedRange<LocalDate> { firstDay...lastDay }

    /// `2026-11`.
    package var iso: String { "\(padded(year, 4))-\(padded(number, 2))" }
}
