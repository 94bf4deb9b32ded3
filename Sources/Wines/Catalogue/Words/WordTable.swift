/// The distinct words of a catalogue, numbered from 0.
struct WordTable: Sendable {
    /// The bytes of all words.
    private var letters: [UInt8] = []
    /// The start of each word in `letters`, followed by the end of the last.
    private var starts: [UInt32] = [0]
    /// A hash table with open addressing: the number of the word + 1, or 0 for a free slot.
    private var slots = [UInt32](repeating: 0, count: 1024)

    var count: Int { starts.count - 1 }
    var bytes: Int { letters.capacity + (starts.capacity + slots.capacity) * 4 }

    subscript(word: UInt32) -> ArraySlice<UInt8> {
        letters[Int(starts[Int(word)])..<Int(starts[Int(word) + 1])]
    }

    /// Returns the number of a word, or nil if the table does not have it.
    func find(_ word: some Collection<UInt8>) -> UInt32? {
        let slot = slot(of: word)
        return slots[slot] == 0 ? nil : slots[slot] - 1
    }

    /// Returns the number of a word, which is added if the table does not have it.
    mutating func number(of word: some Collection<UInt8>) -> UInt32 {
        let slot = slot(of: word)
        if slots[slot] != 0 { return slots[slot] - 1 }
        letters.append(contentsOf: word)
        starts.append(UInt32(letters.count))
        slots[slot] = UInt32(count)
        if count * 2 > slots.count { grow() }
        return UInt32(count - 1)
    }

    private func slot(of word: some Collection<UInt8>) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Self.hash(word)) & mask
        while slots[slot] != 0, !self[slots[slot] - 1].elementsEqual(word) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        let mask = slots.count - 1
        for word in 0..<UInt32(count) {
            var slot = Int(truncatingIfNeeded: Self.hash(self[word])) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = word + 1
        }
    }

    /// FNV-1a with a final mixing step.
    static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 29)
    }

    /// Frees the capacity that was reserved for further words.
    mutating func trim() {
        letters = Array(letters)
        starts = Array(starts)
    }
}
