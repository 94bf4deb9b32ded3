import Domain

/// A line that may be the total, or the place where the items end if no total was found.
struct TotalPlace: Sendable {
    /// The line with the amount; nil if there is none.
    var line: Int?
    /// The first line after the items.
    var end: Int
    /// Cost of reading this line as the total, without the cost of its amount.
    var cost: Int
    /// Possible values of the amount, lowest cost first; empty if it was not read.
    var readings: [AmountReading] = []
    /// False for an amount without a key word of the total.
    var hasKeyWord = true
}

/// Finds the lines that may be the total.
struct TotalPlaces {
    let view: LineView
    let patterns: LinePatterns
    /// Maximum number of lines considered.
    private static let maximumLines = 10

    private var lines: [ReadLine] { view.lines }

    func all() -> [TotalPlace] {
        var found: [TotalPlace] = []
        let first = lines.indices.first { (lines[$0].price?.value) != nil } ?? lines.count
        for index in lines.indices where index > first || lines[index].begins(with: .total) {
            if let place = place(index) { found.append(place) }
        }
        if !found.contains(where: \.hasKeyWord) {
            let items = lines.indices.filter { SectionFinder.looksLikeItem(lines[$0]) }
            let start = items.dropFirst().first.map { $0 + 1 } ?? lines.count
            found += (start..<lines.count).compactMap(misreadTotal)
        }
        found = Array(found.sorted { $0.cost < $1.cost }.prefix(Self.maximumLines))
        found += ends()
        return found
    }

    /// The line as a possible total; nil if it cannot be one.
    private func place(_ index: Int) -> TotalPlace? {
        let line = lines[index]
        guard let price = line.price, line.dates.days.isEmpty else { return nil }
        let readings = patterns.totals(price, line)
        guard !readings.isEmpty else { return nil }
        func named(_ cost: Int) -> TotalPlace { TotalPlace(line: index, end: index, cost: cost, readings: readings) }
        if SectionFinder.isTotal(line), !line.begins(with: .subtotal) { return named(Costs.totalWord) }
        if SectionFinder.hasTotalWord(lines, above: index) {
            return TotalPlace(line: index, end: index - 1, cost: Costs.totalWord + Costs.splitItem, readings: readings)
        }
        let isOfTax = line.roles[.total].map { SectionFinder.isTotalOfTax(line, $0) } ?? false
        guard line.amounts.count <= 1, !isOfTax, !line.figures.contains(where: \.isPercent) else { return nil }
        if line.begins(with: .subtotal) { return named(Costs.subtotalAsTotal) }
        if line.begins(with: .weakTotal) || line.begins(with: .total) || line.hasTotalWordInside {
            return named(Costs.weakTotalWord)
        }
        let header = line.roles[.columnHeader]?.words
        let letters = line.nameRange.count {
            line.line.text[$0].isLatinLetter && !(header?.contains(line.line.wordAt[$0]) ?? false)
        }
        if letters <= 2, price.isExact {
            let cost = Costs.unnamedTotal + (isRepeated(price, below: index) ? 0 : Costs.noTotal)
            return TotalPlace(line: index, end: index, cost: cost, readings: readings, hasKeyWord: false)
        }
        return nil
    }

    private func isRepeated(_ price: PriceCell, below index: Int) -> Bool {
        lines[(index + 1)...].contains { later in
            later.price != nil && later.amounts.contains { $0.amount == price.value }
        }
    }

    /// A line with a word that may be a misread word for the total: `TaTsL EUR  15,24`.
    ///
    /// - Parameter index: a line below at least two items.
    private func misreadTotal(_ index: Int) -> TotalPlace? {
        let line = lines[index]
        let others: [Role] = Role.closing + [.discount, .coupon, .deposit, .rounding, .tax]
        guard let price = line.price, price.isExact, price.vatClass == nil, line.quantity == nil,
            line.amounts.count == 1,
            (3...12).contains(line.nameLetterCount), !line.isDated, !line.figures.contains(where: \.isPercent),
            !others.contains(where: line.begins), view.isInColumn(line, price.range)
        else { return nil }
        let cost =
            Costs.unnamedTotal + Costs.misreadTotalWord + (isRepeated(price, below: index) ? 0 : Costs.noTotal)
        return TotalPlace(
            line: index, end: index, cost: cost, readings: patterns.totals(price, line), hasKeyWord: false)
    }

    /// Places where the items may end if no line of the total was read: at a word of the total without an amount,
    /// before the first payment, tax table or card slip, and after the last line.
    private func ends() -> [TotalPlace] {
        var found: [TotalPlace] = []
        let first = lines.indices.first { lines[$0].price?.isExact ?? false } ?? 0
        for index in lines.indices where index > first {
            let line = lines[index]
            if line.begins(with: .total), line.price == nil, line.figures.isEmpty, line.line.letterCount <= 14 {
                found.append(TotalPlace(line: nil, end: index, cost: Costs.wordWithoutTotal))
                break
            }
        }
        if let index = lines.indices.first(where: { index in
            index > first
                && (Role.closing.contains(where: lines[index].begins)
                    || SectionFinder.isTableHead(lines[index]))
        }) {
            found.append(TotalPlace(line: nil, end: index, cost: Costs.noTotal))
        }
        found.append(TotalPlace(line: nil, end: lines.count, cost: Costs.noTotalAtAll))
        return found
    }
}

extension ReadLine {
    /// Whether print from the back or from another sheet precedes the word of the total: `onbon Gesamtbetrag 25,15`.
    fileprivate var hasTotalWordInside: Bool {
        guard let match = roles[.total], match.distance == 0, let price else { return false }
        return line.characters(before: match.words.lowerBound) <= 8
            && match.words.upperBound < line.wordIndices(price.range).lowerBound
            && line.skeletons[match.words.lowerBound].count >= 5
    }
}

extension LinePatterns {
    func totals(_ price: PriceCell, _ line: ReadLine) -> [AmountReading] {
        let seen = rereadings.amounts(at: line.line.place(price.range)).map(\.value)
        return AmountReadings(price, in: line.line, seen: seen, isText: isText).all
    }
}
