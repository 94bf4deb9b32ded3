/// A revision of a document: `N-hash`.
struct RevisionID: Hashable, Sendable, CustomStringConvertible {
    /// From 1; a child has its parent's number plus one.
    let generation: Int64
    /// Usually 32 hexadecimal digits; clients choose theirs.
    let hash: String

    init(generation: Int64, hash: String) {
        self.generation = generation
        self.hash = hash
    }

    /// Nil unless it is a number from 1 on, a hyphen and at most 64 letters, digits, `-` or `_`.
    init?(_ text: some StringProtocol) {
        guard let hyphen = text.firstIndex(of: "-"), let generation = Int64(text[..<hyphen]), generation > 0,
            generation < 1 << 53
        else { return nil }
        self.init(generation: generation, checked: String(text[text.index(after: hyphen)...]))
    }

    /// Nil for a hash of another form.
    init?(generation: Int64, checked hash: String) {
        let isValid = hash.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
        }
        guard generation > 0, (1...64).contains(hash.utf8.count), isValid else { return nil }
        self.init(generation: generation, hash: hash)
    }

    var description: String { "\(generation)-\(hash)" }
}

extension RevisionID: Comparable {
    /// The order that every replica uses to choose a winner: the number, then the bytes of the hash.
    static func < (left: RevisionID, right: RevisionID) -> Bool {
        if left.generation != right.generation { return left.generation < right.generation }
        return left.hash.utf8.lexicographicallyPrecedes(right.hash.utf8)
    }
}
