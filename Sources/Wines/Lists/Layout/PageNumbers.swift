import Recognition

/// Removes page numbers, which look like prices: `3`, `– 3 –`, `Seite 3 / 12`.
enum PageNumbers {
    /// Words beside a page number.
    private static let words: Set = ["seite", "page", "pagina", "s", "p", "von", "of", "sur", "de", "di"]

    /// The rows of a column, except the first or last row if it is a page number. Must be called before the prices are
    /// separated.
    static func removed(_ rows: [ListRow]) -> [ListRow] {
        guard rows.count > 1 else { return rows }
        return rows.enumerated().filter { index, row in
            let isAtEdge = index == 0 || index == rows.count - 1
            return !isAtEdge || !isPageNumber(row) || isAligned(row, rows, except: index)
        }.map(\.element)
    }

    private static func isPageNumber(_ row: ListRow) -> Bool {
        let texts = WineText.words(row.text.joinedText)
        guard (1...4).contains(texts.count), texts.contains(where: { Int($0) != nil }) else { return false }
        let areKnown = texts.allSatisfy { text in words.contains(text) || Int(text).map { $0 < 1_000 } == true }
        // An amount with a currency or with decimals is a price.
        return areKnown
            && row.text.allSatisfy { token in
                if case .price(let price) = token.kind { return price.hasOnlyDigits }
                return !token.isCurrency && !token.statesSizeOrServing && !token.isYear
            }
    }

    /// Whether a figure of the row is below or above the figures of other rows, like the prices of a column. False for
    /// a row with a word (`Seite 3`) or between dashes (`– 3 –`), because it has a page number.
    private static func isAligned(_ row: ListRow, _ rows: [ListRow], except index: Int) -> Bool {
        let isBetweenDashes = row.text.count > 2 && [row.text.first, row.text.last].allSatisfy { $0?.isDash == true }
        guard !isBetweenDashes, !row.text.contains(where: { $0.kind == .word }) else { return false }
        let priceBoxes = row.text.filter(\.isPrice).map(\.box)
        return rows.enumerated().contains { other, candidate in
            other != index
                && candidate.text.contains { token in
                    token.isPrice && priceBoxes.contains { PriceTracks.distance(token.box, $0) <= row.height }
                }
        }
    }
}
