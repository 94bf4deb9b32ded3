import Domain
import Recognition

/// Recognises lines by their form.
extension ItemAssembly {
    /// Returns the number of articles on a count line: `Posten: 12`, `ANZAHL ARTIKEL 19`, `1 Artikel`.
    static func count(_ line: ReadLine) -> Int? {
        guard line.amounts.isEmpty else { return nil }
        if line.begins(with: .count), let match = line.roles[.count] {
            // Figures in front of the count word are dirt.
            let following = line.figures.filter { line.line.wordIndices($0.range).lowerBound > match.words.lowerBound }
            if following.count == 1, let count = following[0].count { return count }
        }
        guard line.figures.count == 1, let figure = line.figures.first, let match = line.roles[.articleWord],
            line.line.wordIndices(figure.range).upperBound + 1 == match.words.lowerBound, line.line.words.count <= 4
        else { return nil }
        return figure.count
    }

    /// Returns the number of articles on a total line: `POSTEN 12  EUR  8,16`, `Total (4 Artikel)  8,16`.
    static func countInTotal(_ line: ReadLine) -> Int? {
        guard let price = line.price, let match = line.roles[.articleWord] ?? line.roles[.count] else { return nil }
        let figures = line.figures.filter { $0.range.upperBound <= price.range.lowerBound }
        guard figures.count == 1, case let words = line.line.wordIndices(figures[0].range),
            words.upperBound + 1 == match.words.lowerBound || match.words.upperBound + 1 == words.lowerBound
        else { return nil }
        return figures[0].count
    }

    /// Whether the line, above or below the name, holds only an article number: `4012345000016`, `Art/EAN 249691`.
    static func isArticleNumber(_ line: ReadLine) -> Bool {
        guard line.price == nil, line.quantity == nil, line.dates.days.isEmpty else { return false }
        if line.begins(with: .articleLabel), line.amounts.isEmpty, line.line.words.count <= 4 { return true }
        // `40 058172001987`: on skewed paper a number may be split into two words.
        let number = line.line.words.map(\.text).joined()
        // `2 4012345678901`: a count beside the number.
        if line.line.words.count == 2, line.line.words.contains(where: { $0.text.utf8.count <= 2 }) { return false }
        return line.line.words.count <= 2 && number.isNumber(line.line.words.count == 1 ? 6...24 : 12...14)
    }

    /// Whether only an article number and its label precede the amount, or the quantity: `PZN 10019638  4,98`,
    /// `Art. 2690099  1 x 179,99  179,99`.
    static func isNumbered(_ line: ReadLine) -> Bool {
        guard let price = line.price, line.nameAfterQuantity == nil else { return false }
        let end = line.quantity.map { min($0.range.lowerBound, price.range.lowerBound) } ?? price.range.lowerBound
        let start = line.line.box(end..<max(end, price.range.upperBound)).x
        var words = line.line.words.prefix { $0.box.maxX <= start }.map(\.text)
        // Ignore a unit price: `PZN 01578675  á 7,45  14,90`.
        if words.count >= 3, ["á", "à", "ä", "a"].contains(words[words.count - 2].lowercased()) { words.removeLast(2) }
        guard words.last?.isNumber(6...14) ?? false else { return false }
        return words.count == 1
            || (words.count <= 3 && (line.begins(with: .articleLabel) || words[0].lowercased().hasPrefix("art.")))
    }

    /// Whether the line holds only a tare, as scales print it: `T 0,006 kg`.
    static func isTareAlone(_ line: ReadLine) -> Bool {
        let words = line.line.words.map(\.text)
        guard (2...4).contains(words.count), words[0] == "T" || words[0] == "T:", line.amounts.isEmpty,
            line.line.letterCount <= 3, let weight = line.figures.first, weight.decimals == 3,
            weight.unscaledValue < 200, line.line.wordIndices(weight.range).lowerBound == 1
        else { return false }
        return line.quantity?.unitPrice == nil
    }

    /// Whether the line is the head of a table of weights. Engines read `EURO` as `EUR0`.
    static func isWeightHeader(_ line: ReadLine) -> Bool {
        line.has(.weightHeader) && line.figures.allSatisfy { $0.unscaledValue == 0 && $0.digitCount == 1 }
            // `O,TAG kg x Z,qB EUR/kg`: a weight whose figures were read as letters.
            && !HiddenQuantity.isReadAsLetters(line.line.string)
    }

    /// Whether the line is a base price, which is not an item: `Grundpreis 18,01/kg`, `1 kg = 9,96 EUR`.
    static func isBasePrice(_ line: ReadLine) -> Bool {
        guard line.quantity == nil else { return false }
        if line.begins(with: .basePrice) { return true }
        let words = line.line.string.lowercased().split(separator: " ")
        guard let sign = words.firstIndex(of: "="), (1...2).contains(sign) else { return false }
        return words[..<sign].joined().drop { $0.isNumber || $0 == "," }.allSatisfy(\.isLetter)
            && Lexicon.basePriceUnits.contains(String(words[..<sign].joined().drop { $0.isNumber || $0 == "," }))
    }

