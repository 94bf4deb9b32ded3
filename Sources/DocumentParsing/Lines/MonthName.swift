import Domain

/// Days with the month printed as a word: `7. März 2026`, `07.Mär.2026`, `29MAR2026`, `March 7, 2026`.
enum MonthName {
    /// Names and abbreviations of months in the supported languages, reduced by `Skeleton`.
    private static let months: [[UInt8]: Int] = {
        let names = [
            "JAN JANUAR JAENNER JÄNNER JÄN JANUARY JANV JANVIER JANUARI GENNAIO STYCZNIA IANUARIE ENERO",
            "FEB FEBRUAR FEBER FEBRUARY FEV FEVR FEVRIER FEBRUARI FEBBRAIO LUTEGO FEBRUARIE FEBRERO",
            "MAR MÄR MRZ MÄRZ MAERZ MARCH MARS MAART MARZO MARCA MARTIE",
            "APR APRIL AVR AVRIL APRILE KWIETNIA APRILIE ABRIL", "MAI MAY MEI MAGGIO MAJA MAYO",
            "JUN JUNI JUNE JUIN GIUGNO CZERWCA IUNIE JUNIO",
            "JUL JULI JULY JUIL JUILLET LUGLIO LIPCA IULIE JULIO",
            "AUG AUGUST AOUT AUGUSTUS AGOSTO SIERPNIA",
            "SEP SEPT SEPTEMBER SEPTEMBRE SETTEMBRE WRZESNIA SEPTEMBRIE SEPTIEMBRE",
            "OKT OKTOBER OCT OCTOBER OCTOBRE OTTOBRE PAZDZIERNIKA OCTOMBRIE OCTUBRE",
            "NOV NOVEMBER NOVEMBRE LISTOPADA NOIEMBRIE NOVIEMBRE",
            "DEZ DEZEMBER DEC DECEMBER DECEMBRE DICEMBRE GRUDNIA DECEMBRIE DICIEMBRE",
        ]
        var months: [[UInt8]: Int] = [:]
        for (index, line) in names.enumerated() {
            for name in line.split(separator: " ") { months[Skeleton.of(name.unicodeScalars)] = index + 1 }
        }
        return months
    }()

    /// Reads the day at `start` and returns the position after it; the day is nil if it does not exist.
    static func day(_ text: [Unicode.Scalar], _ start: Int) -> (day: LocalDate?, end: Int)? {
        var position = start
        guard let day = number(text, &position, digits: 1...2) else { return nil }
        if let month = monthInFront(of: start, text) {
            if text[safe: position] == "," { position += 1 }
            return year(text, position, month: month, day: day, digits: 4...4)
        }
        skip(text, &position)
        let from = position
        while position < text.count, text[position].isLatinLetter { position += 1 }
        guard let month = month(text[from..<position]) else { return nil }
        return year(text, position, month: month, day: day, digits: 2...4)
    }

    private static func year(
        _ text: [Unicode.Scalar], _ end: Int, month: Int, day: Int, digits: ClosedRange<Int>
    ) -> (day: LocalDate?, end: Int)? {
        var position = end
        skip(text, &position)
        let start = position
        guard let year = number(text, &position, digits: digits), position - start != 3,
            text[safe: position]?.isDigit != true, text[safe: position] != ":",
            // `2 MAR 12,50`: an amount.
            !(text[safe: position] == "," && text[safe: position + 1]?.isDigit == true)
        else { return nil }
        return (LocalDate(year: year < 100 ? 2_000 + year : year, month: month, day: day), position)
    }

    private static func month(_ word: ArraySlice<Unicode.Scalar>) -> Int? {
        word.count < 3 || word.count > 12 ? nil : months[Skeleton.of(word)]
    }

    /// The month directly before the day: `March 7`.
    private static func monthInFront(of start: Int, _ text: [Unicode.Scalar]) -> Int? {
        var front = text[..<start].trimmingSuffix { $0 == " " }
        guard front.endIndex < start else { return nil }
        if front.last == "." { front.removeLast() }
        let word = front.suffix(while: \.isLatinLetter)
        // `7 March 12 2026`: the month belongs to the day before it.
        return text[..<word.startIndex].contains(where: \.isDigit) ? nil : month(word)
    }

    private static func number(_ text: [Unicode.Scalar], _ position: inout Int, digits: ClosedRange<Int>) -> Int? {
        let from = position
        while position < text.count, text[position].isDigit, position - from < digits.upperBound { position += 1 }
        return digits.contains(position - from) ? Int(PrintedLine.string(text[from..<position])) : nil
    }

    /// Skips a point or dash, and blanks.
    private static func skip(_ text: [Unicode.Scalar], _ position: inout Int) {
        if let sign = text[safe: position], sign == "." || sign == "-" { position += 1 }
        while text[safe: position] == " " { position += 1 }
    }
}
