import Glibc

/// A reading of ink and what it costs: −100 × ln of its probability.
struct ScoredReading: Equatable {
    var text: String
    var cost: Int
}

/// Which texts a search may find, character by character.
protocol TextPattern {
    /// The state before the first character is 0.
    ///
    /// - Returns: nil where the character cannot follow.
    func next(_ state: Int, _ character: Unicode.Scalar) -> Int?
    /// Whether a text may end in this state.
    func isComplete(_ state: Int) -> Bool
    /// The characters that occur in such texts; nil for all.
    var characters: [Unicode.Scalar]? { get }
}

/// Any text.
struct AnyText: TextPattern {
    func next(_ state: Int, _ character: Unicode.Scalar) -> Int? { 0 }
    func isComplete(_ state: Int) -> Bool { true }
    var characters: [Unicode.Scalar]? { nil }
}

/// The likeliest texts of a part of a lattice: prefix beam search over CTC's probabilities (A. Hannun and others, 2014), under
/// a pattern. The probability of a text is the sum over all its alignments.
struct ReadingSearch<Pattern: TextPattern> {
    let lattice: CharacterLattice
    let pattern: Pattern
    /// How many prefixes are kept from step to step.
    let width: Int
    /// ln of the probability below which a character is not tried.
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

    /// A text as its last character and the text before it.
    private struct Prefix {
        let parent: Int
        let character: Int
        let state: Int
    }

    /// ln of the probabilities of all alignments of a prefix so far.
    private struct Scores {
        /// Of those that end with a blank.
        var blank = -Float.infinity
        /// Of those that end with the prefix's last character.
        var character = -Float.infinity

        var total: Float { added(blank, character) }
    }

    /// The complete texts, the likeliest first, at most `count`.
    func readings(in steps: Range<Int>, count: Int) -> [ScoredReading] {
        var prefixes = [Prefix(parent: -1, character: 0, state: 0)]
        var children: [Int: Int] = [:]
        var beam: [(prefix: Int, scores: Scores)] = [(0, Scores(blank: 0))]
        let size = lattice.alphabet.characters.count
        for step in steps.clamped(to: 0..<lattice.steps) {
            var next: [Int: Scores] = [:]
            let tried =
                numbers?.filter { lattice.logarithm($0, at: step) > bound }
                ?? lattice.likely(at: step, above: bound)
            let blank = lattice.logarithm(0, at: step)
            for (index, scores) in beam {
                let prefix = prefixes[index]
                let total = scores.total
                next[index, default: Scores()].blank = added(next[index]?.blank ?? -.infinity, total + blank)
                if index > 0 {
                    let again = scores.character + lattice.logarithm(prefix.character, at: step)
                    next[index, default: Scores()].character = added(next[index]?.character ?? -.infinity, again)
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
                    // The same character again needs a blank between.
                    let before = character == prefix.character && index > 0 ? scores.blank : total
                    let extended = before + lattice.logarithm(character, at: step)
                    next[child, default: Scores()].character = added(next[child]?.character ?? -.infinity, extended)
                }
            }
            // Ties are ordered by number, so that the same ink is always read alike.
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

/// ln(eᵃ + eᵇ).
private func added(_ a: Float, _ b: Float) -> Float {
    let (low, high) = a < b ? (a, b) : (b, a)
    return low == -.infinity ? high : high + log1pf(expf(low - high))
}
