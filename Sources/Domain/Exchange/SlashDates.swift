/// The order of day and month in dates with slashes. `01/05/2026` is ambiguous, so all dates of the file are examined.
package enum SlashDates: String, Hashable, Sendable, CaseIterable {
    /// The first number of some date is above twelve.
    case dayFirst
    /// The second number of some date is above twelve, and no first number is.
    case monthFirst
    /// All dates are ambiguous. They are read as day first, as in German.
    case undecided

    /// Detects the order from `fields`. Nil if none is a date with slashes.
    package init?(in fields: some Sequence<String>) {
        var isFirstOverTwelve = false
        var isSecondOverTwelve = false
        var hasDate = false
        for field in fields {
            guard let (first, second, _) = Self.numbers(field) else { continue }
            hasDate = true
            isFirstOverTwelve = isFirstOverTwelve || first > 12
            isSecondOverTwelve = isSecondOverTwelve || second > 12
        }
        guard hasDate else { return nil }
        self = isFirstOverTwelve ? .dayFirst : isSecondOverTwelve ? .monthFirst : .undecided
    }

    /// Parses a field of a file with this order. Other date forms are accepted as well.
    package func day(_ field: some StringProtocol) -> LocalDate? {
        guard self == .monthFirst, let (month, day, year) = Self.numbers(field) else {
            return LocalDate(parsing: field)
        }
        return LocalDate(parsing: "\(day)/\(month)/\(year)")
    }

    /// The three parts of `1/5/2026`, the year as written. A time after the date is ignored.
    private static func numbers(_ field: some StringProtocol) -> (first: Int, second: Int, year: Substring)? {
        let text = String(field.split(whereSeparator: { $0 == " " || $0 == "T" }).first ?? "")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }),
            parts[0].utf8.count <= 2, parts[1].utf8.count <= 2, [2, 4].contains(parts[2].utf8.count),
            let first = Int(parts[0]), let second = Int(parts[1])
        else { return nil }
        return (first, second, Substring(String(parts[2])))
    }
}
