/// Compares the cost of a basket at each place, and at two places together.
///
/// Only places where most of the items have a price are compared. For an item without a price there, the lowest price
/// elsewhere is used, so that each sum covers the whole basket.
package struct BasketComparison<Place: Hashable & Comparable & Sendable>: Sendable {
    /// An item of the basket with its price at each place.
    package struct Item: Sendable {
        /// The quantity in thousandths of the unit of its prices; positive.
        package let quantity: Int64
        /// The lowest price at each place.
        package let offers: [Place: Offer]

        package init(quantity: Int64, offers: [Place: Offer]) {
            self.quantity = quantity
            self.offers = offers
        }
    }

    /// Ordered by price, then by age.
    package struct Offer: Hashable, Comparable, Sendable {
        /// The price in thousandths of a minor unit.
        package let price: Int64
        package let ageInDays: Int

        package init(price: Int64, ageInDays: Int) {
            self.price = price
            self.ageInDays = ageInDays
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.price, left.ageInDays) < (right.price, right.ageInDays)
        }
    }

    /// The cost of the basket at one place, or at two places with each item bought at the cheaper one.
    package struct Total: Hashable, Sendable {
        /// One place, or two in ascending order.
        package let places: [Place]
        /// The cost of the whole basket, in minor units.
        package let cost: Int64
        /// The indices of the items that have no price here.
        package let missing: [Int]
        /// The number of items whose price is older than `PriceComparison.freshDays`.
        package let oldCount: Int
    }

    /// The total of each place, cheapest first.
    package let totals: [Total]
    /// The cheapest pair of places; nil if it costs no less than the cheapest place.
    package let pair: Total?
    /// Places with prices of too few items.
    package let sparse: [Place]
    /// The number of items that have a price at any place.
    package let itemCount: Int

    /// - Parameter items: items without any price are ignored.
    package init(_ items: [Item]) {
        let places = Set(items.lazy.flatMap(\.offers.keys)).sorted()
        let rows = items.enumerated().compactMap { Row(index: $0, item: $1, places: places) }
        itemCount = rows.count
        let full = places.indices.filter { place in 2 * rows.count { $0.offers[place] != nil } > rows.count }
        sparse = places.indices.filter { !full.contains($0) }.map { places[$0] }
        let totals = full.compactMap { Self.total(rows, at: [$0], of: places) }.sorted {
            ($0.cost, $0.places[0]) < ($1.cost, $1.places[0])
        }
        self.totals = totals
        let pairs = full.indices.flatMap { one in
            full[(one + 1)...].compactMap { Self.total(rows, at: [full[one], $0], of: places) }
        }
        let best = pairs.min { ($0.cost, $0.missing.count, $0.places[0]) < ($1.cost, $1.missing.count, $1.places[0]) }
        pair = best.flatMap { best in totals.first.map { best.cost < $0.cost } == true ? best : nil }
    }

    /// An item with a price: its offers by the number of the place, and the best of them.
    private struct Row {
        let index: Int
        let quantity: Int64
        let offers: [Offer?]
        let best: Offer

        init?(index: Int, item: Item, places: [Place]) {
            let offers = places.map { item.offers[$0] }
            guard let best = offers.lazy.compactMap(\.self).min() else { return nil }
            self.index = index
            quantity = item.quantity
            self.offers = offers
            self.best = best
        }
    }

    /// The total of one or two places; nil if the sum overflows.
    private static func total(_ rows: [Row], at numbers: [Int], of places: [Place]) -> Total? {
        var cost = Int128(0)
        var missing: [Int] = []
        var oldCount = 0
        for row in rows {
            let here = numbers.lazy.compactMap { row.offers[$0] }.min()
            let offer = here ?? row.best
            if here == nil { missing.append(row.index) }
            if offer.ageInDays > PriceComparison.freshDays { oldCount += 1 }
            cost += Int128(offer.price) * Int128(row.quantity)
        }
        guard let minor = try? roundedQuotient(cost, 1_000_000) else { return nil }
        return Total(places: numbers.map { places[$0] }, cost: minor, missing: missing, oldCount: oldCount)
    }
}
