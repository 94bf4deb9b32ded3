import Recognition

/// Rows with several vintages of a wine and a price for each: `Château Palmer 2009 / 2010   620 / 650`.
enum VintagePrices {
    /// The maximum number of vintages of a wine. All lines of an entry are read once for each vintage, so more vintages
    /// on a page of many lines would take too long.
    private static let maximumVintages = 20

    /// Moves vintages between prices before them: `2009 620 / 2010 650` becomes `2009 2010 620 / 650`. Must be called
    /// before the prices are separated.
    static func gather(_ row: inout ListRow) {
        let start = (row.text.lastIndex { !$0.isYear && (!$0.mayBelongToPrice || $0.statesSizeOrServing) } ?? -1) + 1
        let pairs = row.text[start...].filter { $0.isYear || $0.isPrice }
        guard pairs.count > 3, pairs.count.isMultiple(of: 2), row.text[start].isYear,
            zip(0..., pairs).allSatisfy({ $1.isYear == $0.isMultiple(of: 2) })
        else { return }
        let others = row.text[start...].drop { !$0.isPrice && !$0.isCurrency }.filter { !$0.isYear }
        row.text.replaceSubrange(start..., with: pairs.filter(\.isYear) + others)
    }

    /// The lines of an entry for each of its vintages, in the printed order. The lines are not split if there are too
    /// many vintages, if their number differs from the number of prices, or if the prices are for different sizes.
    static func split(_ lines: [[ListToken]], _ prices: [WineListPrice]) -> [[[ListToken]]] {
        let areAlike = prices.allSatisfy { $0.serving == prices[0].serving && $0.size == prices[0].size }
        guard (2...maximumVintages).contains(prices.count), areAlike,
            let line = lines.firstIndex(where: { $0.contains(where: \.isYear) }),
            !lines[(line + 1)...].contains(where: { $0.contains(where: \.isYear) }),
            let first = lines[line].firstIndex(where: \.isYear), let last = lines[line].lastIndex(where: \.isYear)
        else { return [lines] }
        let vintages = lines[line][first...last].flatMap(\.vintages)
        guard vintages.count == prices.count, !lines[line][first...last].contains(where: \.hasLetterPair) else {
            return [lines]
        }
        return vintages.map { vintage in
            var lines = lines
            lines[line].replaceSubrange(first...last, with: [vintage])
            return lines
        }
    }
}

extension ListToken {
    /// One token for each printed year of a vintage, in the printed order.
    fileprivate var vintages: [ListToken] {
        guard case .year(let vintage) = kind else { return [] }
        guard let other = vintage.other else { return [self] }
        let leadingDigits = text.drop { !$0.isNumber }.prefix(while: \.isNumber)
        let years = String(vintage.year).hasSuffix(leadingDigits) ? [vintage.year, other] : [other, vintage.year]
        return years.map { year in
            var token = self
            token.text = String(year)
            token.kind = .year(WineVintage(year: year))
            return token
        }
    }
}
