import Recognition

/// The article numbers that most items of a receipt have before their names: `4381 SALAMI FEIN 100G`.
///
/// A single number of four or five digits may also be a postal code or a part of the name. Years and round numbers may
/// be vintages and counts: `2021 RIESLING`, `1000 FLYER A5`.
struct ArticleNumbers {
    /// The number of digits that most of the numbers have.
    private let length: Int

    /// Returns nil if fewer than three items, or at most half of them, begin with numbers of the same length.
    init?(_ lines: ArraySlice<ReadLine>) {
        let itemLines = lines.indices.filter { index in
            guard lines[index].nameLetterCount >= 3 else { return false }
            return lines[index].price.map(\.isExact) ?? Self.hasAmountBelow(index, lines)
        }
        let numbers = itemLines.compactMap { Self.number(lines[$0].line.words.map(\.text)) }
        let lengths = numbers.filter { $0.utf8.count >= 4 && !Self.isYearOrRound($0) }.map(\.utf8.count)
        let counts = Dictionary(lengths.map { ($0, 1) }, uniquingKeysWith: +)
        guard let (length, count) = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), count >= 3,
            count * 2 > itemLines.count
        else { return nil }
        self.length = length
    }

    /// Whether the next line holds an amount and no name, perhaps with a quantity: `4  5,95  23,80`.
    private static func hasAmountBelow(_ index: Int, _ lines: ArraySlice<ReadLine>) -> Bool {
        guard index + 1 < lines.endIndex else { return false }
        return lines[index + 1].isNameless && (lines[index + 1].price?.isExact ?? false)
    }

    /// Whether a line begins with an article number and a name.
    func begin(_ line: ReadLine) -> Bool { leading(line.line.words.map(\.text)) != nil }

    /// The article number at the beginning of a name. It may have one digit more or less than `length`.
    func leading(_ words: [String]) -> String? {
        Self.number(words).flatMap { abs($0.utf8.count - length) <= 1 ? $0 : nil }
    }

    private static func number(_ words: [String]) -> String? {
        guard words.count >= 2, words[1].contains(where: \.isLetter), !isUnit(words[1].lowercased()) else { return nil }
        let number = String(words[0].drop { !$0.isLetter && !$0.isNumber })
        return number.isNumber(3...14) ? number : nil
    }

    private static func isYearOrRound(_ number: String) -> Bool {
        guard number.first != "0", let value = Int(number) else { return false }
        return (1_950...2_050).contains(value) || value.isMultiple(of: 100)
    }

    /// Whether the number before the word is a size or a count: `500 g Erdbeeren`, `100 Stk Schrauben`.
    private static func isUnit(_ word: String) -> Bool {
        Lexicon.contents.contains(word) || Lexicon.pieces.contains(word) || ["x", "mm", "w"].contains(word)
    }
}
