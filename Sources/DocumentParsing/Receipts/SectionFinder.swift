import Recognition

/// Finds the first item line and the total that ends the items.
enum SectionFinder {
    /// Returns the index of the first line of the items, and the index of the total; nil if no total was found.
    static func itemBounds(_ lines: [ReadLine]) -> (start: Int, total: Int?) {
        let total = lines.indices.first { index in
            (isTotal(lines[index]) || hasTotalWord(lines, above: index))
                && lines[..<index].contains { looksLikeItem($0) || isColumnHeader($0) }
        }
        let end = total.map { hasTotalWord(lines, above: $0) ? $0 - 1 : $0 } ?? bodyEndWithoutTotal(lines)
        return (bodyStart(lines, before: end), total)
    }

    /// The end of the items if no total was found: the first payment, tax table or card slip after the first item.
    private static func bodyEndWithoutTotal(_ lines: [ReadLine]) -> Int {
        // The amount of an item may follow its quantity, with the name on the line above. A payment is not an item.
        let first = lines.firstIndex { line in
            !line.begins(with: .payment) && looksLikeItem(line) || line.quantity != nil && line.price?.isExact ?? false
        }
        guard let firstItem = first else { return 0 }
        return lines.indices.first { index in
            guard index > firstItem else { return false }
            let line = lines[index]
            return line.begins(with: .payment) && line.price != nil || line.begins(with: .change)
                || line.begins(with: .vatHeader)
                || line.begins(with: .slip) || isTableHead(line)
        } ?? lines.count
    }

    /// Whether the line is the header of the tax table, perhaps damaged: `AnSt-Satz  Brutto  Netto  MwSt`.
    static func isTableHead(_ line: ReadLine) -> Bool {
        guard line.has(.vatHeader), line.figures.isEmpty else { return false }
        let words = line.line.string.uppercased().split { !$0.isLetter }
        return words.contains("NETTO") && words.contains("BRUTTO")
    }

    /// The first line of the items: below a column header, or the first line that looks like an item.
    private static func bodyStart(_ lines: [ReadLine], before end: Int) -> Int {
        // A line with a currency, such as `EUR`, is a header only at the start of the items. After several items, it
        // belongs to the total or a payment.
        if let header = lines[..<end].indices.first(where: { isColumnHeader(lines[$0]) }),
            lines[..<header].count(where: looksLikeItem) < 2
        {
            return header + 1
        }
        let item = lines[..<end].indices.first { looksLikeItem(lines[$0]) } ?? end
        // The quantity of the first item may be above its name.
        let hasQuantityAbove = item > 0 && item < end && isQuantity(lines[item - 1], of: lines[item])
        return hasQuantityAbove ? item - 1 : item
    }

    /// Whether a line has no name, and its quantity × unit price is the amount of the item.
    private static func isQuantity(_ line: ReadLine, of item: ReadLine) -> Bool {
        guard let amount = item.price?.value, line.nameAfterQuantity == nil else { return false }
        return line.nameLetterCount <= 2 && line.quantity?.makes(amount) ?? false
    }

