/// The household's own inflation: the price change of a fixed basket over one year.
///
/// Two windows of `windowDays` are compared: one ends today, the other a year ago, so both are in the same season. The
/// basket has the products bought in both windows, in the earlier quantities and at regular prices. This is a Laspeyres
/// index over matched products (ILO and others, Consumer Price Index Manual, 2004, chapter 15: share-weighted
/// arithmetic mean of price relatives). Prices are per base unit, so a smaller package at the same price is an
/// increase. The windows are compared directly, because chaining monthly indices would add drift. Products are left out
/// if their price changed by more than a factor of `maximumFactor`.
package struct HouseholdInflation: Hashable, Sendable {
    /// One product bought in both windows.
    package struct MatchedProduct: Hashable, Sendable {
        /// Mean regular price per base unit in each window, weighted by quantity, in thousandths of a minor unit. Both
        /// are for the same unit.
        package let before: Int64
        package let now: Int64
        /// The cost of the earlier purchases at regular prices, in minor units.
        package let costBefore: Int64

        package init(before: Int64, now: Int64, costBefore: Int64) {
            self.before = before
            self.now = now
            self.costBefore = costBefore
        }

        /// Whether the values are positive and so small that sums do not overflow, and the price changed by at most a
        /// factor of `maximumFactor`.
        fileprivate var isUsable: Bool {
            (1...1_000_000_000_000_000).contains(before) && (1...1_000_000_000_000_000).contains(now)
                && (1...1_000_000_000_000).contains(costBefore)
                && max(before, now) <= min(before, now) * HouseholdInflation.maximumFactor
        }
    }

    /// The length of each window.
    package static let windowDays = 90
    /// The days between the ends of the windows: 52 weeks, so that both windows have the same days of the week.
    package static let distance = 364
    /// The largest plausible factor between two prices of a product. Products with a larger factor are left out:
    /// usually a price was misread or a package size is wrong, and a few such products would determine the result.
    package static let maximumFactor: Int64 = 4
    /// The fewest products that give a meaningful result.
    package static let minimumProducts = 10

    /// The cost of the basket at the earlier and at today's prices, in minor units.
    package let costBefore: Int64
    package let costNow: Int64
    /// The number of products in the basket, at least `minimumProducts`.
    package let productCount: Int

    /// The inflation in tenths of a percent.
    package var permille: Int { PriceChange.permille(from: costBefore, to: costNow) ?? 0 }

    /// Counts the products that can be used.
    package static func count(_ products: some Sequence<MatchedProduct>) -> Int { products.count(where: \.isUsable) }

    /// Nil when fewer than `minimumProducts` usable products were bought in both windows.
    package init?(_ products: some Sequence<MatchedProduct>) {
        var (before, now) = (Int128(0), Int128(0))
        var count = 0
        for product in products where product.isUsable {
            // In thousandths of a minor unit, so that rounding of small amounts does not accumulate.
            let cost = Int128(product.costBefore) * 1_000
            before += cost
            now += cost * Int128(product.now) / Int128(product.before)
            count += 1
        }
        guard count >= Self.minimumProducts, let costBefore = try? roundedQuotient(before, 1_000),
            let costNow = try? roundedQuotient(now, 1_000), costBefore > 0
        else { return nil }
        self.costBefore = costBefore
        self.costNow = costNow
        productCount = count
    }
}
