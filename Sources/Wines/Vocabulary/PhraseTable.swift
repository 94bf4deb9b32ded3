/// Phrases of one or more words and their meanings.
struct PhraseTable<Value: Sendable>: Sendable {
    /// The meanings by phrase: folded words, joined by blanks.
    private var values: [String: Value] = [:]
    /// The number of words of the longest phrase.
    private var longest = 1

    /// Adds a phrase, or replaces its meaning.
    mutating func add(_ phrase: String, _ value: Value) {
        let words = WineText.words(phrase)
        guard !words.isEmpty else { return }
        values[words.joined(separator: " ")] = value
        longest = max(longest, words.count)
    }

    subscript(words: some Collection<String>) -> Value? { values[words.joined(separator: " ")] }

    /// The phrases of a text from left to right. Of phrases that begin at the same word, the longest is returned.
    func find(in words: [String]) -> [(range: Range<Int>, value: Value)] {
        var phrases: [(range: Range<Int>, value: Value)] = []
        var start = 0
        while start < words.count {
            let ends = stride(from: min(words.count, start + longest), to: start, by: -1)
            if let hit = ends.lazy.compactMap({ end in self[words[start..<end]].map { (start..<end, $0) } }).first {
                phrases.append(hit)
                start = hit.0.upperBound
            } else {
                start += 1
            }
        }
        return phrases
    }
}
