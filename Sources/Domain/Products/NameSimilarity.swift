/// How alike two names are, 0…1. Likeness only ranks; it never decides.
extension NameProfile {
    /// Likeness of the words, tuned for abbreviations: what is printed has to be found in the other name, less so the
    /// other way round. `informativeness` weighs words by their rarity.
    func wordSimilarity(to other: NameProfile, informativeness: (Word) -> Double = { $0.weight }) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        let forward = NameProfile.coverage(of: words, by: other.words, informativeness)
        let backward = NameProfile.coverage(of: other.words, by: words, informativeness)
        return 0.6 * forward + 0.4 * backward
    }

    private static func coverage(of words: [Word], by others: [Word], _ weigh: (Word) -> Double) -> Double {
        var covered = 0.0
        var total = 0.0
        for word in words {
            let weight = weigh(word)
            var best = 0.0
            for other in others where best < 1 { best = max(best, wordLikeness(word, other)) }
            covered += weight * best
            total += weight
        }
        return total == 0 ? 0 : covered / total
    }

    /// Equal 1; a cut word and its whole .9; a compound and its last part .75; misread words up to .85.
    static func wordLikeness(_ left: Word, _ right: Word) -> Double {
        if left.text == right.text { return 1 }
        let (short, long) = left.text.count <= right.text.count ? (left, right) : (right, left)
        let shared = zip(short.text, long.text).prefix { $0 == $1 }.count
        if shared == short.text.count {
            if short.isCut { return short.text.count >= 2 ? 0.9 : 0.4 }
            if short.text.count >= 4 { return 0.65 }
        }
        if short.text.count >= 4, long.text.suffix(short.text.count).elementsEqual(short.text) { return 0.75 }
        if short.text.count >= 5 {
            let allowed = short.text.count >= 8 ? 2 : 1
            if let distance = editDistance(left.text, right.text, atMost: allowed) { return distance == 1 ? 0.85 : 0.7 }
        }
        return shared >= 4 ? 0.6 * Double(shared) / Double(long.text.count) : 0
    }

    /// Likeness of the printed forms, letter by letter; for names that were misread or cut elsewhere.
    func keySimilarity(to other: NameProfile) -> Double {
        let longest = max(keyBytes.count, other.keyBytes.count)
        guard longest > 0 else { return 0 }
        let allowed = max(1, longest / 3)
        guard let distance = editDistance(keyBytes, other.keyBytes, atMost: allowed) else { return 0 }
        return 1 - Double(distance) / Double(longest)
    }

    /// Share of common groups of three letters (Dice), for names without a common word.
    func trigramSimilarity(to other: NameProfile) -> Double {
        let (left, right) = (trigrams(keyBytes), trigrams(other.keyBytes))
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }
}

/// The sets of three following bytes, with blanks before and behind.
func trigrams(_ bytes: [UInt8]) -> Set<UInt32> {
    let padded = [32, 32] + bytes + [32]
    var result: Set<UInt32> = []
    for index in 0..<max(0, padded.count - 2) {
        result.insert(UInt32(padded[index]) << 16 | UInt32(padded[index + 1]) << 8 | UInt32(padded[index + 2]))
    }
    return result
}

/// Insertions, deletions, replacements and swaps of neighbours between two texts; nothing beyond `limit`.
func editDistance(_ left: [UInt8], _ right: [UInt8], atMost limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in 1...left.count {
        current[0] = row
        var smallest = row
        for column in 1...right.count {
            let isEqual = left[row - 1] == right[column - 1]
            var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isEqual ? 0 : 1))
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                best = min(best, beforeLast[column - 2] + 1)
            }
            current[column] = best
            smallest = min(smallest, best)
        }
        if smallest > limit { return nil }
        (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
}
