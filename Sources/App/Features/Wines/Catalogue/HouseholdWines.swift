import Domain
import Wines

/// A search result: a wine and how well it fits the text.
struct FoundWine: Sendable, Equatable {
    let id: WineID
    /// In thousandths.
    let confidence: Int
    let kind: WineMatch.Kind
}

/// The wines that a household can search: its own and the operator's. Texts that members have assigned to a wine by
/// hand take precedence over the search.
struct HouseholdWines: Sendable {
    private let own: WineIndexCache.Entry
    private let shared: WineIndexCache.Entry
    /// Wines that members have assigned to a printed text, by the text's key.
    private var assigned: [String: WineID] = [:]
    /// Wines that members have rejected for a printed text, by the text's key.
    private var rejected: [String: Set<WineID>] = [:]

    /// The confidence of an assigned wine, in thousandths. Equal to the highest confidence of a match by name.
    private static let assignedConfidence = 990
    /// The number of additional matches that are searched for, because rejected wines are removed afterwards.
    private static let spareMatches = 4

    init(own: WineIndexCache.Entry, shared: WineIndexCache.Entry, aliases: [(String, WineID, Bool)]) {
        self.own = own
        self.shared = shared
        for (key, wine, isMatch) in aliases {
            if isMatch { assigned[key] = wine } else { rejected[key, default: []].insert(wine) }
        }
    }

    /// Release prices and scores of the wines that have both.
    func offers(in currency: CurrencyCode) -> [BestValue.Offer] {
        (own.offers[currency.code] ?? []) + (shared.offers[currency.code] ?? [])
    }

    var count: Int { own.ids.count + shared.ids.count }

    /// Returns the wines that match an entry of a wine list, the best first.
    func match(_ entry: WineListEntry, limit: Int) -> [FoundWine] {
        found(entry.text, entry.vintage, limit) { $0.index.match(entry, limit: limit + Self.spareMatches) }
    }

    /// Returns the wines that match a printed text, the best first.
    func match(text: String, limit: Int) -> [FoundWine] {
        found(text, WineText.vintage(in: text), limit) { $0.index.match(text: text, limit: limit + Self.spareMatches) }
    }

    /// Returns the wines that match a typed search text, the best first.
    func search(_ text: String, fuzzy: Bool, limit: Int) -> [FoundWine] {
        merged(limit) { catalogue in
            catalogue.index.search(text, fuzzy: fuzzy, limit: limit) {
                !own.discarded.isEmpty && own.discarded.contains(catalogue.ids[Int($0)])
            }
        }
    }

    /// The key under which an assignment of a printed text to a wine is stored.
    static func key(_ text: String) -> String { WineText.key(text) }

    private func found(
        _ text: String, _ vintage: Int?, _ limit: Int, _ find: (WineIndexCache.Entry) -> [WineMatch]
    ) -> [FoundWine] {
        let key = Self.key(text)
        let rejectedWines = rejected[key] ?? []
        var found = merged(limit + Self.spareMatches, find)
        found.removeAll { rejectedWines.contains($0.id) }
        if let wine = assigned[key], !own.discarded.contains(wine) {
            let id = vintage.flatMap { other(ofVintage: $0, like: wine, except: rejectedWines) } ?? wine
            found.removeAll { $0.id == id }
            found.insert(FoundWine(id: id, confidence: Self.assignedConfidence, kind: .alias), at: 0)
        }
        return Array(found.prefix(limit))
    }

    /// Returns the wine with the printed vintage that differs from `wine` only in its vintage; nil if there is none.
    private func other(ofVintage vintage: Int, like wine: WineID, except rejectedWines: Set<WineID>) -> WineID? {
        for catalogue in [own, shared] {
            guard let position = catalogue.position(of: wine),
                let other = catalogue.index.wine(ofVintage: vintage, like: Int32(position))
            else { continue }
            let id = catalogue.ids[Int(other)]
            if !own.discarded.contains(id), !rejectedWines.contains(id) { return id }
        }
        return nil
    }

    /// Searches both catalogues and returns the wines with the highest confidences, without deleted wines.
    private func merged(_ limit: Int, _ find: (WineIndexCache.Entry) -> [WineMatch]) -> [FoundWine] {
        var seen: Set<WineID> = []
        // The household's own wines come before shared wines of equal confidence.
        let all = [own, shared].flatMap { catalogue in
            find(catalogue).map {
                FoundWine(id: catalogue.ids[Int($0.wine)], confidence: $0.confidence, kind: $0.kind)
            }
        }.enumerated().sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }.map(\.element)
        let shown = all.filter { !own.discarded.contains($0.id) && seen.insert($0.id).inserted }
        return Array(shown.prefix(limit))
    }
}