    static func isColumnHeader(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.columnHeader], line.amounts.isEmpty, line.line.digitCount <= 2,
            // `2 x €`, `Z x l,BB €`: a quantity with unread figures.
            !HiddenQuantity.isCount(line.line.text[...]),
            !line.line.words.contains(where: { ["x", "X", "×"].contains($0.text) }),
            ![.total, .subtotal, .payment, .change].contains(where: line.begins)
        else { return false }
        return line.line.characters(outside: match) <= 6
    }

    static func looksLikeItem(_ line: ReadLine) -> Bool {
        guard let price = line.price, price.isExact, !line.has(.hours), !line.begins(with: .header),
            !line.isDated
        else { return false }
        return line.nameLetterCount >= 2 || line.nameAfterQuantity != nil
    }

    // MARK: The total

    static func isTotal(_ line: ReadLine) -> Bool {
        guard let price = line.price, line.amounts.count <= 1 else { return false }
        return isTotal(line, amountFrom: line.line.wordIndices(price.range).lowerBound)
    }

    /// - Parameter word: index of the word at which the amount begins or would begin.
    private static func isTotal(_ line: ReadLine, amountFrom word: Int) -> Bool {
        if isCountedTotal(line, amountFrom: word) { return true }
        guard let match = line.roles[.total], line.begins(with: .total) || followsCount(line, match),
            !line.begins(with: .subtotal), !isTotalOfTax(line, match)
        else { return false }
        // `SUMME`, `SUMME EUR`, `Total (2 Artikel)`: only the amount may follow. `TOTAL VOLLKORN 1,99` is an item.
        let between = (match.words.upperBound + 1)..<max(match.words.upperBound + 1, word)
        guard hasOnlyIncludedRates(line, between) else { return false }
        return between.reduce(0) { sum, index in
            let skeleton = line.line.skeletons[index]
            return sum + (wordsBeforeAmount.contains(skeleton) ? 0 : skeleton.count)
        } <= 4
    }

    /// Whether every rate on the line is the rate of an included tax: `Gesamt inkl. 20% USt  60,20`.
    private static func hasOnlyIncludedRates(_ line: ReadLine, _ words: Range<Int>) -> Bool {
        let rates = line.figures.filter(\.isPercent)
        guard let first = rates.map({ line.line.wordIndices($0.range).lowerBound }).min() else { return true }
        return words.contains { $0 < first && includingWords.contains(line.line.skeletons[$0]) }
            && rates.allSatisfy { words.contains(line.line.wordIndices($0.range).lowerBound) }
    }

    private static let includingWords = Set(["INKL", "INCL"].map { Skeleton.of($0.unicodeScalars) })

    /// Whether the total word is part of the words for a tax: `SUMA PTU`, `TOTAL TVA`, perhaps with one misread letter.
    static func isTotalOfTax(_ line: ReadLine, _ total: PhraseMatch) -> Bool {
        guard let tax = line.roles[.tax], tax.distance <= (tax.words.count >= 2 ? 1 : 0) else { return false }
        return tax.words.lowerBound <= total.words.lowerBound && tax.words.upperBound > total.words.upperBound
    }

    /// Whether the line states the number of articles and then the total: `POSTEN 4  EUR  26,95`.
    private static func isCountedTotal(_ line: ReadLine, amountFrom word: Int) -> Bool {
        guard let match = line.roles[.articleWord], line.begins(with: .articleWord), line.price?.vatClass == nil,
            line.figures.count == 2, line.figures[0].count != nil
        else { return false }
        let between = (match.words.upperBound + 1)..<max(match.words.upperBound + 1, word)
        return between.count == 2 && line.line.wordIndices(line.figures[0].range).lowerBound == between.lowerBound
            && wordsBeforeAmount.contains(line.line.skeletons[between.lowerBound + 1])
    }

    /// Whether the line above `index` is a total word, `SUMME EUR`, and its amount is a separate row at `index`, as on
    /// curved or skewed paper.
    static func hasTotalWord(_ lines: [ReadLine], above index: Int) -> Bool {
        guard index > 0 else { return false }
        let (word, amount) = (lines[index - 1], lines[index])
        guard word.figures.isEmpty, word.price == nil, isTotal(word, amountFrom: word.line.skeletons.count),
            let price = amount.price, price.isExact, price.value ?? 0 > 0, price.vatClass == nil,
            amount.amounts.count <= 1, !amount.begins(with: .payment)
        else { return false }
        let header = amount.roles[.columnHeader]?.words
        return amount.nameRange.allSatisfy {
            !amount.line.text[$0].isLatinLetter || header?.contains(amount.line.wordAt[$0]) ?? false
        }
    }

    /// Words that may be printed between the word for the total and its amount.
    private static let wordsBeforeAmount = Set(
        [
            "EUR", "EURO", "CHF", "FR", "SFR", "PLN", "LEI", "RON", "GBP", "INKL", "INCL", "MWST", "UST", "BRUTTO",
            "ARTIKEL", "POSITIONEN", "TEILE",
        ].map { Skeleton.of($0.unicodeScalars) })

    /// Whether the total word follows an article count: `2 Artikel  Summe  6,35`.
    private static func followsCount(_ line: ReadLine, _ total: PhraseMatch) -> Bool {
        guard let count = line.roles[.articleWord], count.words.upperBound + 1 == total.words.lowerBound else {
            return false
        }
        return line.line.characters(before: count.words.lowerBound) <= 3
    }
}
