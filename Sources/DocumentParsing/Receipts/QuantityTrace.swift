import Domain

/// Recognises the rest of a quantity in what was taken for a name.
enum QuantityTrace {
    /// A sign of multiplication that stands alone near a figure, or an amount that is no size.
    static func isIn(_ name: String, total: Int64, kind: LineKind) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        if isWeightIn(name, total: total) || saysProduct(words, total: total) || leavesCount(words, total: total) {
            return true
        }
        if words.contains(where: { isGlued($0, total: total, kind: kind) }) || endsInColumns(words, total: total)
            || spellsCount(words, total: total)
        {
            return true
        }
        if words.count > 1, isAmount(words[0]) || (words.count > 2 && words.suffix(2).allSatisfy(isFigureLike)) {
            return true
        }
        for (index, word) in words.enumerated() {
            if ["für", "fuer", "fur", "zu", "for"].contains(word.lowercased()),
                isPriceOfSeveral(words, index, total: total)
            {
                return true
            }
            let isSign = ["x", "X", "*", "×", "€"].contains(word)
            let near = words[max(0, index - 2)...min(words.count - 1, index + 2)]
            if isSign, index == words.count - 1 || near.contains(where: { $0.contains(where: \.isNumber) }) {
                return true
            }
            if isPieces(word), index > 0, isCount(words, index, total: total) {
                return true
            }
            if index == 0, ["stk", "stk.", "stck", "stück"].contains(word.lowercased()) { return true }
            // `Saft 3,29% 2`, `Saft 2`: a count whose unit price is damaged or lost.
            if index > 0, index == words.count - 1, let count = Int64(word), (2...99).contains(count),
                total % count == 0, count <= 24 || isDamagedPrice(words[index - 1])
            {
                return true
            }
            // `Feldsalat 0,25 kg 12,00`: a weight and the price of a kilogram.
            if index > 0,
                FigureScanner.figures(in: Array(word.unicodeScalars.prefix(40))).contains(where: { $0.amount != nil }),
                words[index - 1].lowercased().hasSuffix("kg")
            {
                return true
            }
            if word.lowercased().contains("/kg") || isWeight(words, index) { return true }
            if word.first == ",", word.dropFirst().first?.isNumber == true { return true }
            let bare = word.trimmingSuffix { $0 == ")" }.drop { $0 == "(" }.lowercased()
            if index > 0, bare.hasPrefix("x") || (bare.count < word.count && bare.hasSuffix("x")),
                bare.count > 1, bare.dropFirst().dropLast().allSatisfy(\.isNumber), bare.contains(where: \.isNumber)
            {
                return true
            }
            guard word.count > 1, word.first?.isNumber == true else { continue }
            // `1.995.971`: several amounts drawn into one.
            if word.allSatisfy({ $0.isNumber || $0 == "." || $0 == "," }),
                word.dropLast().count(where: { $0 == "." || $0 == "," }) > 1
            {
                return true
            }
            if let last = word.last, last == "x" || last == "X" || last == "€" || last == "e" { return true }
            let figures = FigureScanner.figures(in: Array(word.unicodeScalars.prefix(40)))
            let next = words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }
            // Twice a unit price is at most the total; a tenth more for a misread digit.
            let isUnitPrice = { (figure: Figure) in
                // No content of fat or alcohol has two decimals: that percent sign was one of multiplication.
                figure.decimals == 2 && figure.range.count + (figure.isPercent ? 1 : 0) == word.unicodeScalars.count
                    && figure.digits * 20 <= Int64(total.magnitude) * 11
            }
            if figures.contains(where: isUnitPrice),
                next == nil || next == .piece, !isContent(word, total: total, kind: kind),
                !isLitres(word, in: words, total: total)
            {
                return true
            }
        }
        return false
    }

    /// `Shirt 2 für 13,00` before 13,00; before 7,99 it is what two would cost.
    private static func isPriceOfSeveral(_ words: [String], _ index: Int, total: Int64) -> Bool {
        guard index > 0, let count = Int64(words[index - 1]), (2...99).contains(count) else { return false }
        // `Shirt 2 für` before 13,00.
        if index == words.count - 1 { return index > 1 }
        guard let next = words[safe: index + 1],
            let amount = FigureScanner.figures(in: Array(next.unicodeScalars.prefix(40))).first?.amount, amount > 0
        else { return false }
        return total != 0 && total % amount == 0
    }

    /// `0,338 kg`, `0,33B kg`: scales print three decimals, packages don't.
    private static func isWeight(_ words: [String], _ index: Int) -> Bool {
        let word = words[index].lowercased()
        let figure = word.hasSuffix("kg") ? String(word.dropLast(2)) : word
        guard word.hasSuffix("kg") || words[safe: index + 1]?.lowercased().hasPrefix("kg") ?? false else {
            return false
        }
        let parts = figure.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isNumber) && parts[1].count == 3
            && parts[1].count(where: \.isNumber) >= 2
    }

    /// `221,25 CHIPS`: an amount in front of a name is a quantity line that was drawn into it.
    private static func isAmount(_ word: String) -> Bool {
        let scalars = Array(word.unicodeScalars.prefix(40))
        let figures = FigureScanner.figures(in: scalars)
        return figures.count == 1 && figures[0].amount != nil && figures[0].range.count == scalars.count
    }

    /// `1.31O`, `3.l9`: digits around a separator, at most one of them read as a letter.
    private static func isFigureLike(_ word: String) -> Bool {
        guard (3...8).contains(word.count), word.contains(where: { $0 == "," || $0 == "." }) else { return false }
        let others = word.filter { !$0.isNumber && $0 != "," && $0 != "." }
        return others.count <= 1 && others.allSatisfy { "OolISBZQD".contains($0) }
            && word.count(where: \.isNumber) >= 2
    }

    /// `2 Stk x149 PFAND`.
    static func begins(_ name: String) -> Bool {
        let words = name.split(separator: " ").prefix(2).map(String.init)
        return words.indices.contains {
            ["stk", "stk.", "stck", "stück"].contains(words[$0].lowercased())
                && ($0 == 0 || words[0].allSatisfy(\.isNumber))
        }
    }

    /// A word for pieces counts what was bought, unless it ends a name as a size: `EIER 10 STK`.
    private static func isCount(_ words: [String], _ index: Int, total: Int64) -> Bool {
        guard index > 0 else { return true }
        guard words[index - 1].contains(where: \.isNumber) else { return false }
        guard index > 1, let size = Int64(words[index - 1]), size >= 4 else { return true }
        // `Eier 10 St. KL. M  3,59`: ten of one price would make another total.
        return index < words.count - 1 && total % size == 0
    }

    /// Figures without a unit behind them.
    private static func isDamagedPrice(_ word: String) -> Bool {
        guard let last = word.last, word.contains(where: \.isNumber) else { return false }
        return !last.isLetter
    }
}
