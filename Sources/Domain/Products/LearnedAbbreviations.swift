/// Learns abbreviations from a household's confirmed names.
///
/// `SCHW.SCHNITZEL` confirmed as `Schweineschnitzel` shows that `schw` means `Schweine`; `ARGENT. STEAK` confirmed as
/// `Argentinisches Steak` shows what `argent` means. A word that its confirmed name also contains is not an
/// abbreviation. A meaning is learned only if more than half of the names agree on it. Used only to suggest readable
/// names, never to match a name to a product.
struct LearnedAbbreviations {
    /// Folded printed word → its meaning in the household's spelling.
    private(set) var meanings: [String: String] = [:]
    /// Folded word → the household's spelling, with umlauts and capitals.
    private(set) var spelling: [String: String] = [:]

    /// For each printed word, the number of names that suggest each meaning.
    private var votes: [String: [String: Int]] = [:]
    /// Printed words that their confirmed name also contains, so that they are not abbreviations.
    private var unabbreviated: Set<String> = []

    /// The maximum number of names that are used. A household has hundreds.
    private static let maximumNames = 20_000

    init(_ names: some Sequence<(printed: String, name: String)>) {
        for (printed, name) in names.prefix(Self.maximumNames) { learn(printed, name) }
        for (word, found) in votes where !unabbreviated.contains(word) {
            let best = found.max { ($0.value, $1.key) < ($1.value, $0.key) }
            guard let best, best.value * 2 > found.values.reduce(0, +) else { continue }
            meanings[word] = best.key
        }
    }

    /// Collects the meanings that one printed name and its confirmed name suggest.
    private mutating func learn(_ printed: String, _ name: String) {
        let shorts = ReadableWords.split(String(printed.prefix(FoldedText.maximumLength)))
            .map { (folded: FoldedText.fold($0.text), hasPoint: $0.hasPoint) }
            .filter { !$0.folded.contains(where: \.isNumber) && $0.folded.contains(where: \.isLetter) }
        let words = ReadableWords.split(String(name.prefix(FoldedText.maximumLength))).map(\.text)
            .filter { !$0.contains(where: \.isNumber) }
        let full = words.map { (folded: FoldedText.fold($0), written: $0) }
        for word in full where word.written.contains(where: \.isLowercase) { spelling[word.folded] = word.written }
        for (index, short) in shorts.enumerated() {
            if full.contains(where: { $0.folded == short.folded }) {
                unabbreviated.insert(short.folded)
                continue
            }
            // An abbreviation of two letters must end with a point.
            guard short.folded.utf8.count >= (short.hasPoint ? 2 : 3) else { continue }
            if index + 1 < shorts.count,
                let part = Self.firstPart(of: full, abbreviatedAs: short.folded, before: shorts[index + 1].folded)
            {
                votes[short.folded, default: [:]][part, default: 0] += 1
                continue
            }
            let meant = full.filter { word in
                Self.abbreviates(short.folded, word.folded) && !shorts.contains { $0.folded == word.folded }
            }
            if meant.count == 1 { votes[short.folded, default: [:]][meant[0].written, default: 0] += 1 }
        }
    }

    /// Whether `short` is `word` with some letters after the first one left out: `haehn`, `mlch`; not `milch` for
    /// `muesli`.
    private static func abbreviates(_ short: String, _ word: String) -> Bool {
        guard short.utf8.count < word.utf8.count, short.utf8.first == word.utf8.first else { return false }
        var rest = short.utf8[...]
        for byte in word.utf8 where byte == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    /// The first part of a compound, if its second part is printed in full: `Schweine` of `Schweineschnitzel`.
    private static func firstPart(
        of words: [(folded: String, written: String)], abbreviatedAs short: String, before next: String
    ) -> String? {
        for word in words where word.folded.hasSuffix(next) && next.utf8.count >= 3 {
            // Folded and written forms have the same length here unless the suffix has an umlaut.
            let first = word.folded.dropLast(next.count)
            guard abbreviates(short, String(first)), FoldedText.fold(word.written.suffix(next.count)) == next else {
                continue
            }
            return String(word.written.dropLast(next.count))
        }
        return nil
    }
}
