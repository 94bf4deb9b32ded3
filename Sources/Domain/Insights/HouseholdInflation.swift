/// The household's own inflation: the price change of a fixed basket over one year.
///
/// The basket holds the products bought both in the `windowDays` that ended a year ago and in those that end today, in
/// the earlier quantities and at regular prices: a Laspeyres index over matched products (ILO and others, Consumer Price
/// Index Manual, 2004, chapter 15: share-weighted arithmetic mean of price relatives). Both windows are of the same
/// season. Prices are per base unit, so a smaller package at the same price is an increase. The two ends are compared
/// directly: chaining monthly indices would add drift. Products bought in only one window are not in the basket.
package struct HouseholdInflation: Hashable, Sendable {
    /// One product bought in both windows.
    package struct Matched: Hashable, Sendable {
        /// Mean regular price per base unit in each window, in thousandths of a minor unit. Both are for the same unit.
        package let before: Int64
        package let now: Int64
        /// The cost of the earlier purchases at regular prices, in minor units.
        package let costBefore: Int64

        package init(before: Int64, now: Int64, costBefore: Int64) {
            self.before = before
            self.now = now
            self.costBefore = costBefore
        }

        /// Positive, and small enough that sums do not overflow.
        fileprivate var isUsable: Bool {
            (1...1_000_000_000_000_000).contains(before) && (1...1_000_000_000_000_000).contains(now)
                && (1...1_000_000_000_000).contains(costBefore)
        }
    }

    /// The length of each window.
    package static let windowDays = 90
    /// Days between the ends of the windows: 52 weeks, so that both have the same days of the week.
    package static let distance = 364
    /// With fewer products the result says little about the household.
    package static let fewestProducts = 10

    /// The cost of the basket at the earlier and at today's prices, in minor units.
    package let costBefore: Int64
    package let costNow: Int64
    /// At least `fewestProducts`.
    package let productCount: Int

    /// Tenths of a percent.
    package var permille: Int { PriceChange.permille(from: costBefore, to: costNow) ?? 0 }

    /// Nil when fewer than `fewestProducts` were bought in both windows.
    package init?(_ products: some Sequence<Matched>) {
        var (before, now) = (Int128(0), Int128(0))
        var count = 0
        for product in products where product.isUsable {
            // In thousandths of a minor unit, so that rounding of small amounts does not accumulate.
            let cost = Int128(product.costBefore) * 1_000
            before += cost
            now += cost * Int128(product.now) / Int128(product.before)
            count += 1
        }
        guard count >= Self.fewestProducts, let costBefore = try? roundedQuotient(before, 1_000),
            let costNow = try? roundedQuotient(now, 1_000), costBefore > 0
        else { return nil }
        self.costBefore = costBefore
        self.costNow = costNow
        productCount = count
    }
}
