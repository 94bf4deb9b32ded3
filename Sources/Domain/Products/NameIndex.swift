/// The words of all names in one buffer, which a search reads without copying.
struct NameIndex: Sendable {
    private struct Word: Sendable {
        let start: Int32
        let end: Int32
        let letters: LetterSet

        var count: Int { Int(end - start) }
    }

    private var bytes: [UInt8] = []
    private var words: [Word] = []
    /// The end of each name in `words`.
    private var ends: [Int32] = []

    mutating func append(_ name: String) {
        let start = bytes.count
        FoldedText.append(name, to: &bytes)
        for range in wordRanges(bytes[start...]) {
            words.append(
                Word(start: Int32(range.lowerBound), end: Int32(range.upperBound), letters: LetterSet(bytes[range])))
        }
        ends.append(Int32(words.count))
    }

    /// The names that match `query`, with scores above 0, best first; equal scores in the order of the names.
    func find(_ query: some StringProtocol) -> [(position: Int, score: Double)] {
        let queryWords = QueryWord.words(of: query)
        guard !queryWords.isEmpty else { return [] }
        var found: [(position: Int, score: Double)] = []
        var start = 0
        for (position, end) in ends.enumerated() {
            let score = self.score(of: queryWords, in: start..<Int(end))
            if score > 0 { found.append((position, score)) }
            start = Int(end)
        }
        return found.sorted { ($0.score, $1.position) > ($1.score, $0.position) }
    }

    /// A word of the query.
    private struct QueryWord {
        let text: [UInt8]
        let letters: LetterSet
        /// The number of letters that may be wrong, missing or added.
        let allowedErrors: Int

        static func words(of query: some StringProtocol) -> [QueryWord] {
            var bytes: [UInt8] = []
            FoldedText.append(query, to: &bytes)
            return wordRanges(bytes[...]).prefix(8).map { QueryWord(Array(bytes[$0])) }
        }

        private init(_ text: [UInt8]) {
            self.text = text
            letters = LetterSet(text[...])
            allowedErrors = text.count >= 8 ? 2 : text.count >= 4 ? 1 : 0
        }
    }

    /// The score of a name, at most 1; 0 if a word of the query does not match.
    ///
    /// - Parameter name: the range of the name's words.
    private func score(of queryWords: [QueryWord], in name: Range<Int>) -> Double {
        var sum = 0.0
        for query in queryWords {
            var best = 0.0
            for index in name {
                // A quick test that rejects most words.
                guard query.letters.missing(in: words[index].letters) <= query.allowedErrors else { continue }
                // The first words of a name are the most important.
                best = max(
                    best, closeness(of: query, to: words[index]) - 0.01 * Double(min(index - name.lowerBound, 5)))
                if best >= 0.99 { break }
            }
            guard best > 0.1 else { return 0 }
            sum += best
        }
        let surplus = max(0, name.count - queryWords.count)
        return sum / Double(queryWords.count) - 0.01 * Double(min(surplus, 9))
    }

    /// The similarity of a query word and a word of a name, 0…1.
    private func closeness(of query: QueryWord, to word: Word) -> Double {
        let count = query.text.count
        if word.count >= count {
            if occurs(query.text, at: Int(word.start)) { return word.count == count ? 1 : 0.9 }
            if count >= 3, contains(word, query.text) { return 0.7 }
        }
        guard query.allowedErrors > 0 else { return 0 }
        let allowed = query.allowedErrors
        if abs(word.count - count) <= allowed,
            let distance = editDistance(query.text, Array(text(of: word)), atMost: allowed)
        {
            return 0.65 - 0.1 * Double(distance)
        }
        // Allows a typing error in the beginning of a longer word. The first letter is rarely wrong.
        if word.count > count, bytes[Int(word.start)] == query.text[0] {
            for length in count...min(word.count, count + 1) {
                if editDistance(query.text, Array(text(of: word).prefix(length)), atMost: 1) != nil { return 0.45 }
            }
        }
        // German compounds: `kartofel` in Speisekartoffeln.
        if count >= 6, word.count > count + allowed, almostContains(word, query.text) { return 0.42 }
        return 0
    }

    private func text(of word: Word) -> ArraySlice<UInt8> { bytes[Int(word.start)..<Int(word.end)] }

    private func contains(_ word: Word, _ part: [UInt8]) -> Bool {
        (Int(word.start)...Int(word.end) - part.count).contains { occurs(part, at: $0) }
    }

    /// Whether the word contains `part` with one typing error after the first letter. One half of `part` must then
    /// occur without error, which is tested first because it is faster.
    private func almostContains(_ word: Word, _ part: [UInt8]) -> Bool {
        let half = part.count / 2
        let (start, end) = (Int(word.start), Int(word.end))
        for position in start...end - part.count + 1 where bytes[position] == part[0] {
            let isLikely =
                occurs(part[..<half], at: position)
                || (position + half - 1...position + half + 1).contains { tail in
                    tail + part.count - half <= end && occurs(part[half...], at: tail)
                }
            guard isLikely else { continue }
            for length in part.count - 1...part.count + 1 where position + length <= end {
                if editDistance(part, Array(bytes[position..<position + length]), atMost: 1) != nil { return true }
            }
        }
        return false
    }

    private func occurs(_ part: [UInt8], at start: Int) -> Bool { occurs(part[...], at: start) }

    private func occurs(_ part: ArraySlice<UInt8>, at start: Int) -> Bool {
        for (position, byte) in zip(start..., part) where bytes[position] != byte { return false }
        return true
    }
}

/// The set of letters and digits of a word, as bits, for quick rejection.
private struct LetterSet: Sendable {
    private var bits: UInt32 = 0

    init(_ word: ArraySlice<UInt8>) {
        // Digits and letters beyond ASCII share bits with other letters, so a set may be too large, but never too
        // small.
        for byte in word { bits |= 1 << UInt32(byte & 31) }
    }

    /// The number of letters that `others` does not have. Each is at least one error.
    func missing(in others: LetterSet) -> Int { (bits & ~others.bits).nonzeroBitCount }
}

/// The ranges of the words in folded text.
private func wordRanges(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for (index, byte) in zip(text.indices, text) {
        if byte.isFoldedLetter || byte.isDigit {
            if start == nil { start = index }
        } else if let begun = start {
            result.append(begun..<index)
            start = nil
        }
    }
    if let start { result.append(start..<text.endIndex) }
    return result
}
