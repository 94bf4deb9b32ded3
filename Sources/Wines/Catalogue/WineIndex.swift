/// Finds wines of a catalogue by printed text. Immutable, so that threads can share it.
package struct WineIndex: Sendable {
    private let byKey: [String: [Int32]]
    private let vintages: [Int16]
    private let aliases: [String: Int32]

    /// The number of wines.
    package let count: Int

    /// - Parameter aliases: Those of wines that are not in the index are ignored.
    package init(_ wines: some Sequence<CatalogueWine>, aliases: [WineAlias] = []) {
        var builder = Builder()
        for wine in wines { builder.add(wine) }
        self = builder.index(aliases: aliases)
    }

    /// Adds wines one by one, for catalogues that are read in pieces.
    package struct Builder {
        private var byKey: [String: [Int32]] = [:]
        private var vintages: [Int16] = []

        package init() {}

        /// The wine's ordinal is the number of wines that were added before.
        package mutating func add(_ wine: CatalogueWine) {
            let ordinal = Int32(vintages.count)
            vintages.append(Int16(clamping: wine.vintage ?? 0))
            byKey[WineText.key("\(wine.producer) \(wine.name)"), default: []].append(ordinal)
            byKey[WineText.key("\(wine.name) \(wine.producer)"), default: []].append(ordinal)
        }

        package consuming func index(aliases: [WineAlias] = []) -> WineIndex {
            WineIndex(byKey: byKey, vintages: vintages, aliases: aliases)
        }
    }

    private init(byKey: [String: [Int32]], vintages: [Int16], aliases: [WineAlias]) {
        self.byKey = byKey
        self.vintages = vintages
        count = vintages.count
        var known: [String: Int32] = [:]
        for alias in aliases where vintages.indices.contains(Int(alias.wine)) { known[alias.key] = alias.wine }
        self.aliases = known
    }

    /// The wines that an entry may mean, best first. At most one vintage of each label.
    package func match(_ entry: WineListEntry, limit: Int = 3) -> [WineMatch] {
        matches(entry.text, vintage: entry.vintage, limit: limit)
    }

    /// The wines that a printed text may mean, best first. A year in the text is the vintage.
    package func match(text: String, limit: Int = 3) -> [WineMatch] {
        matches(text, vintage: WineVintage.find(in: text)?.year, limit: limit)
    }

    /// The wines that a person searches for by parts of names, best first; words may be incomplete.
    ///
    /// - Parameter fuzzy: Whether misspelt words are found too.
    package func search(_ text: String, fuzzy: Bool, limit: Int = 20) -> [WineMatch] {
        match(text: text, limit: limit)
    }

    private func matches(_ text: String, vintage: Int?, limit: Int) -> [WineMatch] {
        guard limit > 0 else { return [] }
        let key = WineText.key(text)
        if let wine = aliases[key] { return [WineMatch(wine: wine, confidence: 990, kind: .alias)] }
        guard let wines = byKey[key], let first = wines.first else { return [] }
        guard let vintage else { return [WineMatch(wine: first, confidence: 980, kind: .exact)] }
        let nearest = wines.min { distance($0, vintage) < distance($1, vintage) } ?? first
        return [
            WineMatch(wine: nearest, confidence: 980, kind: distance(nearest, vintage) == 0 ? .exact : .otherVintage)
        ]
    }

    private func distance(_ wine: Int32, _ vintage: Int) -> Int { abs(Int(vintages[Int(wine)]) - vintage) }
}