    /// Whether the line is a rule of dashes, equals signs or stars.
    static func isRule(_ line: ReadLine) -> Bool {
        let isOfSigns =
            line.line.letterCount + line.line.digitCount <= 1 && !isLoneSign(line)
            && !line.line.otherEngineWords.contains { ["x", "X", "×"].contains($0.text) }
        return isOfSigns || isRuleReadAsText(line) || isRuleOfOtherEngine(line)
    }

    /// Whether the other engine read a rule of signs, and this engine read neither digits nor a part of a quantity.
    private static func isRuleOfOtherEngine(_ line: ReadLine) -> Bool {
        let other = line.line.otherEngineWords.flatMap(\.text.unicodeScalars)
        return line.line.digitCount == 0 && line.price == nil && line.quantity == nil
            && !line.line.words.contains { ["x", "X", "×", "kg"].contains($0.text) }
            && other.count >= 5 && other.allSatisfy("-=_*~.–—".unicodeScalars.contains)
    }

    /// Whether the line is a rule that was read as text, such as `zzz au smzmzzzumusmazsu`, `EEE LEE EEE EL EEE` or
    /// `==2==E22222=====2222`. Such a line has no amount, and four characters make up 85 % of at least 20 characters,
    /// or 72 % of at least 16 characters if no word was read well. Quantity lines are shorter.
    private static func isRuleReadAsText(_ line: ReadLine) -> Bool {
        guard line.quantity == nil, line.amounts.isEmpty else { return false }
        if line.line.hasFewCharacters(distinct: 4, percent: 85, minimumLength: 20) { return true }
        guard
            // Short dashes may have any confidence, long rows of dashes have at most 68.
            line.line.words.allSatisfy({ $0.confidence <= 68 || $0.text.unicodeScalars.count <= 2 })
        else { return false }
        return line.line.hasFewCharacters(distinct: 4, percent: 72, minimumLength: 16)
    }

    /// Whether the line is only a digit, `x` or `EUR/kg`: perhaps a part of a badly read quantity line.
    static func isLoneSign(_ line: ReadLine) -> Bool {
        if line.line.words.count == 1, line.line.words[0].text.lowercased().hasSuffix("/kg") { return true }
        return line.line.letterCount + line.line.digitCount <= 1
            && (line.line.digitCount == 1 || line.line.words.contains { ["x", "X", "×"].contains($0.text) })
    }

    /// Whether the line is at the height of an adjacent line, so that both are one row.
    func isInNeighbourRow(_ index: Int) -> Bool {
        [index - 1, index + 1].compactMap { lines[safe: $0]?.line }.contains { other in
            lines[index].line.places(beside: other).map { places in
                let middle = places.own.doubleMidY
                return 2 * places.other.y <= middle && middle <= 2 * places.other.maxY
            } ?? false
        }
    }

    /// Whether most priced lines have a class before the price and none after it. The class is a letter, or a digit of
    /// the tax table if no header says that the column contains counts.
    static func printsClassBeforePrice(
        _ lines: ArraySlice<ReadLine>, head: ArraySlice<ReadLine>, taxClasses: Set<String>
    ) -> Bool {
        var before = 0
        var digits: [String] = []
        var priced = 0
        for line in lines {
            guard let price = line.price, price.isExact, !line.begins(with: .saved) else { continue }
            if price.vatClass != nil { return false }
            // A quantity with its amount: the class is printed after the name above.
            if line.nameLetterCount < 2 { continue }
            priced += 1
            guard let found = NameReader.classBefore(line.line.text, price.range.lowerBound)?.vatClass else { continue }
            before += 1
            if found.allSatisfy(\.isNumber) { digits.append(found) }
        }
        guard priced > 0, before * 5 >= priced * 3 else { return false }
        guard digits.count * 2 >= before else { return true }
        return Set(digits).count <= 2 && taxClasses.isSuperset(of: digits)
            && !(head + lines).contains { $0.line.digitCount == 0 && isCountHeader($0) }
    }

    /// Whether the line is the header of a column of counts: `Artikel Anz Preis`.
    private static func isCountHeader(_ line: ReadLine) -> Bool {
        let words = line.line.string.uppercased().split { !$0.isLetter }.map(String.init)
        return (2...6).contains(words.count)
            && words.contains(where: Lexicon.countHeaders.contains)
    }

