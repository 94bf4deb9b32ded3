/// Finds words that differ by one or two letters. The table has the hash of every word, and of every form of it with
/// one letter removed. Two words that share a hash may be similar.
struct FuzzyWords: Sendable {
    /// The numbers of the words in the slots of a hash table, slot after slot.
    private var words: [UInt32] = []
    /// For each slot, the index in `words` at which it begins; then the end of the last slot.
    private var starts: [UInt32] = []

    /// The number of letters of a word that are compared. Further letters hardly help to distinguish words.
    private static let comparedLetters = 14

    var bytes: Int { (words.capacity + starts.capacity) * 4 }

    init() {}

    init(_ table: WordTable) {
        var hashes: [UInt32] = []
        var numbers: [UInt32] = []
        hashes.reserveCapacity(table.count * 8)
        numbers.reserveCapacity(table.count * 8)
        for word in 0..<UInt32(table.count) {
            Self.forEachHash(of: table[word]) {
                hashes.append($0)
                numbers.append(word)
            }
        }
        var size = 64
        while size * 3 < hashes.count { size *= 2 }
        let mask = UInt32(size - 1)
        starts = [UInt32](repeating: 0, count: size + 1)
        for hash in hashes { starts[Int(hash & mask) + 1] += 1 }
        for index in 1...size { starts[index] += starts[index - 1] }
        // The position of the next word of each slot.
        var next = starts
        words = [UInt32](repeating: 0, count: hashes.count)
        for (hash, word) in zip(hashes, numbers) {
            words[Int(next[Int(hash & mask)])] = word
            next[Int(hash & mask)] += 1
        }
    }

    /// Calls `body` for words that may be similar. Some of them are not similar, and a word may occur twice.
    func forEachCandidate(near word: ArraySlice<UInt8>, _ body: (UInt32) -> Void) {
        guard starts.count > 1 else { return }
        let mask = UInt32(starts.count - 2)
        Self.forEachHash(of: word) { hash in
            let slot = Int(hash & mask)
            for position in Int(starts[slot])..<Int(starts[slot + 1]) { body(words[position]) }
        }
    }

    private static func forEachHash(of word: ArraySlice<UInt8>, _ body: (UInt32) -> Void) {
        let skeleton = Misreading.skeleton(word.prefix(comparedLetters + 4)).prefix(comparedLetters)
        guard skeleton.count >= 2 else { return }
        body(UInt32(truncatingIfNeeded: WordTable.hash(skeleton)))
        guard skeleton.count >= 4 else { return }
        for removed in skeleton.indices {
            // Removing either of two equal neighbours gives the same word.
            if removed > skeleton.startIndex, skeleton[removed] == skeleton[removed - 1] { continue }
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for index in skeleton.indices where index != removed {
                hash = (hash ^ UInt64(skeleton[index])) &* 0x100_0000_01b3
            }
            body(UInt32(truncatingIfNeeded: hash ^ (hash >> 29)))
        }
    }
}
