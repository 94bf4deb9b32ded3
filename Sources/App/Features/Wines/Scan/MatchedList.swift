import Domain
import Postgres
import Wines

/// A wine list whose entries are matched with wines.
struct MatchedList: Sendable {
    struct Entry: Sendable {
        /// The index on the list, from 0.
        let number: Int
        let printed: WineListEntry
        /// The shown wine; nil if no match is certain enough.
        let wine: StoredWine?
        /// In thousandths; 0 without a wine.
        let confidence: Int
        let kind: WineMatch.Kind?
        /// Possible wines, the best first.
        let candidates: [(wine: StoredWine, confidence: Int)]
        /// Nil if the entry has no score or no price, or if too few wines have both.
        var rank: BestValue.Rank?

        /// Whether the match is certain enough to be shown without a question mark.
        var isSure: Bool { confidence >= WineMatch.certainConfidence }
        /// The vintage in the catalogue, if the list shows a different one.
        var otherVintage: Int? {
            guard let printed = printed.vintage, let vintage = wine?.vintage, printed != vintage else { return nil }
            return vintage
        }
        /// The price of 0.75 l in minor units, calculated from the price of a bottle, else of a half bottle, else of a
        /// larger bottle. Nil if the list has only glasses and carafes.
        var bottlePrice: (minor: Int, currency: String?)? {
            let usual: [(serving: WineListPrice.Serving, size: Int)] = [(.bottle, 750), (.half, 375), (.magnum, 1_500)]
            for (serving, size) in usual {
                guard let price = printed.prices.first(where: { $0.serving == serving }) else { continue }
                return (min(price.amount * 750 / max(1, price.size ?? size), Int(Amount.limit)), price.currency)
            }
            return nil
        }

        /// The price of 0.75 l, or the first price if the list has no bottle; nil without a price.
        ///
        /// - Parameter home: the currency of prices without a currency.
        func price(home: CurrencyCode) -> Amount? {
            let first = printed.prices.first.map { (minor: $0.amount, currency: $0.currency) }
            guard let price = bottlePrice ?? first else { return nil }
            return Amount(
                minorUnits: Int64(price.minor), currency: price.currency.flatMap { CurrencyCode($0) } ?? home)
        }
    }

    let list: ScannedList
    let entries: [Entry]
    /// The currency of prices without a currency.
    let home: CurrencyCode
    /// The most frequent currency of the list's prices. Only prices in this currency are compared with one another.
    let currency: CurrencyCode
    private let similar: SimilarEntries

    private static let maximumCandidates = 3

    static func make(
        _ list: ScannedList, _ household: HouseholdID, _ catalogues: WineCatalogues, _ database: Database,
        _ slowWork: SlowWork
    ) async throws -> MatchedList {
        let wines = try await catalogues.load(household, texts: list.entries.map(\.text))
        let matches = try await slowWork.run { list.entries.map { wines.match($0, limit: maximumCandidates) } }
        let stored = try await StoredWine.load(matches.flatMap { $0.map(\.id) }, household, database)
        let home = try await HouseholdCurrency.of(household, database)
        return try await slowWork.run {
            let currency = currency(of: list.entries, home: home)
            return MatchedList(
                list, matches, stored, home: home, currency: currency, catalogue: wines.offers(in: currency))
        }
    }

    /// Returns the most frequent currency of the prices; `home` if the list has no prices, or if `home` is one of
    /// several equally frequent currencies.
    static func currency(of entries: [WineListEntry], home: CurrencyCode) -> CurrencyCode {
        var counts: [CurrencyCode: Int] = [home: 0]
        for price in entries.flatMap(\.prices) {
            counts[price.currency.flatMap { CurrencyCode($0) } ?? home, default: 0] += 1
        }
        let most = counts.values.max() ?? 0
        return counts[home] == most ? home : counts.filter { $0.value == most }.keys.min() ?? home
    }

    private init(
        _ list: ScannedList, _ found: [[FoundWine]], _ stored: [WineID: StoredWine], home: CurrencyCode,
        currency: CurrencyCode, catalogue: [BestValue.Offer]
    ) {
        let entries = zip(list.entries, found).enumerated().map { number, pair in
            let (printed, matches) = pair
            let candidates = matches.compactMap { match in stored[match.id].map { (wine: $0, match: match) } }
            let best = candidates.first.flatMap { $0.match.confidence >= WineMatch.matchConfidence ? $0 : nil }
            return Entry(
                number: number, printed: printed, wine: best?.wine, confidence: best?.match.confidence ?? 0,
                kind: best?.match.kind, candidates: candidates.map { ($0.wine, $0.match.confidence) })
        }
        self.list = list
        self.home = home
        self.currency = currency
        self.entries = Self.ranked(entries, home: home, currency, catalogue)
        similar = SimilarEntries(entries, home: home)
    }

    /// Returns the entries with their ranks by score and bottle price. Ranks only prices in the list's currency.
    private static func ranked(
        _ entries: [Entry], home: CurrencyCode, _ currency: CurrencyCode, _ catalogue: [BestValue.Offer]
    ) -> [Entry] {
        func offer(_ entry: Entry) -> BestValue.Offer? {
            guard let points = entry.wine?.points, let price = entry.bottlePrice,
                price.currency ?? home.code == currency.code
            else { return nil }
            return BestValue.Offer(price: price.minor, score: points)
        }
        let value = BestValue(list: entries.compactMap(offer), catalogue: catalogue)
        return entries.map { entry in
            var entry = entry
            entry.rank = offer(entry).flatMap(value.rank)
            return entry
        }
    }

    /// Similar wines of the list with a higher score, the best first.
    func alternatives(to entry: Entry) -> [Entry] { similar[entry.number].map { entries[$0] } }

    /// Whether too few wines have a score and a price to rank them by value.
    var hasNoValues: Bool { entries.allSatisfy { $0.rank == nil } }
}
