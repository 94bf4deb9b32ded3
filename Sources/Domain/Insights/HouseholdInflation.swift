/// The household's own inflation: what its shopping of a year ago costs now, as a fixed basket.
///
/// The basket holds what was bought in the `windowDays` that ended a year ago and again in those that end today, in the
/// quantities of then, at regular prices: a Laspeyres index over matched products (ILO and others, Consumer Price Index
/// Manual, 2004, chapter 15: share-weighted arithmetic mean of price relatives). Both windows are of the same season.
/// Prices are per base unit, so a shrunken package is dearer. Comparing the two ends directly has no drift, which
/// chaining months that bounce would add. What was bought only once or only now is in no basket, and so says nothing.
package struct HouseholdInflation: Hashable, Sendable {
    /// One product as it was bought in both windows.
    package struct Matched: Hashable, Sendable {
        /// Mean regular price per base unit, in thousandths of a minor unit; both of one unit.
        package let before: Int64
        /// The same, in the window that ends today.
        package let now: Int64
        /// What was bought of it then cost at regular prices, in minor units.
        package let costBefore: Int64

        package init(before: Int64, now: Int64, costBefore: Int64) {
            self.before = before
            self.now = now
            self.costBefore = costBefore
        }

        /// Paid for, and of sizes that can be reckoned with: no shopping costs ten billion.
        fileprivate var isUsable: Bool {
            (1...1_000_000_000_000_000).contains(before) && (1...1_000_000_000_000_000).contains(now)
                && (1...1_000_000_000_000).contains(costBefore)
        }
    }

    /// Days of each window.
    package static let windowDays = 90
    /// Days between the windows' ends: 52 weeks, so that both have the same days of the week.
    package static let distance = 364
    /// Fewer products tell of themselves, not of a household.
    package static let fewestProducts = 10

    /// The basket at the prices of then and of now, in minor units.
    package let costBefore: Int64
    /// The same basket at the prices of now, in minor units.
    package let costNow: Int64
    /// In the basket, at least `fewestProducts`.
    package let productCount: Int

    /// Tenths of a percent.
    package var permille: Int { PriceChange.permille(from: costBefore, to: costNow) ?? 0 }

    /// Nothing when fewer than `fewestProducts` were bought in both windows.
    package init?(_ products: some Sequence<Matched>) {
        var (before, now) = (Int128(0), Int128(0))
        var count = 0
        for product in products where product.isUsable {
            // In thousandths of a minor unit, so that many small goods do not round away.
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
