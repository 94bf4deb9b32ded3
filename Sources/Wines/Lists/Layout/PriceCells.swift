import Recognition

/// Separates the prices at the end of a row from its text.
enum PriceCells {
    /// Moves the prices of a row into its cells and drops leaders.
    static func separate(_ row: inout ListRow) {
        guard row.heads.isEmpty else { return }
        var start = row.text.count
        while start > 0, row.text[start - 1].isPricing { start -= 1 }
        start = withoutNumbersOfNames(row.text, from: start)
        let cells = cells(row.text[start...])
        let isPriced = cells.contains { $0.price != nil }
        row.cells = isPriced ? cells : []
        row.text = row.text[..<(isPriced ? start : row.text.count)].filter { $0.kind != .leader }
    }

    /// The start of the prices, after numbers that are close to the text and far from the prices: `Bin 389        95`.
    private static func withoutNumbersOfNames(_ tokens: [ListToken], from start: Int) -> Int {
        var start = start
        while start > 0, start + 1 < tokens.count {
            let (before, token, after) = (tokens[start - 1], tokens[start], tokens[start + 1])
            guard tokens[(start + 1)...].contains(where: \.isPrice), isOfName(token),
                token.box.x - before.box.maxX < max(before.box.height, token.box.height) * 2 / 3,
                after.kind == .leader || after.box.x - token.box.maxX > token.box.height * 3 / 2
            else { break }
            start += 1
        }
        return start
    }

    private static func isOfName(_ token: ListToken) -> Bool {
        switch token.kind {
        case .price(let price): price.hasOnlyDigits
        case .serving, .none, .separator: true
        default: false
        }
    }

    /// The prices with the sizes and servings that are printed before them.
    static func cells(_ tokens: ArraySlice<ListToken>) -> [ListRow.Cell] {
        var cells: [ListRow.Cell] = []
        var pending: [ListToken] = []
        var currency: ListToken?
        for token in tokens {
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
                for word in pending {
                    if case .size(let size) = word.kind { cell.size = size }
                    if case .serving(let serving) = word.kind { cell.serving = serving }
                }
                pending = []
                cells.append(cell)
            case .currency(let code):
                // The currency belongs to the price before it, if that has none, or else to the next price.
                if let last = cells.last, last.price?.currency == nil, token.box.x - last.box.maxX <= token.box.height {
                    cells[cells.count - 1].price?.currency = code
                    cells[cells.count - 1].box = last.box.union(token.box)
                } else {
                    currency = token
                }
            case .none: cells.append(ListRow.Cell(box: token.box, price: nil, confidence: token.confidence))
            case .size, .serving: pending.append(token)
            default: break
            }
        }
        // A size may follow the only price: `28,- / 0,75 l`.
        if cells.count == 1, cells[0].size == nil, pending.count == 1, case .size(let size) = pending[0].kind {
            cells[0].size = size
        }
        return cells
    }
}
