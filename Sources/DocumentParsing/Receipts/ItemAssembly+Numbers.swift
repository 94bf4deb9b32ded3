import Domain
import Recognition

/// Rows that say the number of a good or of a pump, between its name and its amount or beside the amount.
extension ItemAssembly {
    /// `505.221.87`, `505.221.870`: groups of three digits; nobody pays as much.
    static func isGroupedNumber(_ word: String) -> Bool {
        let groups = word.split(separator: ".", omittingEmptySubsequences: false)
        return groups.count == 3 && groups.dropLast().allSatisfy { $0.utf8.count == 3 }
            && (2...3).contains(groups[2].utf8.count) && groups.joined().utf8.allSatisfy { (48...57).contains($0) }
    }

    /// `PZN 10019638  4,98`, `505.221.87  7,99`: nothing but a number and its label stands in front of the amount.
    ///
    /// - Parameter onlyNumber: not the price of one either.
    static func isNumbered(_ line: ReadLine, onlyNumber: Bool = false) -> Bool {
        guard let price = line.price, line.quantity == nil else { return false }
        let start = line.line.box(price.range).x
        var words = line.line.words.prefix { $0.box.maxX <= start }.map(\.text)
        // `PZN 01578675  á 7,45  14,90`
        if !onlyNumber, words.count >= 3, ["á", "à", "ä", "a"].contains(words[words.count - 2].lowercased()) {
            words.removeLast(2)
        }
        guard let last = words.last, isNumber(last) || isGroupedNumber(last) else { return false }
        return words.count == 1 || (words.count <= 3 && line.begins(with: .articleLabel))
    }

    /// `PZN 10019638  á 4,98  9,96`: the price of one behind the number of the good that was added last; how many make the
    /// amount.
    mutating func takePriceOfOne(_ index: Int) {
        let line = lines[index]
        guard !Self.isNumbered(line, onlyNumber: true), let total = line.price?.value, let price = line.price,
            let one = line.amounts.last(where: { $0.range.upperBound <= price.range.lowerBound }), one.digits > 0,
            one.decimals == 2, !one.isNegative, total.magnitude.isMultiple(of: UInt64(one.digits)),
            case let count = Int64(total.magnitude) / one.digits, (1...24).contains(count)
        else { return }
        items[items.count - 1].lacksWeight = false
        // `Nasenspray 10ml  1 Stk` above it.
        let words = items[items.count - 1].name.split(separator: " ")
        let isPrinted =
            words.count > 2 && QuantityTrace.isPieces(String(words[words.count - 1]))
            && Int64(words[words.count - 2]) == count
        if isPrinted { items[items.count - 1].name = words.dropLast(2).joined(separator: " ") }
        if count == 1 { return }
        items[items.count - 1].quantity = DraftQuantity(
            phrase: QuantityPhrase(
                range: one.range, quantity: count * 1_000, unit: .piece, unitPrice: one.digits * 1_000,
                quantityRange: one.range, unitPriceRange: one.range, isCountImplied: true),
            place: place(line, one.range), unitPricePlace: place(line, one.range), origin: .inline, isDerived: true)
    }

    private static func isNumber(_ word: String) -> Bool {
        (6...14).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// `40` beside `058172001987`: paper that lies askew parts the row of a number.
    func isPieceOfNumber(_ index: Int) -> Bool {
        let line = lines[index].line
        guard line.words.count == 1, line.digitCount == line.text.count, line.text.count <= 4, standsInRow(index) else {
            return false
        }
        return [index - 1, index + 1].contains { index in
            guard let other = lines[safe: index], Self.isArticleNumber(other) else { return false }
            return other.line.words.count != 1
                || !Self.countBesideNumber([PrintedLine.string(line.text[...]), other.line.words[0].text])
        }
    }

    /// `2 4012345678901`, `4012345678901 2`, `12 401234567890`: a count beside the number of an article, unless both
    /// together are one that its check digit bears out.
    static func countBesideNumber(_ words: [String]) -> Bool {
        guard let count = words.first(where: { $0.utf8.count <= 2 }), let number = words.first(where: { $0 != count }),
            let value = Int(count), (2...24).contains(value), count.first != "0", (8...13).contains(number.utf8.count),
            number.utf8.allSatisfy({ (48...57).contains($0) })
        else { return false }
        return !isChecked(words.joined()) || (isChecked(number) && number.utf8.count == 13)
    }

    /// `2 4012345678901` above its name and nothing else.
    static func isCountedNumber(_ line: ReadLine) -> Bool {
        let words = line.line.words.map(\.text)
        return words.count == 2 && words.contains { (12...13).contains($0.utf8.count) } && countBesideNumber(words)
    }

    /// Thirteen digits of which the last is what GTIN-13 makes of the others (GS1 General Specifications, 7.9).
    private static func isChecked(_ number: String) -> Bool {
        let digits = number.utf8.map { Int($0) - 48 }
        guard digits.count == 13, digits.allSatisfy({ (0...9).contains($0) }) else { return false }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        return sum.isMultiple(of: 10)
    }

    /// `30820729` where `3 x 0,29` is printed: a till that prints the numbers of articles prints more than one.
    mutating func doubtLoneNumber(in body: Range<Int>) {
        let numbers = body.filter { Self.isArticleNumber(lines[$0]) }
        guard numbers.count == 1, items.count > 1, let line = numbers.first.map({ lines[$0].line }), !line.isText,
            line.words.count == 1, line.text.count <= 10, line.digitCount == line.text.count
        else { return }
        unexplained += numbers
    }
}

extension ReadLine {
    /// `Säule 03`, `ZP 4`: the word for a pump, its number and nothing else.
    var isPumpNumber: Bool {
        guard let match = roles[.quantityLabel], begins(with: .quantityLabel), figures.count == 1,
            let number = figures.first?.whole, (1...99).contains(number), line.words.count <= 3
        else { return false }
        return match.words.count == 1 && Self.pumps.contains(line.skeletons[match.words.lowerBound])
    }

    private static let pumps = Set(
        ["SAEULE", "SÄULE", "PUMPE", "ZAPFSAEULE", "ZAPFSÄULE", "ZP"].map { Skeleton.of($0.unicodeScalars) })
}
