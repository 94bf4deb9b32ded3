import Recognition

/// Merges the words of a line that two engines read. For each cluster of overlapping words, it keeps the reading of one
/// engine.
///
/// The second engine reads figures, dashes, units and leaders much better, but sometimes omits words, and joins words
/// across wide blanks. Both read names equally well.
enum ListWords {
    /// A reading of the first engine that contains figures is kept only if its confidence exceeds that of the second
    /// engine by this number.
    private static let requiredLead = 35
    /// The minimum confidence of a word that only the first engine found; below it, the word is probably a speck.
    private static let minimumConfidence = 45

    static func words(_ line: RecognizedLine) -> [RecognizedWord] {
        guard !line.secondEngineWords.isEmpty else { return line.words.flatMap(\.parts) }
        let words = clusters(line).flatMap(best)
        return words.isEmpty ? line.words : words.sorted { $0.box.x < $1.box.x }
    }

    private struct Cluster {
        /// The right edge of the rightmost word, in pixels.
        var right: Int
        var first: [RecognizedWord] = []
        var second: [RecognizedWord] = []
    }

    /// Groups the words of both engines that overlap.
    private static func clusters(_ line: RecognizedLine) -> [Cluster] {
        let firstWords = line.words.map { (word: $0, isSecond: false) }
        let secondWords = line.secondEngineWords.flatMap(\.parts).map { (word: $0, isSecond: true) }
        var clusters: [Cluster] = []
        var previousWidth = 0
        for (word, isSecond) in (firstWords + secondWords).sorted(by: { $0.word.box.x < $1.word.box.x }) {
            let sharedWidth = clusters.last.map { min($0.right, word.box.maxX) - word.box.x } ?? 0
            // Boxes of neighbours may touch.
            if sharedWidth * 3 <= min(previousWidth, word.box.width) {
                clusters.append(Cluster(right: word.box.maxX))
            }
            previousWidth = word.box.width
            let last = clusters.count - 1
            clusters[last].right = max(clusters[last].right, word.box.maxX)
            if isSecond { clusters[last].second.append(word) } else { clusters[last].first.append(word) }
        }
        return clusters
    }

    private static func best(_ cluster: Cluster) -> [RecognizedWord] {
        let (first, second) = (cluster.first, cluster.second)
        if second.isEmpty { return first.filter { $0.confidence >= minimumConfidence } }
        if first.isEmpty { return second }
        // If the letters are the same, the reading with fewer words has lost a blank.
        if letters(first) == letters(second) {
            return first.count > second.count || first.first?.isShortYear == true ? first : second
        }
        if first.count == 1, second.count == 1, first[0].confidence >= minimumConfidence, first[0].extends(second[0]) {
            return first
        }
        let hasFigures = (first + second).contains { $0.text.contains(where: \.isNumber) }
        return certainty(first) > certainty(second) + (hasFigures ? requiredLead : 0) ? first : second
    }

    private static func letters(_ words: [RecognizedWord]) -> String {
        words.map(\.text).joined().filter { $0.isLetter || $0.isNumber }
    }

    /// The mean confidence of the letters, 0…100.
    private static func certainty(_ words: [RecognizedWord]) -> Int {
        let letters = words.reduce(0) { $0 + $1.text.count }
        return letters == 0 ? 0 : words.reduce(0) { $0 + $1.confidence * $1.text.count } / letters
    }
}

extension RecognizedWord {
    /// Whether the word is the other reading with additional letters at the end.
    fileprivate func extends(_ other: RecognizedWord) -> Bool {
        text.count > other.text.count && text.hasPrefix(other.text) && box.maxX - other.box.maxX > box.height / 3
    }

    /// Whether the word is a short year such as `’19`. The second engine often loses the apostrophe.
    fileprivate var isShortYear: Bool {
        text.utf8.count <= 5 && text.first.map(WineVintage.isApostrophe) == true && WineVintage(word: text) != nil
    }

    /// The word split at its blanks.
    fileprivate var parts: [RecognizedWord] {
        guard text.contains(" ") else { return [self] }
        let count = text.count
        var parts: [RecognizedWord] = []
        var at = 0
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !part.isEmpty {
                var word = self
                word.text = String(part)
                word.box.x = box.x + box.width * at / count
                word.box.width = max(1, box.width * part.count / count)
                parts.append(word)
            }
            at += part.count + 1
        }
        return parts
    }
}
