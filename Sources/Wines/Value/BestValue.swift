/// How a wine's score compares with those of wines that cost about the same.
///
/// A wine is compared with the wines that have the nearest prices by ratio, on the list and in the catalogue. The rank
/// is the share of these wines that have a lower score; wines with the same score count half. All prices must have the
/// same currency and size: the caller passes prices of bottles, or prices per litre.
package struct BestValue: Sendable {
    /// A wine with a price and a score.
    package struct Offer: Sendable, Equatable {
        /// In minor units.
        package var price: Int
        /// In points, at most 100.
        package var score: Int

        package init(price: Int, score: Int) {
            self.price = price
            self.score = score
        }
    }

    /// The rank of one offer.
    package struct Rank: Sendable, Equatable {
        /// The share in thousandths: 900 means a higher score than nine of ten wines at about this price.
        package var share: Int
        /// The number of wines that the offer was compared with.
        package var comparedCount: Int

        /// Whether the wine gets a best-value badge.
        package var isBest: Bool { share >= BestValue.minimumBestShare }
    }

    /// The minimum share of a best value, in thousandths.
    package static let minimumBestShare = 800
    /// The minimum number of wines, on the list or in the catalogue, for which a rank is computed.
    package static let minimumCount = 5
    /// The number of wines with the nearest prices that an offer is compared with.
    static let maximumCompared = 20

    private let list: [Offer]
    private let catalogue: [Offer]

    /// - Parameters:
    ///   - list: The offers of the list, including the one to be ranked.
    ///   - catalogue: Wines with their release prices.
    package init(list: [Offer], catalogue: [Offer] = []) {
        self.list = list.filter { $0.price > 0 }.sorted { $0.price < $1.price }
        self.catalogue = catalogue.filter { $0.price > 0 }.sorted { $0.price < $1.price }
    }

    /// The rank of an offer of the list; nil if there are too few wines to compare.
    ///
    /// A list charges a multiple of release prices, so the prices are first scaled by the ratio of the medians.
    package func rank(_ offer: Offer) -> Rank? {
        guard offer.price > 0 else { return nil }
        let onList = Self.share(of: offer, among: list, price: offer.price, includesOffer: true)
        let inCatalogue = scaledPrice(offer.price).flatMap {
            Self.share(of: offer, among: catalogue, price: $0, includesOffer: false)
        }
        switch (onList, inCatalogue) {
        case (let first?, let second?):
            return Rank(
                share: (first.share + second.share) / 2, comparedCount: first.comparedCount + second.comparedCount)
        case (let only?, nil): return only
        // With few prices on the list, the list's multiple of release prices is unknown.
        default: return nil
        }
    }

    /// The release price that corresponds to a price of the list.
    private func scaledPrice(_ price: Int) -> Int? {
        guard list.count >= Self.minimumCount, catalogue.count >= Self.minimumCount else { return nil }
        let (listMedian, catalogueMedian) = (list[list.count / 2].price, catalogue[catalogue.count / 2].price)
        return max(1, price.multipliedReportingOverflow(by: catalogueMedian).partialValue / listMedian)
    }

    /// The rank of an offer among the offers with the prices nearest to `price`; nil if they are too few.
    ///
    /// - Parameter includesOffer: whether `offers` include the offer itself.
    private static func share(of offer: Offer, among offers: [Offer], price: Int, includesOffer: Bool) -> Rank? {
        var others = nearest(offers, to: price, count: maximumCompared + (includesOffer ? 1 : 0))
        if includesOffer, let own = others.firstIndex(of: offer) { others.remove(at: own) }
        guard others.count >= minimumCount else { return nil }
        let less = others.count { $0.score < offer.score }
        let same = others.count { $0.score == offer.score }
        return Rank(share: (2 * less + same) * 500 / others.count, comparedCount: others.count)
    }

    /// The offers with the nearest prices, by ratio. `offers` is sorted by price.
    private static func nearest(_ offers: [Offer], to price: Int, count: Int) -> [Offer] {
        var (low, high) = (0, offers.count)
        while low < high {
            let middle = (low + high) / 2
            if offers[middle].price < price { low = middle + 1 } else { high = middle }
        }
        var (first, end) = (low, low)
        while end - first < count, first > 0 || end < offers.count {
            let takesLower =
                first > 0 && (end == offers.count || isNearer(offers[first - 1].price, offers[end].price, to: price))
            if takesLower { first -= 1 } else { end += 1 }
        }
        return Array(offers[first..<end])
    }

    /// Whether the lower price is nearer by ratio: price/lower ≤ higher/price.
    private static func isNearer(_ lower: Int, _ higher: Int, to price: Int) -> Bool {
        let (square, overflows) = price.multipliedReportingOverflow(by: price)
        return !overflows && square <= lower.multipliedReportingOverflow(by: higher).partialValue
    }
}
