/// The labels that have the most words in common with a query. Rare words weigh more.
struct CandidateLabels {
    /// A hash table: the label of each slot, or `.max` if the slot is free.
    private var keys: [UInt32]
    /// The score of the label in each slot.
    private var scores: [Float]
    /// The slots that have a label.
    private var used: [Int] = []
    /// The number of slots.
    private static let slots = 1 << 15
    /// The maximum number of labels scored for one query. The labels of the most frequent words are skipped first.
    private static let mostLabels = 16_000

    init(_ query: WineQuery) {
        keys = [UInt32](repeating: .max, count: Self.slots)
        scores = [Float](repeating: 0, count: Self.slots)
        var lists: [(labels: ArraySlice<UInt32>, score: Float)] = []
        for word in query.words {
            for reading in word.readings {
                let labels = query.index.postings[reading.word]
                let weight = query.index.postings.weight(reading.word)
                if !labels.isEmpty { lists.append((labels, weight * reading.likeness * reading.likeness)) }
            }
        }
        lists.sort { $0.labels.count < $1.labels.count }
        var left = Self.mostLabels
        for list in lists {
            guard list.labels.count <= left else { break }
            left -= list.labels.count
            for label in list.labels { add(label, list.score) }
        }
        // If all words are frequent, only the labels of the rarest word are scored.
        if left == Self.mostLabels, let first = lists.first {
            for label in first.labels.prefix(left) { add(label, first.score) }
        }
    }

    private mutating func add(_ label: UInt32, _ score: Float) {
        var slot = Int((label &* 2_654_435_769) >> 17)
        while keys[slot] != label, keys[slot] != .max { slot = (slot + 1) & (Self.slots - 1) }
        if keys[slot] == .max {
            keys[slot] = label
            used.append(slot)
        }
        scores[slot] += score
    }

    /// The labels with the highest scores, unordered.
    func best(_ count: Int) -> [UInt32] {
        guard used.count > count else { return used.map { keys[$0] } }
        // A histogram of the scores gives the lowest score that at most `count` labels reach.
        let highest = used.reduce(0) { max($0, scores[$1]) }
        var counts = [Int](repeating: 0, count: 257)
        for slot in used { counts[Int(scores[slot] / highest * 256)] += 1 }
        var (level, above) = (256, 0)
        while level > 0, above + counts[level] <= count {
            above += counts[level]
            level -= 1
        }
        let least = Float(level + 1) / 256 * highest
        var best = used.filter { scores[$0] >= least }.map { keys[$0] }
        // Fills up with the best labels of the next lower level; of equal ones, those that come first in the catalogue.
        if best.count < count {
            let rest = used.filter { scores[$0] < least && Int(scores[$0] / highest * 256) == level }
            best += rest.sorted { (scores[$0], keys[$1]) > (scores[$1], keys[$0]) }.prefix(count - best.count).map {
                keys[$0]
            }
        }
        return best
    }
}
