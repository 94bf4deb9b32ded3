/// For each word, the labels that have it in their producer or name.
struct WordPostings: Sendable {
    private var labels: [UInt32]
    /// The start of each word's labels, followed by the end of the last.
    private var starts: [UInt32]
    /// The information of each word in bits: log2(labels ÷ labels that have the word).
    private var weights: [Float16]

    var bytes: Int { (labels.capacity + starts.capacity) * 4 + weights.capacity * 2 }

    init(_ all: WineLabels, _ sequences: WordSequences, words: Int) {
        var starts = [UInt32](repeating: 0, count: words + 1)
        Self.forEach(all, sequences, words) { starts[$1 + 1] += 1 }
        for index in stride(from: 1, through: words, by: 1) { starts[index] += starts[index - 1] }
        var labels = [UInt32](repeating: 0, count: Int(starts[words]))
        // The position of the next label of each word.
        var next = starts
        Self.forEach(all, sequences, words) { label, word in
            labels[Int(next[word])] = label
            next[word] += 1
        }
        self.labels = labels
        self.starts = starts
        weights = (0..<words).map { word in
            let count = max(1, Int(starts[word + 1] - starts[word]))
            return Float16(Self.bits(Float(all.count + 1) / Float(count)))
        }
    }

    /// Calls `body` once for each label and word.
    private static func forEach(
        _ all: WineLabels, _ sequences: WordSequences, _ words: Int, _ body: (UInt32, Int) -> Void
    ) {
        var last = [UInt32](repeating: .max, count: words)
        for label in 0..<UInt32(all.count) {
            for sequence in [all.producers[Int(label)], all.names[Int(label)]] {
                for word in sequences[sequence] where last[Int(word)] != label {
                    last[Int(word)] = label
                    body(label, Int(word))
                }
            }
        }
    }

    /// The labels that have a word, in ascending order.
    subscript(word: UInt32) -> ArraySlice<UInt32> { labels[Int(starts[Int(word)])..<Int(starts[Int(word) + 1])] }

    func weight(_ word: UInt32) -> Float { Float(weights[Int(word)]) }

    /// The binary logarithm: the exponent plus a parabola for the mantissa; at least 0.3.
    static func bits(_ value: Float) -> Float {
        guard value > 1 else { return 0.3 }
        let rest = value.significand
        return max(0.3, Float(value.exponent) + (-1 / 3 * rest + 2) * rest - 5 / 3)
    }
}
