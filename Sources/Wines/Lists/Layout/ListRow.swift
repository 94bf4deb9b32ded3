import Recognition

/// A row of one column of a list.
struct ListRow {
    /// A place for a price, filled or not.
    struct Cell {
        var box: PixelBox
        /// Nil where the list shows that there is none.
        var price: PrintedPrice?
        /// Printed beside the price itself.
        var size: Int?
        var serving: WineListPrice.Serving?
        var confidence: Int
        /// The place among the column's prices, from 0; nil for prices that are not below others.
        var track: Int?
    }

    var page: Int
    /// From left to right, without leaders.
    var text: [ListToken]
    var cells: [Cell] = []
    /// Sizes and servings over prices.
    var heads: [ListToken] = []
    /// Around all of it.
    var box: PixelBox
    /// Of most letters, in pixels.
    var height: Int

    var isPriced: Bool { cells.contains { $0.price != nil } }

    /// Nil when all tokens are leaders, or specks that were read as letters.
    init?(_ tokens: [ListToken], page: Int) {
        let letters = tokens.reduce(0) { $0 + $1.text.count(where: { $0.isLetter || $0.isNumber }) }
        guard
            letters > 2
                || tokens.contains(where: { $0.confidence >= 60 && letters > 1 || $0.isPricing && $0.kind != .leader })
        else { return nil }
        guard let first = tokens.first(where: { $0.kind != .leader }) else { return nil }
        self.page = page
        box = tokens.reduce(first.box) { $1.kind == .leader ? $0 : $0.union($1.box) }
        text = LeaderNoise.marked(tokens)
        height = Self.height(tokens)
    }

    /// The upper quartile: small words have no ascenders.
    static func height(_ tokens: [ListToken]) -> Int {
        let heights = tokens.filter { $0.kind != .leader && $0.text.utf8.count > 1 }.map(\.box.height).sorted()
        return heights.isEmpty ? tokens.map(\.box.height).max() ?? 1 : max(1, heights[heights.count * 3 / 4])
    }

    /// Around the text alone; nil when there is none.
    var textBox: PixelBox? {
        guard let first = text.first else { return nil }
        return text.dropFirst().reduce(first.box) { $0.union($1.box) }
    }
}
