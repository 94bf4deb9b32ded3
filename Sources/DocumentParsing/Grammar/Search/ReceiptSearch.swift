import Domain
import Recognition

/// Finds the reading of a whole receipt with the lowest cost.
struct ReceiptSearch {
    struct Result {
        var place: TotalPlace
        var total: AmountReading?
        var path: [Lattice.Arc]
        var sum: Int64
        var cost: Int
        /// Lines with another amount in a second reading that is nearly as likely.
        var doubtful: Set<Int> = []
        /// Whether the lines add up to the total.
        var isBalanced: Bool { total?.value == sum }
    }

    let lattice: Lattice
    let best: Result?

    /// - Parameter evidence: returns the evidence for the total in the lines below a place.
    init(_ view: LineView, _ patterns: LinePatterns, evidence: (TotalPlace) -> TailEvidence) {
        let places = TotalPlaces(view: view, patterns: patterns).all().map { ($0, evidence($0)) }
        let last = places.map(\.0.end).max() ?? 0
        let hypotheses = (0..<last).map { index in patterns.hypotheses(at: index).filter { $0.end <= last } }
        var ends = [Int](repeating: Lattice.unreachableCost, count: last + 1)
        for (place, evidence) in places { ends[place.end] = min(ends[place.end], evidence.lowestCost(place)) }
        func build(_ width: Int, maximum: Int, bound: Int) -> Lattice {
            Lattice(hypotheses, view: view, ends: ends, width: max(8, min(width, maximum / max(1, last))), bound: bound)
        }
        var lattice = build(Self.sumsInFirstPass, maximum: Self.maximumInFirstPass, bound: Lattice.unreachableCost)
        var best = Self.best(lattice, places)
        // If the lines do not add up, several amounts may be misread: search with more nodes for a reading with a lower
        // cost.
        if let found = best, !found.isBalanced {
            let secondLattice = build(Self.sumsInSecondPass, maximum: Self.maximumInSecondPass, bound: found.cost)
            if let other = Self.best(secondLattice, places), other.cost < found.cost {
                best = other
                lattice = secondLattice
            }
        }
        self.lattice = lattice
        self.best = best
    }

    /// Maximum number of sums kept at one place in the first pass, and in the second.
    private static let sumsInFirstPass = 150
    private static let sumsInSecondPass = 2_000
    /// Maximum number of sums at all places together. It bounds memory and time on receipts of thousands of lines.
    private static let maximumInFirstPass = 40_000
    private static let maximumInSecondPass = 200_000

    /// The reading with the lowest cost that ends at one of the places.
    private static func best(_ lattice: Lattice, _ places: [(TotalPlace, TailEvidence)]) -> Result? {
        var best: (node: Int, result: Result)?
        for (place, evidence) in places {
            for node in lattice.places[place.end] {
                let (total, cost) = evidence.total(
                    place, sum: lattice.nodes[node].sum, hasItems: lattice.nodes[node].isInBody)
                let wholeCost = lattice.nodes[node].cost + cost
                guard wholeCost < best?.result.cost ?? .max else { continue }
                best = (
                    node, Result(place: place, total: total, path: [], sum: lattice.nodes[node].sum, cost: wholeCost)
                )
            }
        }
        guard var found = best else { return nil }
        found.result.path = lattice.path(to: found.node)
        if found.result.isBalanced {
            found.result.doubtful = lattice.doubtful(found.result.path, to: found.node, maximumDifference: Costs.doubt)
        }
        return found.result
    }
}

/// Evidence below a line that may be the total: other sources of the total, and lines that look like items.
struct TailEvidence {
    /// The sources that state the total.
    var sources: TotalSources
    /// Cost of the lines below that belong to no item.
    var textCost: Int
    /// Cost of the lines below that look like items.
    var itemCost: Int

    /// The likeliest total for a given sum of the lines, and its cost.
    func total(_ place: TotalPlace, sum: Int64, hasItems: Bool) -> (AmountReading?, Int) {
        let base = place.cost + textCost + (hasItems ? 0 : Costs.lostItem)
        var best: (AmountReading?, Int) = (nil, base + itemCost + Costs.totalUnread)
        let others = sources.values.filter { $0.key != .printed }.map(\.value)
        for reading in options(place) {
            // An amount without a key word is a total only if the lines or another source agree.
            if !place.hasKeyWord, reading.value != sum, !others.contains(reading.value) { continue }
            var total = base + reading.cost
            for value in others { total += value == reading.value ? Costs.totalConfirmed : Costs.totalContradicted }
            // If another source confirms the total, lines below that look like items cost less.
            total += others.contains(reading.value) ? itemCost / 3 : itemCost
            if hasItems, reading.value != sum { total += Costs.sumDiffers }
            if total < best.1 { best = (reading, total) }
        }
        if !place.hasKeyWord, best.0 == nil { best.1 = Lattice.unreachableCost }
        return best
    }

    /// The lowest cost if the items end at the place, whatever their sum.
    func lowestCost(_ place: TotalPlace) -> Int {
        let options = options(place)
        let sums = options.isEmpty ? [0] : options.map(\.value)
        return sums.map { total(place, sum: $0, hasItems: true).1 }.min() ?? Lattice.unreachableCost
    }

    /// The possible values of a total, from its line and from other sources.
    private func options(_ place: TotalPlace) -> [AmountReading] {
        var options = place.readings
        // Other sources add no values to an amount without a key word.
        guard place.hasKeyWord else { return options }
        for (source, value) in sources.values
        where source != .printed && !options.contains(where: { $0.value == value }) {
            // A value that replaces a printed total costs more than a value for a missing total.
            let cost = place.line == nil ? Costs.lookAlike : Costs.missingDigit
            options.append(AmountReading(value: value, cost: cost, source: .missing))
        }
        return options
    }
}
