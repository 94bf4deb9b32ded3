/// Compares the cost of a basket at each place (a store or a chain), and at two places together.
///
/// Only places where most of the items have a price are compared. For an item without a price there, the lowest recent
/// price elsewhere is used, or else the lowest old price, so that each sum covers the whole basket.
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

    package struct Offer: Hashable, Sendable {
        /// The price in thousandths of a minor unit.
        package let price: Int64
        package let ageInDays: Int

        package init(price: Int64, ageInDays: Int) {
            self.price = price
            self.ageInDays = ageInDays
        }
    }

    /// The cost of the basket at one place, or at two places with each item bought at the cheaper place.
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
    /// Places that are not compared, because they have prices of too few items.
    package let sparse: [Place]
    /// The number of items that have a price at any place.
    package let itemCount: Int

    /// - Parameter items: items without any price are ignored.
    package init(_ items: [Item]) {
        let places = Set(items.flatMap(\.offers.keys)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(places, places.indices))
        var rows: [BasketRow] = []
        for (index, item) in items.enumerated() where !item.offers.isEmpty {
            var row = BasketRow(index: index, quantity: item.quantity, places: places.count)
            for (place, offer) in item.offers {
                if let number = numbers[place] { row.add(offer.price, ageInDays: offer.ageInDays, at: number) }
            }
            rows.append(row)
        }
        itemCount = rows.count
        let sums = BasketSums(rows, places: places.count)
        func total(_ sum: BasketSums.Sum) -> Total {
            let (missing, oldCount) = sums.details(of: sum)
            let numbers = sum.first == sum.second ? [sum.first] : [sum.first, sum.second]
            return Total(places: numbers.map { places[$0] }, cost: sum.cost, missing: missing, oldCount: oldCount)
        }
        sparse = places.indices.filter { !sums.comparedPlaces.contains($0) }.map { places[$0] }
        totals = sums.singles.map(total)
        pair = sums.pair.map(total)
    }
}
