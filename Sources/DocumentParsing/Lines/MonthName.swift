import Domain

/// Days whose month is printed as a word: `7. März 2026`, `07.Mär.2026`, `7 MAR 26`.
enum MonthName {
    private static let months: [[String]] = [
        ["JAN", "JANUAR", "JAENNER", "JÄNNER", "JÄN"], ["FEB", "FEBRUAR", "FEBER"],
        ["MAR", "MÄR", "MRZ", "MÄRZ", "MAERZ", "MARZ"], ["APR", "APRIL"], ["MAI"], ["JUN", "JUNI"], ["JUL", "JULI"],
        ["AUG", "AUGUST"], ["SEP", "SEPT", "SEPTEMBER"], ["OKT", "OKTOBER"], ["NOV", "NOVEMBER"], ["DEZ", "DEZEMBER"],
    ]

    /// The day that begins at `start` and where it ends; the day is nil when it does not exist.
    static func day(_ text: [Unicode.Scalar], _ start: Int) -> (LocalDate?, Int)? {
        var position = start
        guard let day = number(text, &position, digits: 1...2) else { return nil }
        skip(text, &position)
        let from = position
        while position < text.count, text[position].isLatinLetter { position += 1 }
        let word = PrintedLine.string(text[from..<position]).uppercased()
        guard let month = months.firstIndex(where: { $0.contains(word) }) else { return nil }
        skip(text, &position)
        let yearStart = position
        guard let year = number(text, &position, digits: 2...4), position - yearStart != 3,
            text[safe: position]?.isDigit != true, text[safe: position] != ":"
        else { return nil }
        return (LocalDate(year: year < 100 ? 2_000 + year : year, month: month + 1, day: day), position)
    }

    private static func number(
        _ text: [Unicode.Scalar], _ position: inout Int, digits: ClosedRange<Int>
    ) -> Int? {
        let from = position
        while position < text.count, text[position].isDigit, position - from < digits.upperBound { position += 1 }
        return digits.contains(position - from) ? Int(PrintedLine.string(text[from..<position])) : nil
    }

    /// A point, a dash and blanks.
    private static func skip(_ text: [Unicode.Scalar], _ position: inout Int) {
        if let sign = text[safe: position], sign == "." || sign == "-" { position += 1 }
        while text[safe: position] == " " { position += 1 }
    }
}
