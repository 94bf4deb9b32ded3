/// How dates with slashes are written in a file: `01/05/2026` alone says nothing of it, the others beside it do.
package enum SlashDates: String, Hashable, Sendable, CaseIterable {
    /// A day above twelve stands in front somewhere.
    case dayFirst
    /// A day above twelve stands second somewhere, and none in front.
    case monthFirst
    /// No date of the file says which; the day is taken to stand in front, as in German.
    case undecided

    /// The order that `fields` show; nothing where none of them is a date with slashes.
    package init?(in fields: some Sequence<String>) {
        var isFirst = false
        var isSecond = false
        var isAny = false
        for field in fields {
            guard let (first, second, _) = Self.numbers(field) else { continue }
            isAny = true
            isFirst = isFirst || first > 12
            isSecond = isSecond || second > 12
        }
        guard isAny else { return nil }
        self = isFirst ? .dayFirst : isSecond ? .monthFirst : .undecided
    }

    /// The day that a field means in a file of this order; other forms are read as ever.
    package func day(_ field: some StringProtocol) -> LocalDate? {
        guard self == .monthFirst, let (month, day, year) = Self.numbers(field) else {
            return LocalDate(parsing: field)
        }
        return LocalDate(parsing: "\(day)/\(month)/\(year)")
    }

    /// The three numbers of `1/5/2026`, the last one as written; a time behind them is left out.
    private static func numbers(_ field: some StringProtocol) -> (Int, Int, Substring)? {
        let text = String(field.split(whereSeparator: { $0 == " " || $0 == "T" }).first ?? "")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            parts[0].utf8.count <= 2, parts[1].utf8.count <= 2, [2, 4].contains(parts[2].utf8.count),
            let first = Int(parts[0]), let second = Int(parts[1])
        else { return nil }
        return (first, second, Substring(String(parts[2])))
    }
}
