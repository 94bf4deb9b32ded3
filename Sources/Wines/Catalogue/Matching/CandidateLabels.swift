/// The labels that have the most words in common with a query. Rare words weigh more.
struct CandidateLabels {
    /// A hash table: the label of each slot, or `.max` if the slot is free.
    private var keys: [UInt32]
    /// The score of the label in each slot.
    private var scores: [Float]
    /// The slots that have a label.
    private var usedSlots: [Int] = []
    /// The number of bits that are removed from a hash to get a slot.
    private let shift: UInt32
    /// The maximum number of labels scored for one query. The labels of the most frequent words are skipped first.
    static let maximumLabels = 16_000

    init(_ query: WineQuery) {
        var lists: [(labels: ArraySlice<UInt32>, score: Float)] = []
        for word in query.words {
            for reading in word.readings {
                let labels = query.index.postings[reading.word]
                let weight = query.index.postings.weight(reading.word)
                if !labels.isEmpty { lists.append((labels, weight * reading.likeness * reading.likeness)) }
            }
        }
        lists.sort { $0.labels.count < $1.labels.count }
        var total = 0
        var scored = lists.prefix { list in
            total += list.labels.count
            return total <= Self.maximumLabels
        }
        // If all words are frequent, only labels of the rarest word are scored.
        if scored.isEmpty, let first = lists.first {
            scored = [(first.labels.prefix(Self.maximumLabels), first.score)]
        }
        // At least half of the slots remain free.
        let needed = max(32, 2 * scored.reduce(0) { $0 + $1.labels.count })
        shift = UInt32((UInt32(needed) - 1).leadingZeroBitCount)
        let slots = 1 << (32 - Int(shift))
        keys = [UInt32](repeating: .max, count: slots)
        scores = [Float](repeating: 0, count: slots)
        for list in scored {
            for label in list.labels { add(label, list.score) }
        }
    }

    /// The number of labels that were scored.
    var labelCount: Int { usedSlots.count }

    private mutating func add(_ label: UInt32, _ score: Float) {
        var slot = Int((label &* 2_654_435_769) >> shift)
        while keys[slot] != label, keys[slot] != .max { slot = (slot + 1) & (keys.count - 1) }
        if keys[slot] == .max {
            keys[slot] = label
            usedSlots.append(slot)
        }
        scores[slot] += score
    }

    /// Returns at most `count` labels with the highest scores, unordered.
    func best(_ count: Int) -> [UInt32] {
        guard usedSlots.count > count else { return usedSlots.map { keys[$0] } }
        // A histogram of the scores gives the lowest score that at most `count` labels reach.
        let highest = usedSlots.reduce(0) { max($0, scores[$1]) }
        var counts = [Int](repeating: 0, count: 257)
        for slot in usedSlots { counts[Int(scores[slot] / highest * 256)] += 1 }
        // `above` is the number of labels with a score above `level`.
        var (level, above) = (256, 0)
        while level > 0, above + counts[level] <= count {
            above += counts[level]
            level -= 1
        }
        let least = Float(level + 1) / 256 * highest
        var best = usedSlots.filter { scores[$0] >= least }.map { keys[$0] }
        // Adds the best labels of the next lower level until there are `count`. Labels with equal scores are added in
        // the order of the catalogue.
        if best.count < count {
            let rest = usedSlots.filter { scores[$0] < least && Int(scores[$0] / highest * 256) == level }
            best += rest.sorted { (scores[$0], keys[$1]) > (scores[$1], keys[$0]) }.prefix(count - best.count).map {
                keys[$0]
            }
        }
        return best
    }
}
