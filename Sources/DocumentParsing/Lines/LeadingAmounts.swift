import Domain
import Recognition

/// Reorders the lines of receipts that print the amounts in front of the names: `EUR 4,20 Melange`, `2,50 A Cola`.
enum LeadingAmounts {
    /// Returns the lines with the amounts, their currencies and classes after the names, if at least three lines begin
    /// with an amount and fewer end in one.
    static func moved(_ lines: [PrintedLine]) -> [PrintedLine] {
        let counts = lines.map(leadingWords)
        let leading = counts.count { $0 > 0 }
        guard leading >= 3, leading > lines.count(where: { endsInAmount($0) && $0.text.hasName }) else { return lines }
        return zip(lines, counts).map { line, count in
            guard count > 0 else { return line }
            var moved = PrintedLine(
                page: line.page, words: Array(line.words[count...] + line.words[..<count]), isText: line.isText,
                twin: line.twin)
            moved.otherEngineWords = line.otherEngineWords
            return moved
        }
    }

    /// The number of words before the name that form the amount; 0 if the line has another form.
    private static func leadingWords(_ line: PrintedLine) -> Int {
        let words = line.words.prefix(12).map(\.text)
        var count = words.first.map(isCurrency) ?? false ? 1 : 0
        guard words[safe: count].map(isAmount) ?? false else { return 0 }
        count += 1
        if words[safe: count].map(isCurrency) ?? false { count += 1 }
        if let vatClass = words[safe: count], vatClass.count == 1, "A"..."F" ~= vatClass { count += 1 }
        guard let name = words[safe: count], name.count(where: \.isLetter) >= 2, !isUnit(name),
            line.words[count...].letterCount >= 3, !endsInAmount(line)
        else { return 0 }
        return count
    }

    private static func endsInAmount(_ line: PrintedLine) -> Bool {
        line.words.suffix(3).contains { isAmount($0.text) }
            && line.words.reversed().prefix { !isAmount($0.text) }.allSatisfy { $0.text.count <= 3 }
    }

    /// Whether the word is an amount with two decimals, perhaps with a currency sign.
    private static func isAmount(_ word: String) -> Bool {
        let body = Array(word.unicodeScalars.filter { $0 != "€" && $0 != "£" }.prefix(12))
        return FigureScanner.figures(in: body).first.map { $0.amount != nil && $0.range.count == body.count } ?? false
    }

    private static func isCurrency(_ word: String) -> Bool {
        CurrencyWords.besideFigures.contains(String(word.lowercased().trimmingSuffix { $0 == "." }))
    }

    /// Whether the word belongs to a quantity, so that the figure before it is not an amount.
    private static func isUnit(_ word: String) -> Bool {
        let word = String(word.lowercased().trimmingSuffix { !$0.isLetter })
        return Lexicon.contents.contains(word) || Lexicon.piecesBetweenFigures.contains(word)
            || Lexicon.betweenFigures.contains(word) || MeasureUnit(parsing: word) != nil
    }
}
