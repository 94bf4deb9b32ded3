import Domain

/// Finds the changes of single amounts that close a difference, and says whether they are the only plausible ones.
///
/// Up to three changes, of which one may have nothing but a likeness for it; time grows with the number of candidates,
/// not with its square.
struct RepairSearch {
    struct Change: Sendable, Equatable {
        var item: Int
        var value: Int64
        var source: PriceCell.Candidate.Source
        var delta: Int64
        var cost: Int
        /// Nothing but a likeness speaks for it.
        var isWeak: Bool { source >= .lookAlike }
    }

    private let changes: [Change]
    private let difference: Int64

    /// - Parameters:
    ///   - values: what the lines say now; an unread line counts as zero.
    ///   - candidates: for each line its other readings.
    init(values: [Int64], candidates: [[PriceCell.Candidate]], difference: Int64) {
        var changes: [Change] = []
        for (index, pool) in candidates.enumerated() {
            var best: [Int64: PriceCell.Candidate.Source] = [:]
            for candidate in pool where candidate.value != values[index] {
                best[candidate.value] = min(best[candidate.value] ?? .missing, candidate.source)
            }
            for (value, source) in best {
                changes.append(
                    Change(
                        item: index, value: value, source: source, delta: value - values[index],
                        cost: Self.cost(source)))
            }
        }
        self.changes = changes.sorted { ($0.cost, $0.item, $0.value) < ($1.cost, $1.item, $1.value) }
        self.difference = difference
    }

    private static func cost(_ source: PriceCell.Candidate.Source) -> Int {
        switch source {
        case .product, .reread, .alternative, .separator, .sign: 2
        case .extra, .letters: 3
        case .lookAlike: 6
        case .missing: 7
        }
    }

    /// The sets of changes that close the difference, cheapest first; none that costs much more than the cheapest.
    func solutions() -> [[Change]] {
        var found: [[Change]] = []
        var least = Int.max
        func take(_ set: [Change]) {
            let cost = set.reduce(0) { $0 + $1.cost } + set.count
            guard cost <= least.addingReportingOverflow(1).partialValue || least == .max else { return }
            least = min(least, cost)
            found.append(set)
        }
        for change in changes where change.delta == difference { take([change]) }
        // One change that everything speaks for is not weighed against pairs of weak ones.
        if found.isEmpty || least > 5 {
            var byDelta: [Int64: [Int]] = [:]
            for (index, change) in changes.enumerated() {
                for other in byDelta[difference - change.delta] ?? []
                where changes[other].item != change.item && !(changes[other].isWeak && change.isWeak) {
                    guard found.count < 64 else { break }
                    take([changes[other], change])
                }
                byDelta[change.delta, default: []].append(index)
            }
        }
        if found.isEmpty || least > 9 { for set in triples() { take(set) } }
        return found.filter { $0.reduce(0) { $0 + $1.cost } + $0.count <= least + 1 }
    }

    /// Two changes with more than a likeness for them, and a third of any kind.
    private func triples() -> [[Change]] {
        let strong = Array(changes.filter { $0.cost <= 3 }.prefix(60))
        var byDelta: [Int64: [Change]] = [:]
        for change in changes { byDelta[change.delta, default: []].append(change) }
        var found: [[Change]] = []
        for (i, first) in strong.enumerated() {
            for second in strong.dropFirst(i + 1) where second.item != first.item {
                for third in byDelta[difference - first.delta - second.delta] ?? []
                where third.item != first.item && third.item != second.item {
                    let set = [first, second, third].sorted { $0.item < $1.item }
                    if !found.contains(set) { found.append(set) }
                    if found.count > 32 { return found }
                }
            }
        }
        return found
    }
}
