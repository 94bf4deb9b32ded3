import Recognition

/// Reads wine lists.
package enum WineList {
    /// The maximum number of entries that are read; further ones are dropped.
    package static let maximumEntries = 2_000
    /// The maximum number of lines of one page that are read.
    private static let maximumLines = 1_000

    /// The entries of all pages in reading order. A heading also applies to the pages after it.
    package static func read(_ pages: [RecognizedPage]) -> [WineListEntry] {
        var columns: [[ListRow]] = []
        var levels: [PageLevel] = []
        for (number, page) in pages.enumerated() {
            let words = page.lines.prefix(maximumLines).map(ListWords.words)
            let level = PageLevel(words, width: page.width)
            levels.append(level)
            let lines = Specks.removed(words.map { ListTokens.tokens(level.levelled($0)) })
            for column in ListColumns(lines).columns {
                columns.append(PageNumbers.removed(column.compactMap { ListRow($0, page: number) }))
            }
        }
        var areLeading: [Bool] = []
        for column in columns.indices {
            for row in columns[column].indices {
                SectionRow.separateSizes(&columns[column][row])
                AbsentPrices.mark(&columns[column][row])
                VintagePrices.gather(&columns[column][row])
            }
            let brackets = BracketedPrices(columns[column])
            for row in columns[column].indices { brackets.read(&columns[column][row]) }
            let vintages = TrailingVintages(columns[column])
            for row in columns[column].indices { vintages.move(&columns[column][row]) }
            let leading = LeadingPrices(columns[column])
            areLeading.append(leading.count > 0)
            for row in columns[column].indices {
                if leading.count > 0 {
                    leading.separate(&columns[column][row])
                } else {
                    PriceCells.separate(&columns[column][row])
                }
            }
        }
        let bins = BinNumbers(columns.flatMap { $0 })
        let usesShortYears = ListColumnReading.usesShortYears(columns)
        var section = ListSection()
        var entries: [WineListEntry] = []
        var heads: [ColumnHeads.Head] = []
        var currencies: Set<String> = []
        for (rows, isLeading) in zip(columns, areLeading) where entries.count < maximumEntries {
            let reading = ListColumnReading(
                rows, bins: bins, usesShortYears: usesShortYears, arePricesFirst: isLeading, inherited: heads)
            if !reading.heads.isEmpty { heads = reading.heads }
            currencies.formUnion(reading.currencies)
            entries += reading.entries(&section)
        }
        resolveCrowns(&currencies, &entries, pages)
        apply(currencies, to: &entries)
        return entries.prefix(maximumEntries).map { levels[$0.page].withOriginalBoxes($0) }
    }

    /// Replaces the codes of `kr` by codes of currencies.
    private static func resolveCrowns(
        _ currencies: inout Set<String>, _ entries: inout [WineListEntry], _ pages: [RecognizedPage]
    ) {
        let codes = currencies.union(entries.flatMap { $0.prices.compactMap(\.currency) })
        let resolved = Crowns.resolved(codes, on: pages)
        guard !resolved.isEmpty else { return }
        currencies = Set(currencies.map { resolved[$0] ?? $0 })
        for entry in entries.indices {
            for price in entries[entry].prices.indices {
                guard let code = entries[entry].prices[price].currency else { continue }
                entries[entry].prices[price].currency = resolved[code] ?? code
            }
        }
    }

    /// If a list states its currency only beside prices, at least this number of prices must state it. The currency of
    /// a single price may be misread.
    private static let minimumStatedPrices = 2

    /// If the list states only one currency, beside prices or elsewhere, sets it for the prices without a currency.
    private static func apply(_ currencies: Set<String>, to entries: inout [WineListEntry]) {
        let statedCurrencies = entries.flatMap { $0.prices.compactMap(\.currency) }
        let allCurrencies = currencies.union(statedCurrencies)
        guard allCurrencies.count == 1, let currency = allCurrencies.first,
            !currencies.isEmpty || statedCurrencies.count >= minimumStatedPrices
        else {
            return
        }
        for entry in entries.indices {
            for price in entries[entry].prices.indices {
                entries[entry].prices[price].currency = entries[entry].prices[price].currency ?? currency
            }
        }
    }
}
