import Recognition

/// A row of one column of a list.
struct ListRow {
    /// A cell of a price column, with or without a price.
    struct Cell {
        var box: PixelBox
        /// Nil where the list prints a dash or `n/a`.
        var price: PrintedPrice?
        /// The size printed beside the price, in millilitres.
        var size: Int?
        /// The serving printed beside the price.
        var serving: WineListPrice.Serving?
        /// 0…100.
        var confidence: Int
        /// Whether a slash or a bar is between this price and the next or the previous one: `320 / 290`.
        var isBesideSlash = false
        /// The number of the price column, from 0; nil for a price outside the columns.
        var track: Int?
    }

    /// The index of the page, from 0.
    var page: Int
    /// The tokens of the text from left to right, without leaders.
    var text: [ListToken]
    var cells: [Cell] = []
    /// Sizes and servings above price columns.
    var heads: [ListToken] = []
    /// The box around text, cells and heads.
    var box: PixelBox
    /// The typical height of the letters, in pixels.
    var height: Int

    /// Whether the row has words such as `auf Anfrage` in the place of its prices.
    var hasAbsentPrice = false

    /// Whether the row has prices, or words in their place.
    var isPriced: Bool { hasAbsentPrice || cells.contains { $0.price != nil } }

    /// Whether the first word with letters begins in lower case.
    var beginsInLowerCase: Bool {
        text.first(where: \.hasLetterPair)?.text.unicodeScalars.first?.properties.isLowercase == true
    }

    /// Nil when all tokens are leaders, or specks that were read as letters.
    init?(_ tokens: [ListToken], page: Int) {
        let letters = tokens.reduce(0) { $0 + $1.text.count(where: { $0.isLetter || $0.isNumber }) }
        let hasContent = tokens.contains { token in
            token.confidence >= 60 && letters > 1
                || token.mayBelongToPrice && token.kind != .leader && token.kind != .separator
        }
        guard letters > 2 || hasContent else { return nil }
        guard let first = tokens.first(where: { $0.kind != .leader }) else { return nil }
        self.page = page
        box = tokens.reduce(first.box) { $1.kind == .leader ? $0 : $0.union($1.box) }
        text = LeaderNoise.marked(tokens)
        height = Self.height(tokens)
    }

    /// The upper quartile of the tokens' heights, because words without ascenders are lower.
    static func height(_ tokens: [ListToken]) -> Int {
        let heights = tokens.filter { $0.kind != .leader && $0.text.utf8.count > 1 }.map(\.box.height).sorted()
        return heights.isEmpty ? tokens.map(\.box.height).max() ?? 1 : max(1, heights[heights.count * 3 / 4])
    }

    /// The box around the text only; nil without text.
    var textBox: PixelBox? {
        guard let first = text.first else { return nil }
        return text.dropFirst().reduce(first.box) { $0.union($1.box) }
    }
}
