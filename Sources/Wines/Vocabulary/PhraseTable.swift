/// Phrases of one or more words and what they mean.
struct PhraseTable<Value: Sendable>: Sendable {
    /// By folded words, joined by blanks.
    private var values: [String: Value] = [:]
    /// Words of the longest phrase.
    private var longest = 1

    /// Later phrases replace earlier ones.
    mutating func add(_ phrase: String, _ value: Value) {
        let words = WineText.words(phrase)
        guard !words.isEmpty else { return }
        values[words.joined(separator: " ")] = value
        longest = max(longest, words.count)
    }

    subscript(words: some Collection<String>) -> Value? { values[words.joined(separator: " ")] }

    /// The phrases of a text from left to right; where several begin, the longest.
    func find(in words: [String]) -> [(range: Range<Int>, value: Value)] {
        var found: [(range: Range<Int>, value: Value)] = []
        var start = 0
        while start < words.count {
            let ends = stride(from: min(words.count, start + longest), to: start, by: -1)
            if let hit = ends.lazy.compactMap({ end in self[words[start..<end]].map { (start..<end, $0) } }).first {
                found.append(hit)
                start = hit.0.upperBound
            } else {
                start += 1
            }
        }
        return found
    }
}
