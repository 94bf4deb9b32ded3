/// Reads the prices of a group of rows with their sizes and servings.
struct PriceReading {
    let heads: ColumnHeads
    /// The servings that the ratios of prices suggest for columns without heads, by the number of the column (`track`).
    let guesses: [Int: WineListPrice.Serving]
    /// The highest prices of the columns in rows with several prices, in minor units, by the number of the column.
    private let highestPrices: [Int: Int]

    init(_ rows: [ListRow], heads: ColumnHeads) {
        self.heads = heads
        guesses = Self.guesses(rows)
        var highest: [Int: Int] = [:]
        for row in rows where row.cells.count(where: { $0.price != nil && $0.track != nil }) > 1 {
            for cell in row.cells {
                guard let track = cell.track, let price = cell.price else { continue }
                highest[track] = max(highest[track] ?? 0, price.amount)
            }
        }
        highestPrices = highest
    }

    /// A printed price.
    private struct Printed {
        var row: Int
        var cell: ListRow.Cell
        var price: PrintedPrice
        /// The serving that the ratios of prices suggest.
        var guess: WineListPrice.Serving?
        /// The head at the same place from the left, if no price of the row is below a head.
        var headInOrder: ColumnHeads.Head?
    }

    /// - Parameter servingRow: The row of the last heading with a serving, such as `Magnums`; nil if the column has no
    ///   such heading.
    func prices(
        _ rows: [ListRow], _ range: Range<Int>, section: ListSection, servingRow: Int? = nil
    ) -> [WineListPrice] {
        var cells = range.flatMap { printed(rows[$0], $0, section, servingRow: servingRow) }
        // The text may state the size of the only price: `Barolo 1,5 l 2015`.
        if cells.count == 1, cells[0].cell.size == nil, cells[0].cell.serving == nil {
            let texts = range.flatMap { rows[$0].text }
            cells[0].cell.size = texts.compactMap(\.size).last
            if cells[0].cell.size == nil, texts.contains(where: \.isMagnum) { cells[0].cell.serving = .magnum }
        }
        // In `1/2 Fl. Barolo 2018   Fl. 29`, the second `Fl.` does not mean a whole bottle.
        if cells.count == 1, cells[0].cell.size == nil, [nil, .bottle].contains(cells[0].cell.serving),
            range.contains(where: { rows[$0].text.contains(where: \.isHalfBottle) })
        {
            cells[0].cell.serving = .half
        }
        // Bottles of sweet wine often have half a litre.
        let isSweet = section.color == .sweet || section.color == .fortified
        let haveBottles =
            heads.haveBottles
            || cells.contains { $0.cell.serving == .bottle || (700...1000).contains($0.cell.size ?? 0) }
        if let servings = servings(of: cells.map(\.cell)) {
            for (index, serving) in zip(cells.indices, servings) { cells[index].guess = serving }
        }
        return cells.map {
            price($0, section, servingRow: servingRow, areHalfLitersBottles: isSweet && !haveBottles)
        }
    }

    /// The prices of a row.
    private func printed(_ row: ListRow, _ index: Int, _ section: ListSection, servingRow: Int?) -> [Printed] {
        let cells = row.cells.filter { $0.price != nil }
        let areBelowHeads = cells.contains { alignedHead(of: $0, index, section, servingRow: servingRow) != nil }
        let ordered = areBelowHeads ? nil : heads.inOrder(above: index, count: cells.count)
        return cells.enumerated().compactMap { place, cell in
            cell.price.map { price in
                Printed(row: index, cell: cell, price: price, guess: guess(cell), headInOrder: ordered?[place])
            }
        }
    }

    /// The head above a price.
    private func alignedHead(
        of cell: ListRow.Cell, _ row: Int, _ section: ListSection, servingRow: Int?
    ) -> ColumnHeads.Head? {
        cell.track.flatMap { heads.head(row: row, track: $0, section: section, below: servingRow) }
    }

    /// The servings that the ratio of two prices with a slash between them suggests; nil for other prices, and if their
    /// columns suggest a serving.
    private func servings(of cells: [ListRow.Cell]) -> [WineListPrice.Serving]? {
        guard cells.count == 2, cells.allSatisfy(\.isBesideSlash),
            cells.allSatisfy({ $0.track.flatMap { guesses[$0] } == nil }),
            let first = cells[0].price?.amount, let second = cells[1].price?.amount
        else { return nil }
        switch second * 100 / max(1, first) {
        case Self.minimumBottlePercentage...: return [.glass, .bottle]
        case ..<Self.maximumGlassPercentage: return [.bottle, .glass]
        default: return nil
        }
    }

