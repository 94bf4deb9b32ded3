import Recognition

/// Several readings of one printed line by the first engine, and their combination.
struct LineReadings {
    private var all: [[RecognizedWord]] = []
    /// The certainty of each reading, 0…100, reduced by the share of the ink that it does not cover.
    private var scores: [Int] = []
    /// The last amount of the second engine's reading.
    var secondAmount: String?

    init() {}

    private init(_ words: [RecognizedWord], covered: Int) { add(words, covered: covered) }

    /// - Parameter covered: the percentage of the line's ink that the words cover.
    mutating func add(_ words: [RecognizedWord], covered: Int) {
        all.append(words)
        scores.append(certainty(of: words) * min(100, covered + Self.coverageAllowance) / 100)
    }

    /// Added to the coverage, in percent: boxes of words are a little narrower than their ink.
    private static let coverageAllowance = 15

    /// Whether the line should be read again. A price must be certain or read twice.
    var needsAnotherReading: Bool {
        switch all.count {
        case 0: return true
        case 1:
            let words = all[0]
            guard words.reduce(0, { $0 + $1.text.count }) + words.count > 3 else { return false }
            let certainty = scores[0]
            if let price = PrintedAmount.last(in: words) {
                // Both engines read the same price.
                if price.text == secondAmount { return certainty < 45 }
                return secondAmount != nil || price.confidence < 80 || certainty < 75
            }
            // A number such as `2,5` at the end is probably a price that lacks its last digit.
            if words.suffix(2).contains(where: \.isBrokenAmount) { return true }
            return certainty < (words.contains(where: \.hasDigit) ? 65 : 45)
        case 2:
            let (first, second) = (PrintedAmount.last(in: all[0]), PrintedAmount.last(in: all[1]))
            guard first != nil || second != nil else {
                // Both readings of a long line with digits are poor.
                let arePoor = scores.allSatisfy { $0 < 30 } && all.contains(where: \.isLongWithDigits)
                return arePoor || all.allSatisfy { $0.suffix(2).contains(where: \.isBrokenAmount) }
            }
            return first?.text != second?.text || max(first?.confidence ?? 0, second?.confidence ?? 0) < 60
        case 3:
            // The second and third pass use the same softened picture and make the same mistakes, so their agreement
            // does not outweigh the first.
            guard let first = PrintedAmount.last(in: all[0]), first.confidence >= 60 else { return false }
            return PrintedAmount.last(in: all[1])?.text != first.text
                && PrintedAmount.last(in: all[2])?.text != first.text
        default: return false
        }
    }

    /// Whether at least two readings exist and all are poor, although the line has digits or much more ink than
    /// characters.
    var isNoise: Bool {
        guard scores.count >= 2, scores.allSatisfy({ $0 < 50 }), !all.contains(where: { $0.contains(where: \.isDate) })
        else {
            return false
        }
        return all.contains { words in
            words.reduce(0) { $0 + $1.text.count } >= 6 && words.contains(where: \.hasDigit)
                || words.contains(where: \.isStretched)
        }
    }

    /// Replaces all readings by another one if its score is at least 15 higher.
    mutating func replaceIfMoreCertain(_ words: [RecognizedWord], covered: Int) {
        let bestScoreBefore = scores.max() ?? 0
        let replacement = LineReadings(words, covered: covered)
        if replacement.scores[0] >= bestScoreBefore + 15 { self = replacement }
    }

    /// The most certain reading. Its last amount is replaced by the last amount with the highest total confidence over
    /// all readings. The other last amounts become alternatives.
    func merged() -> [RecognizedWord] {
        guard let best = all.indices.max(by: { scores[$0] < scores[$1] }) else { return [] }
        var words = all[best]
        let amounts = all.compactMap(PrintedAmount.last)
        var votes: [String: Int] = [:]
        for amount in amounts { votes[amount.text, default: 0] += max(1, amount.confidence) }
        let ranked = votes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        guard let winner = ranked.first, let seen = amounts.first(where: { $0.text == winner }) else { return words }
        let confidence = amounts.filter { $0.text == winner }.map(\.confidence).max() ?? 0
        if let own = PrintedAmount.last(in: words) {
            if own.text != winner {
                own.replace(in: &words, by: winner, confidence: confidence)
            } else if !own.isSeparateWord,
                let separate = amounts.first(where: { $0.text == winner && $0.isSeparateWord })
            {
                own.splitWord(in: &words, asIn: separate)
            }
        } else {
            // The amount replaces the words of this reading at its position.
            words.removeAll { $0.box.x * 2 + $0.box.width > seen.box.x * 2 && $0.box.maxX <= seen.box.maxX }
            let word = RecognizedWord(text: winner, box: seen.box, confidence: confidence)
            words.insert(word, at: words.firstIndex { $0.box.x >= seen.box.x } ?? words.count)
        }
        if ranked.count > 1, let place = PrintedAmount.last(in: words)?.words.lowerBound {
            words[place].alternatives = Array(ranked.dropFirst())
        }
        return words
    }
}

/// The mean confidence of the words, 0…100, weighted by their length; 0 without words.
func certainty(of words: [RecognizedWord]) -> Int {
    let count = words.reduce(0) { $0 + $1.text.count }
    return count == 0 ? 0 : words.reduce(0) { $0 + $1.confidence * $1.text.count } / count
}

extension [RecognizedWord] {
    /// Whether the words are as long as a name with a price and contain digits.
    fileprivate var isLongWithDigits: Bool {
        let scalars = flatMap(\.text.unicodeScalars)
        return scalars.count >= 12 && scalars.contains { ("0"..."9").contains($0) }
    }
}

extension RecognizedWord {
    /// Whether the characters are much wider than high.
    fileprivate var isStretched: Bool { box.width * 2 > text.count * box.height * 3 }

    /// Whether the word is a date: `21.04.2020`, `21.04.20`.
    fileprivate var isDate: Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { Int($0) != nil } && parts[0].count <= 2 && parts[1].count <= 2
            && parts[2].count >= 2
    }

    /// Whether the word looks like a damaged amount: digits around a comma, but with one decimal, without decimals, or
    /// with other characters among the digits. Percentages do not count.
    fileprivate var isBrokenAmount: Bool {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= 8, let comma = scalars.firstIndex(of: ","), scalars.last != "%" else { return false }
        let digits = scalars.count { ("0"..."9").contains($0) }
        return digits >= 1 && scalars.count - comma <= 3 && comma > 0 && digits >= comma
    }
}
