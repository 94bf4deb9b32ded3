import Recognition

/// Lists that print the vintage after the prices: `Barolo, Vietti   95   2017`.
struct TrailingVintages {
    /// Whether the vintages are after the prices.
    private let areUsed: Bool

    /// The minimum number of rows that end with a price and a vintage.
    private static let minimumRows = 3

    init(_ rows: [ListRow]) {
        let trailingCount = rows.count { Self.firstPrice($0) != nil }
        let others = rows.count { row in
            row.text.contains(where: \.hasLetterPair) && row.text.last { $0.kind != .leader }?.mayBelongToPrice == true
        }
        areUsed = trailingCount >= Self.minimumRows && trailingCount >= others
    }

    /// Moves the vintage at the end of a row before its prices. Must be called before the prices are separated.
    func move(_ row: inout ListRow) {
        guard areUsed, let start = Self.firstPrice(row) else { return }
        let vintage = row.text.removeLast()
        row.text.insert(vintage, at: start)
    }

    /// The index at which the prices before a vintage at the end of a row begin; nil for other rows.
    private static func firstPrice(_ row: ListRow) -> Int? {
        let text = row.text
        guard text.count > 2, let last = text.last, last.isYear || WineVintage.isNonVintage(last.text) else {
            return nil
        }
        var start = text.count - 1
        while start > 0, text[start - 1].mayBelongToPrice { start -= 1 }
        guard start > 0, let token = text[start..<(text.count - 1)].first(where: \.isPrice),
            case .price(let price) = token.kind
        else { return nil }
        // The number in `Bin 389 2019` is close to the name.
        let isApart = !text[start].isPrice || token.box.x - text[start - 1].box.maxX > token.box.height * 3 / 2
        return isApart || !price.hasOnlyDigits ? start : nil
    }
}