    private func price(
        _ printed: Printed, _ section: ListSection, servingRow: Int?, areHalfLitersBottles: Bool
    ) -> WineListPrice {
        let (cell, price) = (printed.cell, printed.price)
        let head = alignedHead(of: cell, printed.row, section, servingRow: servingRow) ?? printed.headInOrder
        let isLabelled = cell.size != nil || cell.serving != nil
        let size = isLabelled ? cell.size : head?.size
        let printedServing = isLabelled ? cell.serving : head?.serving
        let usual = size.map { size -> WineListPrice.Serving in
            size == 500 && areHalfLitersBottles ? .bottle : PrintedSize.serving(of: size)
        }
        let stated = printedServing ?? usual
        let guess: WineListPrice.Serving? = isBottle(printed) ? .bottle : printed.guess
        let serving = stated ?? section.serving ?? guess ?? (section.isByGlass ? .glass : .bottle)
        return WineListPrice(
            size: size, serving: serving, amount: price.amount, currency: price.currency,
            confidence: cell.confidence * (stated == nil ? 8 : 10))
    }

    /// Whether a price in a column of glasses is that of a bottle: `145` below `16 / 64` and `22 / 88`.
    private func isBottle(_ printed: Printed) -> Bool {
        guard printed.guess == .glass, let highest = printed.cell.track.flatMap({ highestPrices[$0] }) else {
            return false
        }
        return printed.price.amount > 2 * highest
    }

    private func guess(_ cell: ListRow.Cell) -> WineListPrice.Serving? { cell.track.flatMap { guesses[$0] } }

    /// The lowest price of a bottle in percent of the price of a glass.
    private static let minimumBottlePercentage = 280
    /// The price of a glass is less than this percentage of the price of a bottle.
    private static let maximumGlassPercentage = 36

    /// Guesses servings from the ratios of prices. A bottle costs at least 2.8 times as much as a glass, and 1.6 to 2.8
    /// times as much as a half bottle. The bottle may be printed first.
    private static func guesses(_ rows: [ListRow]) -> [Int: WineListPrice.Serving] {
        // For each pair of neighbouring columns, the price at the right in percent of the price at the left.
        var percentages: [Int: [Int: [Int]]] = [:]
        for row in rows {
            let cells = row.cells.filter { $0.track != nil && $0.price != nil }
            for (left, right) in zip(cells, cells.dropFirst()) {
                guard let first = left.track, let second = right.track, let leftAmount = left.price?.amount,
                    let rightAmount = right.price?.amount
                else { continue }
                percentages[first, default: [:]][second, default: []].append(rightAmount * 100 / max(1, leftAmount))
            }
        }
        var guesses: [Int: WineListPrice.Serving] = [:]
        let counts = rows.flatMap { $0.cells.filter { $0.price != nil }.compactMap(\.track) }
            .reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let pairs = percentages.flatMap { first, others in
            others.map { (first: first, second: $0.key, ratios: $0.value.sorted()) }
        }.filter { pair in
            // If less than a third of a column's prices have a neighbour, no serving is derived from the pairs.
            let smaller = pair.ratios[pair.ratios.count / 2] < 100 ? pair.second : pair.first
            return pair.ratios.count * 3 >= counts[smaller] ?? 0
        }
        for pair in pairs.sorted(by: { ($0.ratios.count, $1.first) > ($1.ratios.count, $0.first) }) {
            switch pair.ratios[pair.ratios.count / 2] {
            case minimumBottlePercentage... where guesses[pair.first] == nil && guesses[pair.second] != .glass:
                guesses[pair.first] = .glass
                guesses[pair.second] = guesses[pair.second] ?? .bottle
            case 160..<minimumBottlePercentage where guesses[pair.first] == nil && guesses[pair.second] == .bottle:
                guesses[pair.first] = .half
            // The bottle is printed first. 36 % is 1 ÷ 2.8.
            case ..<maximumGlassPercentage where guesses[pair.first] != .glass && guesses[pair.second] == nil:
                guesses[pair.first] = guesses[pair.first] ?? .bottle
                guesses[pair.second] = .glass
            default: break
            }
        }
        // Smaller glasses are printed before a larger one: `6.50 | 8.75 | 25`.
        for pair in pairs.sorted(by: { $0.second > $1.second })
        where guesses[pair.second] == .glass && guesses[pair.first] == nil
            && (101..<minimumBottlePercentage).contains(pair.ratios[pair.ratios.count / 2])
        {
            guesses[pair.first] = .glass
        }
        return guesses
    }
}
