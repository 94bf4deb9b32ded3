import Glibc

/// A reading and its cost, which is −100 × ln of its probability.
struct ScoredReading: Equatable {
    var text: String
    var cost: Int
}

/// A finite automaton that defines the texts that a search may find.
protocol TextPattern {
    /// The state after another character. The state before the first character is 0.
    ///
    /// - Returns: nil if the character cannot follow.
    func next(_ state: Int, _ character: Unicode.Scalar) -> Int?
    /// Whether a text may end in this state.
    func isComplete(_ state: Int) -> Bool
    /// The characters that may occur in a text; nil for all.
    var characters: [Unicode.Scalar]? { get }
}

/// A pattern that every text matches.
struct AnyText: TextPattern {
    func next(_ state: Int, _ character: Unicode.Scalar) -> Int? { 0 }
    func isComplete(_ state: Int) -> Bool { true }
    var characters: [Unicode.Scalar]? { nil }
}

/// Finds the likeliest texts of a part of a lattice that match a pattern, by prefix beam search over the probabilities
/// of CTC (A. Hannun and others, 2014). The probability of a text is the sum over all its alignments.
struct ReadingSearch<Pattern: TextPattern> {
    let lattice: CharacterLattice
    let pattern: Pattern
    /// The number of prefixes that are kept at each step.
    let width: Int
    /// The logarithm of the probability below which a character is not tried: −7 (0.1 %). With a pattern, −16, because
    /// the pattern may exclude all likelier characters.
    private let bound: Float
    /// The pattern's characters by their numbers in the lattice; nil for all.
    private let numbers: [Int]?

    init(_ lattice: CharacterLattice, _ pattern: Pattern, width: Int) {
        self.lattice = lattice
        self.pattern = pattern
        self.width = width
        numbers = pattern.characters?.compactMap(lattice.alphabet.number(of:))
        bound = pattern.characters == nil ? -7 : -16
    }

    /// A prefix of a text, as a node of a tree.
    private struct Prefix {
        /// The index of the prefix without the last character; -1 for the empty prefix.
        let parent: Int
        /// The number of the last character in the lattice.
        let character: Int
        /// The state of the pattern after the text.
        let state: Int
    }

    /// The logarithms of the summed probabilities of all alignments of a prefix.
    private struct Scores {
        /// The alignments that end with a blank.
        var blank = -Float.infinity
        /// The alignments that end with the prefix's last character.
        var character = -Float.infinity

        var total: Float { logarithmOfSum(blank, character) }
    }

    /// The complete texts, the likeliest first, at most `count`.
    func readings(in steps: Range<Int>, count: Int) -> [ScoredReading] {
        var prefixes = [Prefix(parent: -1, character: 0, state: 0)]
        var children: [Int: Int] = [:]
        var beam: [(prefix: Int, scores: Scores)] = [(0, Scores(blank: 0))]
        let size = lattice.alphabet.characters.count
        for step in steps.clamped(to: 0..<lattice.stepCount) {
            var next: [Int: Scores] = [:]
            let tried =
                numbers?.filter { lattice.logarithm($0, at: step) > bound }
                ?? lattice.likely(at: step, above: bound)
            let blank = lattice.logarithm(0, at: step)
            for (index, scores) in beam {
                let prefix = prefixes[index]
                let total = scores.total
                next[index, default: Scores()].blank = logarithmOfSum(next[index]?.blank ?? -.infinity, total + blank)
                if index > 0 {
                    let repeated = scores.character + lattice.logarithm(prefix.character, at: step)
                    next[index, default: Scores()].character = logarithmOfSum(
                        next[index]?.character ?? -.infinity, repeated)
                }
                for character in tried {
                    guard let state = pattern.next(prefix.state, lattice.alphabet.characters[character]) else {
                        continue
                    }
                    let key = index * size + character
                    let child = children[key] ?? prefixes.count
                    if child == prefixes.count {
                        prefixes.append(Prefix(parent: index, character: character, state: state))
                        children[key] = child
                    }
                    // Two equal characters need a blank between them.
                    let shorter = character == prefix.character && index > 0 ? scores.blank : total
                    let extended = shorter + lattice.logarithm(character, at: step)
                    next[child, default: Scores()].character = logarithmOfSum(
                        next[child]?.character ?? -.infinity, extended)
                }
            }
            // Ties are ordered by index, so that the result is deterministic.
            beam = next.map { ($0.key, $0.value) }.sorted { ($1.1.total, $0.0) < ($0.1.total, $1.0) }
            if beam.count > width { beam.removeLast(beam.count - width) }
        }
        return beam.filter { pattern.isComplete(prefixes[$0.prefix].state) && $0.scores.total > -.infinity }
            .prefix(count).map { ScoredReading(text: text($0.prefix, prefixes), cost: Self.cost($0.scores.total)) }
    }

    private func text(_ prefix: Int, _ prefixes: [Prefix]) -> String {
        var scalars: [Unicode.Scalar] = []
        var at = prefix
        while at > 0 {
            scalars.append(lattice.alphabet.characters[prefixes[at].character])
            at = prefixes[at].parent
        }
        return String(String.UnicodeScalarView(scalars.reversed()))
    }

    private static func cost(_ logarithm: Float) -> Int { Int(min(65_535, max(0, (-100 * logarithm).rounded()))) }
}

/// The logarithm of the sum of two probabilities given by their logarithms: ln(eᵃ + eᵇ).
private func logarithmOfSum(_ a: Float, _ b: Float) -> Float {
    let (low, high) = a < b ? (a, b) : (b, a)
    return low == -.infinity ? high : high + log1pf(expf(low - high))
}