    /// Whether the line cannot hold an amount or a quantity: a heading, advertising, a rule.
    static func cannotHoldFigures(_ line: ReadLine) -> Bool {
        if line.has(.coupon) || line.has(.footer) || line.begins(with: .header) {
            return !HiddenQuantity.isCount(line.line.text[...])
        }
        if CancellationLine.isHeading(line) { return true }
        // Loyalty points: `Treuepunkte 3`.
        if line.has(.points), line.amounts.isEmpty, line.quantity == nil, line.figures.count <= 1 {
            return !HiddenQuantity.isCount(line.line.text[...])
        }
        // The figures of a weight were lost.
        if line.has(.handEntry) || line.line.words.contains(where: { $0.text.lowercased() == "kg" }) { return false }
        if line.line.words.count <= 4, HiddenQuantity.namesUnit(line.line.text[...]) { return false }
        let letters = line.line.letterCount
        if letters == 0, line.line.digitCount == 0 { return true }
        // A heading in which a letter was read as a digit.
        if letters >= 14, line.line.digitCount * 8 <= letters, line.price == nil, line.quantity == nil,
            line.line.words.allSatisfy({ word in
                word.text.contains(where: \.isLetter) || !word.text.contains(where: \.isNumber)
            })
        {
            return true
        }
        guard line.line.digitCount == 0, letters >= 4, letters * 2 > line.line.text.count else { return false }
        // Quantity lines have fewer letters. An article count without its figure is useless.
        if letters >= 14 || line.begins(with: .count) { return true }
        return line.line.words.allSatisfy { $0.confidence >= Confidence.legible }
            && !line.line.words.contains { $0.text == "x" || $0.text == "X" }
    }
}

extension PrintedLine {
    /// Whether the line has at least `minimumLength` characters, and its most frequent characters, `distinct` of them,
    /// are at least `percent` percent of the line.
    fileprivate func hasFewCharacters(distinct: Int, percent: Int, minimumLength: Int) -> Bool {
        let characters = Self.string(text.filter { $0 != " " }[...]).lowercased()
        guard characters.count >= minimumLength else { return false }
        var counts: [Character: Int] = [:]
        for character in characters { counts[character, default: 0] += 1 }
        return counts.values.sorted().suffix(distinct).reduce(0, +) * 100 >= characters.count * percent
    }
}

extension ReadLine {
    /// Whether the amount at `range` ends at the same column as the other line's price.
    func aligns(_ range: Range<Int>, with other: ReadLine?) -> Bool {
        guard let other, let price = other.price, other.line.page == line.page else { return false }
        return abs(other.line.box(price.range).maxX - line.box(range).maxX) <= line.box.height
    }

    var nameLetterCount: Int { line.text[nameRange].count(where: \.isLatinLetter) }

    /// Whether nothing, only a currency or only a count precedes the amount: `EUR  52,01 A`, `1 Stk  14,99 A`.
    var isNameless: Bool {
        let name = line.string(nameRange).split(separator: " ").map { CurrencyWords.key($0) }
        return nameLetterCount <= 2 || namesOnlyPieces
            || (name.count == 1 && ["EUR", "EURO", "CHF"].contains(name[0]))
    }

    /// Whether only a count with a word for pieces precedes the amount: `1 Stk  14,99 A`.
    var namesOnlyPieces: Bool {
        let words = line.string(nameRange).lowercased().split(separator: " ").map(String.init)
        return words.count == 2 && words[0].isNumber(1...2) && Lexicon.pieces.contains(words[1])
    }

    /// Whether the word for the total is directly before the amount, after other words: `Speisen gesamt  45,30`.
    var endsInTotalWord: Bool {
        guard let price, let total = roles[.total], total.distance == 0 else { return false }
        return total.words.lowerBound > 0 && total.words.upperBound + 1 == line.wordIndices(price.range).lowerBound
    }

    /// Whether the line holds a labelled article number and no name: `PZN 01479157 KAP`.
    var isLabelledNumber: Bool {
        guard begins(with: .articleLabel), let label = roles[.articleLabel] else { return false }
        return line.words.indices.filter { !label.words.contains($0) }.map { line.words[$0] }.letterCount <= 3
    }

    /// Whether the line is a discount with a percentage before its amount: `50%  -2,45`.
    var isPercentOff: Bool {
        guard let price, price.isExact, price.value.map({ $0 < 0 }) ?? false else { return false }
        return figures.contains { $0.isPercent && $0.range.upperBound <= price.range.lowerBound }
    }

    /// The range of a name that follows the quantity: `2 x 0,55 MILCH 1,10 A`.
    var nameAfterQuantity: Range<Int>? {
        guard let quantity, let price, nameLetterCount <= 1, quantity.range.upperBound < price.range.lowerBound else {
            return nil
        }
        let range = quantity.range.upperBound..<price.range.lowerBound
        if let tare = roles[.tare], line.wordIndices(range).contains(tare.words.lowerBound) { return nil }
        return line.text[range].count(where: \.isLatinLetter) >= 3 ? range : nil
    }
}
