import Recognition

/// A possible value of a printed amount.
struct AmountReading: Sendable, Equatable {
    var value: Int64
    var cost: Int
    /// How the value was guessed; nil for the value that was read.
    var source: PriceCell.Candidate.Source?
}

/// All possible values of an amount with their costs, one entry per value.
struct AmountReadings: Sendable {
    /// Lowest cost first.
    private(set) var all: [AmountReading] = []
    /// Maximum number of values kept for one amount.
    private static let maximumValues = 14
    /// Maximum number of alternatives of one word that are considered. Later alternatives are hardly ever right.
    fileprivate static let maximumOffered = 6

    /// - Parameter seen: values found when the same area of the image was read again.
    init(_ cell: PriceCell, in line: PrintedLine, seen: [Int64], isText: Bool) {
        let confidence = line.confidence(cell.range)
        if let value = cell.value {
            let cost = cell.isExact ? Costs.sure + max(0, 75 - confidence) : Costs.damaged
            add(AmountReading(value: value, cost: cost, source: nil))
        }
        guard !isText else {
            for candidate in cell.candidates where candidate.source == .sign { add(candidate) }
            return
        }
        for candidate in cell.candidates { add(candidate) }
        var offered: [Int64] = []
        for value in line.offeredAmounts(at: cell.range, maximum: Self.maximumOffered)
        where value != cell.value && !offered.contains(value) { offered.append(value) }
        for (rank, value) in offered.enumerated() {
            add(AmountReading(value: value, cost: Costs.offered + Costs.rank * rank, source: .alternative))
        }
        for value in seen { add(AmountReading(value: value, cost: Costs.reread, source: .reread)) }
        if let value = cell.value, value != 0 {
            let certainty = confidence >= 90 ? Costs.againstSureWord : confidence >= 75 ? Costs.againstClearWord : 0
            for neighbour in Confusions.neighbours(of: value, maximum: Self.maximumValues) {
                add(
                    AmountReading(
                        value: neighbour.value,
                        cost: neighbour.cost + certainty + (cell.isExact ? 0 : Costs.misreadAndDamaged),
                        source: .lookAlike))
            }
        }
        addOtherEngine(line.otherEngineAmounts(at: cell.range))
        all.sort { ($0.cost, $0.value) < ($1.cost, $1.value) }
        all = Array(all.filter { $0.cost <= Costs.ceiling }.prefix(Self.maximumValues))
    }

    private mutating func add(_ candidate: PriceCell.Candidate) {
        let cost =
            switch candidate.source {
            case .product: Costs.product
            case .reread: Costs.reread
            case .alternative: Costs.offered
            case .separator: Costs.separator
            case .sign: Costs.sign
            case .extra: Costs.extraDigits
            case .letters: Costs.letters
            case .lookAlike: Costs.lookAlike
            case .missing: Costs.missingDigit
            }
        add(AmountReading(value: candidate.value, cost: cost, source: candidate.source))
    }

    private mutating func add(_ reading: AmountReading) {
        if let index = all.firstIndex(where: { $0.value == reading.value }) {
            if reading.cost < all[index].cost { all[index] = reading }
        } else {
            all.append(reading)
        }
    }

    /// Adds the other engine's readings. The engines are independent, so their costs add up.
    private mutating func addOtherEngine(_ seen: [(value: Int64, cost: Int)]) {
        guard !seen.isEmpty else { return }
        for other in seen where !all.contains(where: { $0.value == other.value }) {
            add(AmountReading(value: other.value, cost: Costs.unseen, source: .alternative))
        }
        for index in all.indices {
            let other = seen.first { $0.value == all[index].value }?.cost ?? Costs.unseen
            all[index].cost += min(other, Costs.unseen)
        }
        let least = all.map(\.cost).min() ?? 0
        for index in all.indices { all[index].cost -= least }
    }
}

extension PrintedLine {
    /// Amounts that the other engine read at `range`, with their costs, lowest cost first; empty if it read none.
    func otherEngineAmounts(at range: Range<Int>) -> [(value: Int64, cost: Int)] {
        let words = otherEngineWords(at: range)
        var found: [(value: Int64, cost: Int)] = []
        func addAmount(_ text: String, _ cost: Int) {
            let amounts = FigureScanner.figures(in: text).compactMap(\.amount)
            guard amounts.count == 1, !found.contains(where: { $0.value == amounts[0] }) else { return }
            found.append((amounts[0], cost))
        }
        // One engine may split an amount into two words where the other reads one.
        addAmount(words.map(\.text).joined(), words.compactMap(\.costs.first).max() ?? Costs.otherEngine)
        for word in words {
            addAmount(word.text, word.costs.first ?? Costs.otherEngine)
            for (rank, text) in word.alternatives.prefix(AmountReadings.maximumOffered).enumerated() {
                addAmount(text, word.costs[safe: rank + 1] ?? Costs.offered + Costs.rank * rank)
            }
        }
        return found.sorted { $0.cost < $1.cost }
    }
}
