import Domain
import Wines

/// For each entry of a list, the best wines of the list with a higher score, the same colour and a price within 30 %.
/// If some of these are from the region of the entry's wine, the others are left out. The best wine comes first.
struct SimilarEntries: Sendable {
    /// The indices of the similar entries, by the index of the entry.
    private let similarIndices: [[Int]]

    /// - Parameter home: the currency of prices without a currency.
    init(_ entries: [MatchedList.Entry], home: CurrencyCode) {
        var kinds: [Kind: [Offer]] = [:]
        let descriptions = entries.map { Self.describe($0, home) }
        for (entry, described) in zip(entries, descriptions) {
            guard let (kind, price) = described, let points = entry.wine?.points else { continue }
            let offer = Offer(entry: entry.number, points: points, price: price)
            kinds[kind, default: []].append(offer)
            // An offer with a region also belongs to the kind without a region.
            if kind.region != nil { kinds[kind.withoutRegion, default: []].append(offer) }
        }
        let best = kinds.mapValues(BestOffers.init)
        similarIndices = zip(entries, descriptions).map { entry, described in
            guard let (kind, price) = described else { return [] }
            let points = entry.wine?.points ?? 0
            // |other − price| ≤ 30 % of the price, in whole minor units.
            let prices = (price * 7 + 9) / 10...price * 13 / 10
            func better(_ kind: Kind) -> [Int] {
                (best[kind]?.within(prices) ?? []).filter { $0.points > points }.map(\.entry)
            }
            let inRegion = kind.region == nil ? [] : better(kind)
            return inRegion.isEmpty ? better(kind.withoutRegion) : inRegion
        }
    }

    /// The indices of the entries that are similar to an entry.
    subscript(entry: Int) -> [Int] { similarIndices.indices.contains(entry) ? similarIndices[entry] : [] }

    /// The properties that are equal for similar wines.
    private struct Kind: Hashable {
        var colour: WineColor
        var currency: String
        /// As folded text.
        var region: String?

        var withoutRegion: Kind { Kind(colour: colour, currency: currency, region: nil) }
    }

    private static func describe(_ entry: MatchedList.Entry, _ home: CurrencyCode) -> (kind: Kind, price: Int)? {
        guard let price = entry.bottlePrice, let colour = entry.wine?.colour ?? entry.printed.color else { return nil }
        let region = entry.wine.map(\.region).flatMap { $0.isEmpty ? nil : $0 } ?? entry.printed.region
        let kind = Kind(
            colour: colour, currency: price.currency ?? home.code, region: region.map(FoldedText.fold))
        return (kind, price.minor)
    }
}

/// A wine with a score and a price.
private struct Offer {
    /// The index of the entry.
    var entry: Int
    var points: Int
    /// The price of 0.75 l, in minor units.
    var price: Int

    /// Whether the offer is shown before another one.
    func precedes(_ other: Offer) -> Bool { (other.points, price, entry) < (points, other.price, other.entry) }
}

/// Finds the best offers in a range of prices without comparing all of them.
private struct BestOffers {
    /// The number of best offers of a range.
    private static let maximumOffers = 3
    /// The offers in the order of their prices.
    private let offers: [Offer]
    /// A segment tree of `n` offers. Node `n + i` contains offer `i`. Node `k` contains the best offers of the nodes
    /// `2k` and `2k + 1`.
    private let nodes: [[Offer]]

    init(_ offers: [Offer]) {
        let sorted = offers.sorted { $0.price < $1.price }
        var nodes = Array(repeating: [Offer](), count: sorted.count) + sorted.map { [$0] }
        for node in stride(from: sorted.count - 1, to: 0, by: -1) {
            nodes[node] = Self.best(nodes[2 * node] + nodes[2 * node + 1])
        }
        self.offers = sorted
        self.nodes = nodes
    }

    /// The best offers with a price in the range, the best first.
    func within(_ prices: ClosedRange<Int>) -> [Offer] {
        var low = firstIndex { $0 >= prices.lowerBound } + offers.count
        var high = firstIndex { $0 > prices.upperBound } + offers.count
        var best: [Offer] = []
        while low < high {
            if low % 2 == 1 {
                best += nodes[low]
                low += 1
            }
            if high % 2 == 1 {
                high -= 1
                best += nodes[high]
            }
            (low, high) = (low / 2, high / 2)
        }
        return Self.best(best)
    }

    private static func best(_ offers: [Offer]) -> [Offer] {
        Array(offers.sorted { $0.precedes($1) }.prefix(maximumOffers))
    }

    /// The index of the first offer with a price that meets the condition. All higher prices must meet it, too.
    private func firstIndex(_ condition: (Int) -> Bool) -> Int {
        var (low, high) = (0, offers.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(offers[middle].price) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
