/// Finds the line of the total.
extension SectionFinder {
    static func isTotal(_ line: ReadLine) -> Bool {
        guard let price = line.price, line.amounts.count <= 1 else { return false }
        return isTotal(line, amountFrom: line.line.wordIndices(price.range).lowerBound)
    }

    /// - Parameter word: index of the word at which the amount begins or would begin.
    private static func isTotal(_ line: ReadLine, amountFrom word: Int) -> Bool {
        if isCountedTotal(line, amountFrom: word) { return true }
        guard let match = line.roles[.total], line.begins(with: .total) || followsCount(line, match),
            !line.begins(with: .subtotal), !line.figures.contains(where: \.isPercent), !isTotalOfTax(line, match)
        else { return false }
        // `SUMME`, `SUMME EUR`, `Total (2 Artikel)`: only the amount may follow. `TOTAL VOLLKORN 1,99` is an item.
        let between = (match.words.upperBound + 1)..<max(match.words.upperBound + 1, word)
        return between.reduce(0) { sum, index in
            let skeleton = line.line.skeletons[index]
            return sum + (totalWords.contains(skeleton) ? 0 : skeleton.count)
        } <= 4
    }

    /// Whether the total word is part of a longer tax word: `SUMA PTU`, `TOTAL TVA`.
    private static func isTotalOfTax(_ line: ReadLine, _ total: PhraseMatch) -> Bool {
        guard let tax = line.roles[.tax], tax.distance == 0 else { return false }
        return tax.words.lowerBound <= total.words.lowerBound && tax.words.upperBound > total.words.upperBound
    }

    /// Whether the line has the number of articles in front of the total: `POSTEN 4  EUR  26,95`.
    private static func isCountedTotal(_ line: ReadLine, amountFrom word: Int) -> Bool {
        guard let match = line.roles[.countBehind], line.begins(with: .countBehind), line.price?.vat == nil,
            line.figures.count == 2, line.figures[0].count != nil
        else { return false }
        let between = (match.words.upperBound + 1)..<max(match.words.upperBound + 1, word)
        return between.count == 2 && line.line.wordIndices(line.figures[0].range).lowerBound == between.lowerBound
            && totalWords.contains(line.line.skeletons[between.lowerBound + 1])
    }

    /// Whether the line above `index` is a total word, `SUMME EUR`, whose amount forms its own row at `index`, as on
    /// curved or skewed paper.
    static func isTotalWord(_ lines: [ReadLine], above index: Int) -> Bool {
        guard index > 0 else { return false }
        let (word, amount) = (lines[index - 1], lines[index])
        guard word.figures.isEmpty, word.price == nil, isTotal(word, amountFrom: word.line.skeletons.count),
            let price = amount.price, price.isExact, price.value ?? 0 > 0, price.vat == nil,
            amount.amounts.count <= 1, !amount.begins(with: .payment)
        else { return false }
        let header = amount.roles[.columnHeader]?.words
        return amount.nameRange.allSatisfy {
            !amount.line.text[$0].isLatinLetter || header?.contains(amount.line.wordAt[$0]) ?? false
        }
    }

    /// Words that may be printed between the word for the total and its amount.
    private static let totalWords = Set(
        [
            "EUR", "EURO", "CHF", "FR", "SFR", "PLN", "LEI", "RON", "GBP", "INKL", "INCL", "MWST", "UST", "BRUTTO",
            "ARTIKEL", "POSITIONEN", "TEILE",
        ].map { Skeleton.of($0.unicodeScalars) })

    /// Whether the total word follows an article count: `2 Artikel  Summe  6,35`.
    private static func followsCount(_ line: ReadLine, _ total: PhraseMatch) -> Bool {
        guard let count = line.roles[.countBehind], count.words.upperBound + 1 == total.words.lowerBound else {
            return false
        }
        return line.line.characters(before: count.words.lowerBound) <= 3
    }
}
