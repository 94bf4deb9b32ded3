/// A key phrase of the facts: one or more words, perhaps open at its ends.
struct Phrase: Sendable, Equatable {
    let skeleton: [UInt8]
    let isOpenAtStart: Bool
    let isOpenAtEnd: Bool
    /// One bit for each sign that occurs; a line that lacks more of them than may be misread cannot hold the phrase.
    private let signs: UInt64

    /// Nothing for a phrase without letters.
    init?(_ text: some StringProtocol) {
        let body = text.filter { $0 != "*" }
        skeleton = Skeleton.of(String(body).unicodeScalars)
        isOpenAtStart = text.hasPrefix("*")
        isOpenAtEnd = text.hasSuffix("*")
        guard !skeleton.isEmpty else { return nil }
        signs = Skeleton.signs(of: skeleton)
    }

    /// How many letters may be misread: none up to four, one from five, two from nine.
    var tolerance: Int { skeleton.count < 5 ? 0 : skeleton.count < 9 ? 1 : 2 }

    /// Where the phrase stands among the words, and how far it is from the print.
    ///
    /// - Parameters:
    ///   - words: skeletons; a match begins and ends at word borders unless the phrase is open there.
    ///   - present: the signs of all words, see `Skeleton.signs`.
    func match(in words: [[UInt8]], signs present: UInt64 = .max) -> PhraseMatch? {
        guard (signs & ~present).nonzeroBitCount <= tolerance else { return nil }
        var best: PhraseMatch?
        for start in words.indices.prefix(24) where !words[start].isEmpty {
            guard let found = match(in: words, from: start) else { continue }
            if found.distance < best?.distance ?? Int.max { best = found }
            if best?.distance == 0 { break }
        }
        return best
    }

    private func match(in words: [[UInt8]], from start: Int) -> PhraseMatch? {
        var joined: [UInt8] = []
        var best: PhraseMatch?
        for end in start..<min(start + 14, words.count) {
            joined += words[end]
            if words[end].isEmpty, end > start { continue }
            let distance = distance(to: joined)
            if distance <= tolerance, distance < best?.distance ?? Int.max {
                best = PhraseMatch(words: start...end, distance: distance)
            }
            if joined.count > skeleton.count + tolerance { break }
        }
        return best
    }

    private func distance(to word: [UInt8]) -> Int {
        guard word.count + tolerance >= skeleton.count else { return tolerance + 1 }
        if !isOpenAtStart, !isOpenAtEnd { return Skeleton.distance(skeleton[...], word[...], limit: tolerance) }
        let lengths = (max(1, skeleton.count - tolerance)...(skeleton.count + tolerance)).filter { $0 <= word.count }
        var best = tolerance + 1
        for length in lengths {
            let starts: ClosedRange<Int> =
                switch (isOpenAtStart, isOpenAtEnd) {
                case (false, _): 0...0
                case (true, false): (word.count - length)...(word.count - length)
                case (true, true): 0...min(word.count - length, 40)
                }
            for start in starts {
                best = min(best, Skeleton.distance(skeleton[...], word[start..<(start + length)], limit: tolerance))
                if best == 0 { return 0 }
            }
        }
        return best
    }
}

/// Where a phrase was found.
struct PhraseMatch: Sendable, Equatable {
    let words: ClosedRange<Int>
    /// 0 when it stands there letter by letter.
    let distance: Int
}
