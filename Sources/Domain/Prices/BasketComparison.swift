/// What the same shopping costs at each place, and at two of them together.
///
/// Only places where most of the items have a price are compared. What an item costs where it has none is its lowest price
/// elsewhere, so that every sum is of the whole basket.
package struct BasketComparison<Place: Hashable & Comparable & Sendable>: Sendable {
    /// Something that is bought, with what it costs at each place.
    package struct Item: Sendable {
        /// In thousandths of the unit that its prices refer to; positive.
        package let quantity: Int64
        /// The lowest price of each place.
        package let offers: [Place: Offer]

        package init(quantity: Int64, offers: [Place: Offer]) {
            self.quantity = quantity
            self.offers = offers
        }
    }

    package struct Offer: Hashable, Sendable {
        /// Thousandths of a minor unit.
        package let price: Int64
        package let ageInDays: Int

        package init(price: Int64, ageInDays: Int) {
            self.price = price
            self.ageInDays = ageInDays
        }
    }

    /// The basket bought at one place, or at the cheaper of two.
    package struct Total: Hashable, Sendable {
        /// One, or two in their order.
        package let places: [Place]
        /// Of the whole basket, in minor units.
        package let cost: Int64
        /// Places of the items among `items` that have no price here.
        package let missing: [Int]
        /// Items whose price is older than `PriceComparison.freshDays`.
        package let oldCount: Int
    }

    /// Each place by itself, cheapest first.
    package let totals: [Total]
    /// The cheapest two places, where that is less than the cheapest alone.
    package let pair: Total?
    /// Places that have too few of the items.
    package let sparse: [Place]
    /// Items that have a price somewhere.
    package let itemCount: Int

    /// - Parameter items: those without a price anywhere are left out.
    package init(_ items: [Item]) {
        let priced = items.filter { !$0.offers.isEmpty }
        itemCount = priced.count
        let places = Set(priced.flatMap(\.offers.keys)).sorted()
        let full = places.filter { place in 2 * priced.count { $0.offers[place] != nil } > priced.count }
        sparse = places.filter { !full.contains($0) }
        let totals = full.compactMap { Self.total(items, at: [$0]) }.sorted {
            ($0.cost, $0.places[0]) < ($1.cost, $1.places[0])
        }
        self.totals = totals
        let pairs = full.indices.flatMap { one in
            full[(one + 1)...].compactMap { Self.total(items, at: [full[one], $0]) }
        }
        let best = pairs.min { ($0.cost, $0.missing.count, $0.places[0]) < ($1.cost, $1.missing.count, $1.places[0]) }
        pair = best.flatMap { best in totals.first.map { best.cost < $0.cost } == true ? best : nil }
    }

    /// Nil if the sum is out of range.
    private static func total(_ items: [Item], at places: [Place]) -> Total? {
        var cost = Int128(0)
        var missing: [Int] = []
        var oldCount = 0
        for (index, item) in items.enumerated() where !item.offers.isEmpty {
            let here = places.compactMap { item.offers[$0] }
            let offer = (here.isEmpty ? Array(item.offers.values) : here).min {
                ($0.price, $0.ageInDays) < ($1.price, $1.ageInDays)
            }
            guard let offer else { continue }
            if here.isEmpty { missing.append(index) }
            if offer.ageInDays > PriceComparison.freshDays { oldCount += 1 }
            cost += Int128(offer.price) * Int128(item.quantity)
        }
        guard let minor = try? roundedQuotient(cost, 1_000_000) else { return nil }
        return Total(places: places, cost: minor, missing: missing, oldCount: oldCount)
    }
}
