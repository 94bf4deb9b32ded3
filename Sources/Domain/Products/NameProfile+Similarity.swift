/// The similarity of two names, 0…1. Used for ranking only.
extension NameProfile {
    /// The similarity of the words, for abbreviated names. Words that only this name has reduce the similarity more
    /// than words that only `other` has. `informativeness` weighs words by rarity.
    func wordSimilarity(to other: NameProfile, informativeness: (Word) -> Double = { $0.weight }) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        var bestForward = [Double](repeating: 0, count: words.count)
        var bestBackward = [Double](repeating: 0, count: other.words.count)
        for (row, word) in words.enumerated() {
            for (column, candidate) in other.words.enumerated() {
                let likeness = NameProfile.wordLikeness(word, candidate)
                bestForward[row] = max(bestForward[row], likeness)
                bestBackward[column] = max(bestBackward[column], likeness)
            }
        }
        return 0.6 * NameProfile.coverage(words, bestForward, informativeness)
            + 0.4 * NameProfile.coverage(other.words, bestBackward, informativeness)
    }

    /// The weighted average of the best similarities of the words.
    private static func coverage(_ words: [Word], _ best: [Double], _ weigh: (Word) -> Double) -> Double {
        var covered = 0.0
        var total = 0.0
        for (index, word) in words.enumerated() {
            let weight = weigh(word)
            covered += weight * best[index]
            total += weight
        }
        return total == 0 ? 0 : covered / total
    }

    /// 1 for equal words, 0.9 for a cut word and the full one, 0.75 for a compound and its last part, up to 0.85 for a
    /// misread word.
    static func wordLikeness(_ left: Word, _ right: Word) -> Double {
        let (short, long) = left.text.count <= right.text.count ? (left, right) : (right, left)
        let (shortCount, longCount) = (short.text.count, long.text.count)
        var shared = 0
        while shared < shortCount, short.text[shared] == long.text[shared] { shared += 1 }
        if shared == shortCount {
            if shortCount == longCount { return 1 }
            if short.isCut { return shortCount >= 2 ? 0.9 : 0.4 }
            if shortCount >= 4 { return 0.65 }
        }
        if shortCount >= 4, long.text[longCount - 1] == short.text[shortCount - 1], endsAlike(short.text, long.text) {
            return 0.75
        }
        let allowed = shortCount >= 8 ? 2 : 1
        // A misread word rarely differs at both ends.
        if shortCount >= 5, longCount - shortCount <= allowed,
            shared > 0 || long.text[longCount - 1] == short.text[shortCount - 1],
            let distance = editDistance(left.text, right.text, atMost: allowed)
        {
            return distance == 1 ? 0.85 : 0.7
        }
        return shared >= 4 ? 0.6 * Double(shared) / Double(longCount) : 0
    }

    /// Whether `long` ends with `short`.
    private static func endsAlike(_ short: [UInt8], _ long: [UInt8]) -> Bool {
        let offset = long.count - short.count
        for index in short.indices where short[index] != long[offset + index] { return false }
        return true
    }

    /// The similarity of the printed forms by edit distance, for misread or differently cut names.
    func keySimilarity(to other: NameProfile) -> Double {
        let longest = max(keyBytes.count, other.keyBytes.count)
        guard longest > 0 else { return 0 }
        let allowed = max(1, longest / 3)
        guard let distance = editDistance(keyBytes, other.keyBytes, atMost: allowed) else { return 0 }
        return 1 - Double(distance) / Double(longest)
    }

    /// The Dice coefficient of the trigrams, a fast measure.
    func trigramSimilarity(to other: NameProfile) -> Double {
        let total = trigrams.count + other.trigrams.count
        guard total > 0 else { return 0 }
        var (left, right, shared) = (0, 0, 0)
        while left < trigrams.count, right < other.trigrams.count {
            let (one, another) = (trigrams[left], other.trigrams[right])
            if one == another { shared += 1 }
            if one <= another { left += 1 }
            if another <= one { right += 1 }
        }
        return 2 * Double(shared) / Double(total)
    }
}

/// The trigrams of the bytes of each text, padded with blanks; sorted, without duplicates.
func sortedTrigrams(_ texts: [[UInt8]]) -> [UInt32] {
    var all: [UInt32] = []
    for text in texts where !text.isEmpty {
        var group: UInt32 = 0x2020
        for byte in text + [32] {
            group = (group << 8 | UInt32(byte)) & 0xFF_FFFF
            all.append(group)
        }
    }
    all.sort()
    var result: [UInt32] = []
    result.reserveCapacity(all.count)
    for group in all where group != result.last { result.append(group) }
    return result
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two texts; nil above `limit`.
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
