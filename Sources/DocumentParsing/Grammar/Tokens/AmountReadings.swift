import Recognition

/// One value that the ink of an amount may mean.
struct AmountReading: Sendable, Equatable {
    var value: Int64
    /// See `Costs`.
    var cost: Int
    /// Nil for what was read, without a guess.
    var source: PriceCell.Candidate.Source?
    /// Two independent engines read this value.
    var isWitnessed = false
}

/// All values that an amount may have, each with its cost; one entry a value.
struct AmountReadings: Sendable {
    /// Cheapest first.
    private(set) var all: [AmountReading] = []
    /// Most values that are kept for one amount.
    private static let most = 14

    /// - Parameter seen: values of second looks at the same place.
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
        for (rank, value) in Self.offered(cell, in: line).enumerated() {
            add(AmountReading(value: value, cost: Costs.offered + 40 * rank, source: .alternative))
        }
        for value in seen { add(AmountReading(value: value, cost: Costs.reread, source: .reread)) }
        if let value = cell.value, value != 0 {
            let certainty =
                confidence >= 90 ? Costs.againstSureWord : confidence >= 75 ? Costs.againstClearWord : 0
            for neighbour in Confusions.neighbours(of: value, most: Self.most) {
                add(
                    AmountReading(
                        value: neighbour.value, cost: neighbour.cost + certainty + (cell.isExact ? 0 : 60),
                        source: .lookAlike))
            }
        }
        join(line.witnessedAmounts(at: cell.range), printed: cell.value)
        all.sort { ($0.cost, $0.value) < ($1.cost, $1.value) }
        all = Array(all.filter { $0.cost <= Costs.ceiling }.prefix(Self.most))
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
            if reading.cost < all[index].cost {
                let isWitnessed = all[index].isWitnessed || reading.isWitnessed
                all[index] = reading
                all[index].isWitnessed = isWitnessed
            }
        } else {
            all.append(reading)
        }
    }

    /// The amounts among the engine's other readings of the same word.
    private static func offered(_ cell: PriceCell, in line: PrintedLine) -> [Int64] {
        let words = line.wordIndices(cell.range)
        guard words.count == 1, let word = line.words[safe: words.lowerBound] else { return [] }
        var values: [Int64] = []
        for text in word.alternatives.prefix(6) {
            guard let value = FigureScanner.figures(in: Array(text.unicodeScalars.prefix(40))).last?.amount else {
                continue
            }
            if value != cell.value, !values.contains(value) { values.append(value) }
        }
        return values
    }

    /// Joins the readings of the other engine: both are independent, so their costs add up.
    private mutating func join(_ seen: [(value: Int64, cost: Int)], printed: Int64?) {
        guard let first = seen.first else { return }
        for other in seen where !all.contains(where: { $0.value == other.value }) {
            add(AmountReading(value: other.value, cost: Costs.unseen, source: .alternative))
        }
        for index in all.indices {
            let other = seen.first { $0.value == all[index].value }?.cost ?? Costs.unseen
            all[index].cost += min(other, Costs.unseen)
            all[index].isWitnessed = all[index].value == first.value && first.value == printed
        }
        let least = all.map(\.cost).min() ?? 0
        for index in all.indices { all[index].cost -= least }
    }
}

extension PrintedLine {
    /// Amounts that the other engine read where `range` is printed, each with its cost, cheapest first; empty without one.
    func witnessedAmounts(at range: Range<Int>) -> [(value: Int64, cost: Int)] {
        let box = box(range)
        let words = witness.filter { word in
            let shared = min(word.box.maxX, box.maxX) - max(word.box.x, box.x)
            return shared * 2 >= min(word.box.width, box.width)
        }
        var found: [(value: Int64, cost: Int)] = []
        func take(_ text: String, _ cost: Int) {
            let amounts = FigureScanner.figures(in: Array(text.unicodeScalars.prefix(40))).compactMap(\.amount)
            guard amounts.count == 1, !found.contains(where: { $0.value == amounts[0] }) else { return }
            found.append((amounts[0], cost))
        }
        // The engine may part an amount where the other does not.
        take(words.map(\.text).joined(), words.compactMap(\.costs.first).max() ?? Costs.first)
        for word in words {
            take(word.text, word.costs.first ?? Costs.first)
            for (rank, text) in word.alternatives.prefix(6).enumerated() {
                take(text, word.costs[safe: rank + 1] ?? Costs.offered + 40 * rank)
            }
        }
        return found.sorted { $0.cost < $1.cost }
    }
}
