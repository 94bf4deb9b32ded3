import Recognition

/// Separates the prices at the end of a row from its text.
enum PriceCells {
    /// Moves the prices of a row into its cells, and drops the dots between text and prices.
    static func separate(_ row: inout ListRow) {
        guard row.heads.isEmpty else { return }
        var start = row.text.count
        while start > 0, row.text[start - 1].mayBelongToPrice { start -= 1 }
        start = withoutNumbersOfNames(row.text, from: start)
        let cells = cells(row.text[start...])
        let isPriced = row.hasAbsentPrice || cells.contains { $0.price != nil }
        row.cells = isPriced ? cells : []
        row.text = row.text[..<(isPriced ? textEnd(row.text, start) : row.text.count)].filter { $0.kind != .leader }
    }

    /// The end of the text, before words that belong to the first serving or size: `per` in `per glass 8`.
    private static func textEnd(_ tokens: [ListToken], _ start: Int) -> Int {
        let first = tokens[start...].first { $0.kind != .leader && $0.kind != .separator }
        var end = start
        while first?.statesSizeOrServing == true, end > 0, ListTokens.isConnecting(tokens[end - 1].text) { end -= 1 }
        return end
    }

    /// The start of the prices, after numbers that are close to the text and far from the prices: `Bin 389        95`.
    private static func withoutNumbersOfNames(_ tokens: [ListToken], from start: Int) -> Int {
        var start = start
        while start > 0, start + 1 < tokens.count {
            let (before, token, after) = (tokens[start - 1], tokens[start], tokens[start + 1])
            let prices = tokens[(start + 1)...].count(where: \.isPrice)
            guard prices > 0, isOfName(token, prices: prices),
                token.box.x - before.box.maxX < max(before.box.height, token.box.height) * 2 / 3,
                after.kind == .leader || after.box.x - token.box.maxX > token.box.height * 3 / 2
            else { break }
            start += 1
        }
        return start
    }

    /// Whether a token between the text and the prices may belong to the name.
    ///
    /// - Parameter prices: The number of prices after the token. Before a single price, `Magnum` states its size.
    private static func isOfName(_ token: ListToken, prices: Int) -> Bool {
        switch token.kind {
        case .price(let price): price.hasOnlyDigits
        case .serving(let serving): prices > 1 || serving != .magnum && serving != .half
        case .none, .separator: true
        default: false
        }
    }

    /// Whether sizes and servings are printed after their prices: `8 Glas, 42 Flasche`.
    static func followPrices(_ tokens: ArraySlice<ListToken>) -> Bool {
        let pricesAndLabels = tokens.filter { $0.isPrice || $0.statesSizeOrServing }
        return pricesAndLabels.first?.isPrice == true && pricesAndLabels.last?.statesSizeOrServing == true
    }

    /// Sizes or servings before the same number of prices: `0,125l/0,75l 4,90/29,00`. Nil for other tokens.
    private static func labelsBeforePrices(_ tokens: ArraySlice<ListToken>) -> ArraySlice<ListToken>? {
        let pricesAndLabels = tokens.filter { $0.isPrice || $0.statesSizeOrServing }
        let labels = pricesAndLabels.prefix { $0.statesSizeOrServing }
        guard labels.count > 1, pricesAndLabels.count == 2 * labels.count,
            pricesAndLabels.dropFirst(labels.count).allSatisfy(\.isPrice),
            labels.allSatisfy({ ($0.size == nil) == (labels[0].size == nil) })
        else { return nil }
        return labels
    }

    /// The prices with the sizes and servings that are printed before or after them.
    static func cells(_ tokens: ArraySlice<ListToken>) -> [ListRow.Cell] {
        if let labels = labelsBeforePrices(tokens) {
            var cells = Self.cells(tokens.filter { !$0.statesSizeOrServing }[...])
            let pricedIndices = cells.indices.filter { cells[$0].price != nil }
            for (cell, label) in zip(pricedIndices, labels) { cells[cell].label(label) }
            return cells
        }
        let areLabelsLast = followPrices(tokens)
        var cells: [ListRow.Cell] = []
        var pending: [ListToken] = []
        var currency: ListToken?
        // Whether a slash is after the last price.
        var isAfterSlash = false
        for token in tokens {
            if token.kind == .separator, !cells.isEmpty { isAfterSlash = ["/", "|"].contains(token.text) }
            switch token.kind {
            case .price(var price):
                var box = token.box
                if let before = currency, case .currency(let code) = before.kind,
                    token.box.x - before.box.maxX <= 2 * token.box.height
                {
                    price.currency = code
                    box = before.box.union(box)
                    currency = nil
                }
                var cell = ListRow.Cell(box: box, price: price, confidence: token.confidence)
                for label in pending { cell.label(label) }
                pending = []
                if isAfterSlash {
                    cell.isBesideSlash = true
                    cells[cells.count - 1].isBesideSlash = true
                    isAfterSlash = false
                }
                cells.append(cell)
            case .currency(let code):
                // A currency belongs to the next price if the price before it is far away or already has a currency.
                if let last = cells.last, last.price?.currency == nil, token.box.x - last.box.maxX <= token.box.height {
                    cells[cells.count - 1].price?.currency = code
                    cells[cells.count - 1].box = last.box.union(token.box)
                } else {
                    currency = token
                }
            case .none: cells.append(ListRow.Cell(box: token.box, price: nil, confidence: token.confidence))
            case .size, .serving:
                if areLabelsLast, !cells.isEmpty {
                    cells[cells.count - 1].label(token)
                } else {
                    pending.append(token)
                }
            default: break
            }
        }
        return cells
    }
}

extension ListRow.Cell {
    /// Sets the size or the serving that a token states.
    fileprivate mutating func label(_ token: ListToken) {
        switch token.kind {
        case .size(let size): self.size = size
        case .serving(let serving): self.serving = serving
        default: break
        }
    }
}
