/// Finds wines of a catalogue by printed text. Immutable, so that threads can share it.
///
/// A label is a producer's wine of one name and colour, with all its vintages. Names are stored as sequences of word
/// numbers.
package struct WineIndex: Sendable {
    /// The number of wines.
    package let count: Int
    let words: WordTable
    let fuzzy: FuzzyWords
    /// The numbers of the words in alphabetical order, to find the words that begin with given letters.
    let alphabetical: [UInt32]
    let sequences: WordSequences
    let labels: WineLabels
    /// The sequences that are regions of labels.
    let regions: [UInt32]
    /// For each word, the labels that have it in producer or name.
    let postings: WordPostings
    /// The ordinals of the wines, by label; newest vintage first.
    let wines: [Int32]
    /// The vintage of each of `wines`; 0 for none.
    let vintages: [Int16]

    package init(_ wines: some Sequence<CatalogueWine>) {
        var builder = Builder()
        for wine in wines { builder.add(wine) }
        self = builder.index()
    }

    init(_ parts: Parts) {
        words = parts.words
        fuzzy = FuzzyWords(parts.words)
        alphabetical = (0..<UInt32(parts.words.count)).sorted {
            parts.words[$0].lexicographicallyPrecedes(parts.words[$1])
        }
        sequences = parts.sequences
        labels = parts.labels
        regions = Set(parts.labels.regions).sorted()
        postings = WordPostings(parts.labels, parts.sequences, words: parts.words.count)
        wines = parts.wines
        vintages = parts.vintages
        count = parts.wines.count
    }

    /// The tables that the builder fills.
    struct Parts {
        var words: WordTable
        var sequences: WordSequences
        var labels: WineLabels
        var wines: [Int32]
        var vintages: [Int16]
    }

    /// The size of the index in memory, in bytes.
    package var bytes: Int {
        words.bytes + fuzzy.bytes + alphabetical.capacity * 4 + sequences.bytes + labels.bytes + postings.bytes
            + (wines.capacity + regions.capacity) * 4 + vintages.capacity * 2
    }

    /// The wines that an entry may mean, best first. At most one vintage of each label.
    package func match(_ entry: WineListEntry, limit: Int = 3) -> [WineMatch] {
        let facts = WineQuery.Facts(
            vintage: entry.vintage, color: entry.color, country: entry.country, region: entry.region)
        let found = matches(entry.text, facts, limit: limit)
        guard let heading = entry.heading, entry.text.hasPrefix(heading) else { return found }
        // The heading may not be the producer, so the wine is also searched without it. A match that the heading does
        // not improve is never certain.
        let withoutHeading = matches(String(entry.text.dropFirst(heading.count)), facts, limit: limit)
        let improved = found.filter { match in
            withoutHeading.allSatisfy { $0.wine != match.wine || $0.confidence < match.confidence }
        }
        let others = (found + withoutHeading).map { match in
            var match = match
            match.confidence = min(match.confidence, WineMatch.certainConfidence - 1)
            return match
        }
        let all = (improved + others).enumerated().sorted {
            ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
        }
        var seen: Set<Int32> = []
        return Array(all.map(\.element).filter { seen.insert($0.wine).inserted }.prefix(limit))
    }

    /// The wines that a printed text may mean, best first. A year in the text is the vintage.
    package func match(text: String, limit: Int = 3) -> [WineMatch] {
        matches(text, WineQuery.Facts(vintage: WineVintage.find(in: text)?.year), limit: limit)
    }

    private func matches(_ text: String, _ facts: WineQuery.Facts, limit: Int) -> [WineMatch] {
        guard limit > 0, count > 0 else { return [] }
        return WineQuery(text, facts, self).best(limit: limit)
    }

    /// The wine of the same label with the given vintage; `wine` itself if it has this vintage. Nil if no wine of the
    /// label has it.
    ///
    /// - Parameter wine: The ordinal of a wine of the label.
    package func wine(ofVintage vintage: Int, like wine: Int32) -> Int32? {
        guard let label = labels.label(of: wine, in: wines) else { return nil }
        // A catalogue can have a wine twice.
        let found = labels.wines(of: label).filter { Int(vintages[$0]) == vintage }.map { wines[$0] }
        return found.contains(wine) ? wine : found.first
    }
}
