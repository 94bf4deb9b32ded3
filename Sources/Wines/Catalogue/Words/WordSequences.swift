/// The distinct names, each a sequence of word numbers.
struct WordSequences: Sendable {
    private var words: [UInt32] = []
    private var starts: [UInt32] = [0]
    private var knownSequences: [[UInt32]: UInt32] = [:]

    var count: Int { starts.count - 1 }
    var bytes: Int { (words.capacity + starts.capacity) * 4 }

    subscript(sequence: UInt32) -> ArraySlice<UInt32> {
        words[Int(starts[Int(sequence)])..<Int(starts[Int(sequence) + 1])]
    }

    /// Returns the number of a sequence. Adds the sequence if it is new.
    mutating func number(of sequence: [UInt32]) -> UInt32 {
        if let number = knownSequences[sequence] { return number }
        words.append(contentsOf: sequence)
        starts.append(UInt32(words.count))
        knownSequences[sequence] = UInt32(count - 1)
        return UInt32(count - 1)
    }

    /// Frees the lookup table. No sequence can be added afterwards.
    mutating func seal() {
        knownSequences = [:]
        words = Array(words)
        starts = Array(starts)
    }
}
