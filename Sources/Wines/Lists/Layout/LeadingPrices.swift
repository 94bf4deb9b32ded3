/// Lists that print the price before the name: `45  Tempranillo, Muga`.
struct LeadingPrices {
    /// The number of prices at the beginning of a row; 0 if prices are at the end.
    private(set) var count = 0
    /// Whether at least half of the rows with leading prices have a size or serving after the last price:
    /// `8 Glas 42 Flasche Vermentino`. Elsewhere, such a word begins a name: `250 Krug Grande Cuvée`.
    private var areLabelsLast = false

    /// Minimum number of rows with leading prices.
    private static let minimumRows = 3
    /// Maximum number of leading prices of a row.
    private static let maximumPrices = 4

    init(_ rows: [ListRow]) {
        let namedRows = rows.filter { $0.heads.isEmpty && $0.text.contains(where: \.hasLetterPair) }
        let leading = namedRows.map { Self.prices(before: $0.text) }
        let leadingPrices = leading.filter { !$0.isEmpty }
        let trailing = namedRows.count { $0.text.last { $0.kind != .leader }?.mayBelongToPrice == true }
        guard leadingPrices.count >= Self.minimumRows, trailing * 4 <= leadingPrices.count, !Self.countsWines(namedRows)
        else { return }
        // The median count, because a name can begin with a number: `38 19 Crimes`.
        let counts = leadingPrices.map(\.count).sorted()
        let usual = counts[counts.count / 2]
        count = usual
        let labelled = namedRows.count { row in
            guard let last = Self.prices(before: row.text).prefix(usual).last else { return false }
            return Self.lastLabel(row.text, after: last) > last
        }
        areLabelsLast = labelled * 2 >= leadingPrices.count
    }

    /// Moves the prices before the text of a row into its cells.
    func separate(_ row: inout ListRow) {
        let prices = Self.prices(before: row.text)
        guard !prices.isEmpty, row.heads.isEmpty else { return PriceCells.separate(&row) }
        var last = prices[min(count, prices.count) - 1]
        if areLabelsLast { last = Self.lastLabel(row.text, after: last) }
        row.cells = PriceCells.cells(row.text[...last])
        // A dash may separate the prices from the name.
        row.text = row.text[(last + 1)...].drop { $0.kind == .none || $0.kind == .leader }.filter {
            // `à` separates prices, but is also a word of names such as `Moulin à Vent`.
            $0.kind != .leader && ($0.kind != .separator || $0.text == "à")
        }
    }

    /// The index of the last size or serving directly after the price at `price`; `price` if there is none. The text
    /// must have a word after them.
    private static func lastLabel(_ text: [ListToken], after price: Int) -> Int {
        var last = price
        while text[last + 1].statesSizeOrServing, PriceCells.followPrices(text[...(last + 1)]) { last += 1 }
        return last
    }

    /// The indices of the prices before the first word of a row; empty if no word follows.
    private static func prices(before text: [ListToken]) -> [Int] {
        let start = text.prefix { $0.mayBelongToPrice || $0.kind == .leader }
        guard start.count < text.count else { return [] }
        return Array(start.indices.filter { start[$0].isPrice }.prefix(maximumPrices))
    }

    /// Whether the first numbers are consecutive numbers of the wines, not prices: at least half are one greater than
    /// the number before.
    private static func countsWines(_ rows: [ListRow]) -> Bool {
        let numbers = rows.compactMap { row in
            row.text.first.flatMap {
                if case .price(let price) = $0.kind, price.hasOnlyDigits { price.amount / 100 } else { nil }
            }
        }
        let steps = zip(numbers, numbers.dropFirst()).count { $1 - $0 == 1 }
        return numbers.count > 2 && steps * 2 >= numbers.count - 1
    }
}
