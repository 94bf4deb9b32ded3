import Domain

/// Recognises days and times with lost separators, or with letters that were read in place of digits.
extension DateScanner {
    /// Reads a day of eight digits before a time if separators were lost or read as blanks: `28.032023 07:21`,
    /// `28 03 2023 07:21`.
    static func looseDay(
        _ text: [Unicode.Scalar], _ start: Int, asOf today: LocalDate
    ) -> (day: LocalDate, time: LocalTime, end: Int)? {
        guard text[safe: start - 1].map({ $0 == " " || $0 == ":" }) ?? true else { return nil }
        var digits: [Int] = []
        var breaks: [Int] = []
        var position = start
        while digits.count < 8, let scalar = text[safe: position] {
            if scalar.isDigit {
                digits.append(Int(scalar.digitValue))
            } else if " .-/".unicodeScalars.contains(scalar), digits.count != breaks.last {
                breaks.append(digits.count)
            } else {
                return nil
            }
            position += 1
        }
        // A single blank is not enough, because it may separate two unrelated numbers: `Filiale 1203 2026 07:21`.
        guard digits.count == 8, text[safe: position] == " ", !breaks.isEmpty,
            breaks.count == 2 || text[start..<position].contains(where: { ".-/".unicodeScalars.contains($0) }),
            let (time, end) = clock(text, position + 1)
        else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let dayFirst = LocalDate(year: number(4..<8), month: number(2..<4), day: number(0..<2))
        let yearFirst = LocalDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
        for (day, places) in [(dayFirst, [2, 4]), (yearFirst, [4, 6])] where breaks.allSatisfy(places.contains) {
            if let day, day.isPlausiblePurchaseDay(asOf: today) { return (day, time, end) }
        }
        return nil
    }

    /// Whether only blanks separate day, month, year and time.
    static func isSeparatedByBlanks(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.count { $0 == " " } == 3 && text.allSatisfy { $0.isDigit || $0 == " " || $0 == ":" }
    }

    /// Whether a word ends in a time in which letters were read in place of digits: `lT:4S`. The line may then hold an
    /// unreadable day.
    static func hasDamagedClock(_ text: [Unicode.Scalar]) -> Bool {
        text.split(separator: " ").contains { word in
            guard word.count >= 4, word[word.endIndex - 3] == ":", word.contains(where: \.isLatinLetter) else {
                return false
            }
            return word.allSatisfy { HiddenQuantity.looksLikeDigit($0) || ":.,-/'".unicodeScalars.contains($0) }
        }
    }

    /// The range of a word that looks like a damaged day: three groups of digits or similar letters between separators.
    static func damagedDay(_ text: [Unicode.Scalar]) -> Range<Int>? {
        var start = 0
        for end in 0...text.count where end == text.count || text[end] == " " {
            defer { start = end + 1 }
            let word = text[start..<end]
            guard (6...10).contains(word.count) else { continue }
            let groups = word.split(omittingEmptySubsequences: false) { ".,-/".unicodeScalars.contains($0) }
            guard groups.count == 3, groups[0].count <= 2, groups[1].count <= 2,
                groups[2].count == 2 || groups[2].count == 4,
                groups.allSatisfy({
                    !$0.isEmpty && $0.allSatisfy { $0.isDigit || "OoDQIilSsBZzgqT|".unicodeScalars.contains($0) }
                }),
                word.count(where: \.isDigit) * 2 >= word.count - 2
            else { continue }
            return start..<end
        }
        return nil
    }
}
