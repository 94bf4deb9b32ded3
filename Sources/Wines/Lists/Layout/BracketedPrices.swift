import Recognition

/// Prices in brackets without a serving: `9 (48)` for glass and bottle, or `(68)` alone.
///
/// A number in brackets may also be a footnote, so the rows of a column are compared.
struct BracketedPrices {
    /// Whether the second of two prices is in brackets.
    private let areSecondPrices: Bool
    /// Whether the only price is in brackets.
    private let areOnlyPrices: Bool

    /// The minimum number of rows in which the only price is in brackets, or the first price is for a bottle.
    private static let minimumRows = 3
    /// The lowest plausible price in brackets, in minor units.
    private static let lowest = 300

    init(_ rows: [ListRow]) {
        // The price in brackets in percent of the price before it.
        var ratios: [Int] = []
        var only: [Int] = []
        var lowest = Int.max
        var otherPriceCount = 0
        for row in rows {
            guard let place = Self.place(row), let price = row.text[place].bracketedPrice else {
                if row.text.last?.mayBelongToPrice == true { otherPriceCount += 1 }
                continue
            }
            lowest = min(lowest, price.amount)
            if let first = Self.price(before: place, row) {
                ratios.append(price.amount * 100 / max(1, first.amount))
            } else if Self.isApart(place, row) {
                only.append(price.amount)
            }
        }
        areSecondPrices = lowest >= Self.lowest && Self.areOfOneKind(ratios.sorted())
        areOnlyPrices =
            lowest >= Self.lowest && only.count >= Self.minimumRows && Set(only).count > 1
            && otherPriceCount <= only.count
    }

    /// Reads the price in brackets at the end of a row.
    func read(_ row: inout ListRow) {
        guard let place = Self.place(row), let price = row.text[place].bracketedPrice else { return }
        let isRead = Self.price(before: place, row) == nil ? areOnlyPrices && Self.isApart(place, row) : areSecondPrices
        if isRead { row.text[place].kind = .price(price) }
    }

    /// Whether all pairs have the glass before the bottle, or all have the bottle before the glass at similar ratios.
    ///
    /// - Parameter ratios: The prices in brackets in percent of the prices before them, in ascending order.
    private static func areOfOneKind(_ ratios: [Int]) -> Bool {
        guard let least = ratios.first, let most = ratios.last, ratios.count > 1 else { return false }
        return least >= 250 && most <= 1_500 || ratios.count >= minimumRows && most <= 40 && most * 2 <= least * 5
    }

    /// The index of a price in brackets after the words of a row; nil if the row does not end with one.
    private static func place(_ row: ListRow) -> Int? {
        guard let place = row.text.lastIndex(where: { $0.kind != .leader }), row.text[place].bracketedPrice != nil,
            row.text[..<place].contains(where: \.hasLetterPair)
        else { return nil }
        return place
    }

    /// The price directly before a token.
    private static func price(before place: Int, _ row: ListRow) -> PrintedPrice? {
        guard case .price(let price)? = row.text[..<place].last(where: { !$0.isCurrency })?.kind else { return nil }
        return price
    }

    /// Whether a price in brackets has decimals or a currency, or is apart from the name.
    private static func isApart(_ place: Int, _ row: ListRow) -> Bool {
        guard place > 0 else { return false }
        let (before, token) = (row.text[place - 1], row.text[place])
        return token.bracketedPrice?.hasOnlyDigits == false || before.kind == .leader
            || token.box.x - before.box.maxX > token.box.height * 3 / 2
    }
}

extension ListToken {
    /// The price of a text in brackets, such as `(48)`; nil for other tokens.
    var bracketedPrice: PrintedPrice? {
        guard kind == .word || kind == .separator, text.hasPrefix("("), text.hasSuffix(")") else { return nil }
        return PrintedPrice(String(text.dropFirst().dropLast()))
    }
}
