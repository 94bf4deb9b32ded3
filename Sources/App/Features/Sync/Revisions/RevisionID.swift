/// The identifier of a revision of a document. The text form is `N-hash`, where N is the generation.
struct RevisionID: Hashable, Sendable, CustomStringConvertible {
    /// The number of the revision in its branch: 1 for the first revision, and the parent's number + 1 for all others.
    let generation: Int64
    /// Usually 32 hexadecimal digits. Clients choose the hashes of the revisions that they create.
    let hash: String

    init(generation: Int64, hash: String) {
        self.generation = generation
        self.hash = hash
    }

    /// Returns nil unless the text is a number from 1, a hyphen and 1 to 64 ASCII letters, digits, `-` or `_`.
    init?(_ text: some StringProtocol) {
        guard let hyphen = text.firstIndex(of: "-"), let generation = Int64(text[..<hyphen]), generation > 0,
            generation < 1 << 53
        else { return nil }
        self.init(generation: generation, checked: String(text[text.index(after: hyphen)...]))
    }

    /// Returns nil if the generation is not positive, or the hash is not 1 to 64 ASCII letters, digits, `-` or `_`.
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
    /// The order by which every replica chooses the same winner: by generation, then by the bytes of the hash.
    static func < (left: RevisionID, right: RevisionID) -> Bool {
        if left.generation != right.generation { return left.generation < right.generation }
        return left.hash.utf8.lexicographicallyPrecedes(right.hash.utf8)
    }
}
