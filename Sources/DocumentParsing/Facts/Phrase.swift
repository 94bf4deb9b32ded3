/// A key phrase of the facts file: one or more words. A `*` at the start or end allows further letters there.
struct Phrase: Sendable, Equatable {
    let skeleton: [UInt8]
    let isOpenAtStart: Bool
    let isOpenAtEnd: Bool
    /// Whether only an exact match counts: `=WIR LEBENSMITTEL`.
    private let isExact: Bool
    /// The set of letters as bits; see `Skeleton.characterSet`. A line that lacks more than `tolerance` of them cannot
    /// contain the phrase.
    private let characterSet: UInt64

    /// Nil for a phrase without letters and digits.
    init?(_ text: some StringProtocol) {
        let body = text.filter { $0 != "*" }
        skeleton = Skeleton.of(String(body).unicodeScalars)
        isOpenAtStart = text.hasPrefix("*")
        isExact = text.hasPrefix("=")
        isOpenAtEnd = text.hasSuffix("*")
        guard !skeleton.isEmpty else { return nil }
        characterSet = Skeleton.characterSet(of: skeleton)
    }

    /// The number of letters that may be misread: none in exact or short phrases, one from five letters, two from nine.
    var tolerance: Int { isExact ? 0 : skeleton.count < 5 ? 0 : skeleton.count < 9 ? 1 : 2 }

    /// Finds the best match of the phrase among the words.
    ///
    /// A match begins and ends at word borders, except at an end with `*`.
    func match(in words: SkeletonLine) -> PhraseMatch? {
        guard (characterSet & ~words.characterSet).nonzeroBitCount <= tolerance else { return nil }
        var best: PhraseMatch?
        for word in words.starts.indices.prefix(24) {
            let bound = best.map { $0.distance - 1 } ?? tolerance
            guard bound >= 0 else { break }
            if let found = match(in: words, from: word, limit: bound) { best = found }
        }
        return best
    }

    /// The best match that begins in one word, with at most `limit` misread letters.
    private func match(in words: SkeletonLine, from word: Int, limit: Int) -> PhraseMatch? {
        let start = words.starts[word]
        let wordEnd = words.end(of: word)
        guard wordEnd > start else { return nil }
        var best: PhraseMatch?
        var bound = limit
        func consider(_ from: Int, _ to: Int) {
            guard bound >= 0, to <= words.flat.count, to > from else { return }
            let distance = Skeleton.distance(skeleton[...], words.flat[from..<to], limit: bound)
            guard distance <= bound else { return }
            best = PhraseMatch(words: word...words.word(at: to - 1), distance: distance)
            bound = distance - 1
        }
        // Tries all lengths up to `tolerance` letters shorter or longer than the phrase, the nearest first.
        for slack in 0...(2 * tolerance) {
            let length = skeleton.count + (slack.isMultiple(of: 2) ? -slack / 2 : (slack + 1) / 2)
            guard length > 0 else { continue }
            switch (isOpenAtStart, isOpenAtEnd) {
            case (false, false):
                if words.isEnd(start + length) { consider(start, start + length) }
            case (false, true): consider(start, start + length)
            case (true, false):
                if wordEnd - length >= start { consider(wordEnd - length, wordEnd) }
            case (true, true):
                guard wordEnd - length >= start else { continue }
                for from in start...min(wordEnd - length, start + 40) { consider(from, from + length) }
            }
        }
        return best
    }
}

/// The concatenated skeletons of a line's words, so that phrases are compared without copying.
struct SkeletonLine: Sendable {
    /// The characters of all words, without spaces.
    let flat: [UInt8]
    /// The start of each word in `flat`; an empty word has the start of the next word.
    let starts: [Int]
    /// The index of the word of each character in `flat`.
    private let wordOfCharacter: [Int]
    /// The set of characters; see `Skeleton.characterSet`.
    let characterSet: UInt64

    init(_ words: [[UInt8]]) {
        var flat: [UInt8] = []
        var starts: [Int] = []
        var wordOfCharacter: [Int] = []
        for (index, word) in words.enumerated() {
            starts.append(flat.count)
            flat += word
            wordOfCharacter += repeatElement(index, count: word.count)
        }
        self.flat = flat
        self.starts = starts
        self.wordOfCharacter = wordOfCharacter
        characterSet = Skeleton.characterSet(of: flat)
    }

    func end(of word: Int) -> Int { word + 1 < starts.count ? starts[word + 1] : flat.count }
    func word(at position: Int) -> Int { wordOfCharacter[position] }

    /// Whether a word ends before `position`.
    func isEnd(_ position: Int) -> Bool {
        position == flat.count
            || (position > 0 && position < flat.count && wordOfCharacter[position] != wordOfCharacter[position - 1])
    }
}

/// The words of a line that match a phrase.
struct PhraseMatch: Sendable, Equatable {
    let words: ClosedRange<Int>
    /// The number of misread letters; 0 for an exact match.
    let distance: Int
}
