/// The household's own inflation: a chained matched-model index of regular prices, 100 in its first month.
///
/// From month to month only products are compared whose price is known in both, weighted by what the household spent
/// on them in the twelve months before (a Laspeyres step), so new and vanished goods do not move it. A price holds until
/// the next one is seen, at most `carriedMonths` months. Prices are per base unit: a shrunken package is dearer.
package struct HouseholdIndex: Sendable {
    package struct Point: Hashable, Sendable {
        package let month: Month
        /// In thousandths: 100,0 is 100,000.
        package let thousandths: Int
        /// How many products the step from the month before rests on.
        package let matchedProducts: Int
    }

    package static let carriedMonths = 4

    /// Months in their order, none left out; empty without observations.
    package let points: [Point]

    /// Change over the last twelve months in tenths of a percent; nothing before the thirteenth month.
    package var yearlyPermille: Int? {
        guard points.count > 12, let last = points.last else { return nil }
        let earlier = points[points.count - 13].thousandths
        return (try? roundedQuotient(Int128(last.thousandths - earlier) * 1_000, Int128(earlier))).map { Int($0) }
    }

    package init(observations: some Sequence<PriceObservation>, through last: Month) {
        var months: [ProductID: [Month: Monthly]] = [:]
        for observation in observations where observation.day.month <= last {
            guard let base = observation.regularBase, base.thousandthsOfMinor > 0,
                let spent = try? observation.paid.amount(for: observation.quantity)
            else { continue }
            months[observation.product, default: [:]][observation.day.month, default: Monthly()]
                .add(price: base.thousandthsOfMinor, spent: spent.minorUnits)
        }
        guard let first = months.values.lazy.compactMap({ $0.keys.min() }).min() else {
            points = []
            return
        }
        var value = 100_000.0
        var points = [Point(month: first, thousandths: 100_000, matchedProducts: 0)]
        var month = first.next
        // In the order of identifiers, so that equal histories give equal figures to the last bit.
        let products = months.sorted { $0.key < $1.key }.map(\.value)
        while month <= last {
            var (weighted, weights, matched) = (0.0, 0.0, 0)
            for product in products {
                guard let now = Self.price(in: product, at: month),
                    let before = Self.price(in: product, at: month.previous)
                else { continue }
                let weight = Self.spending(in: product, before: month)
                guard weight > 0 else { continue }
                weighted += weight * now / before
                weights += weight
                matched += 1
            }
            // Prices of a drawn or hostile history stay within what an index can show.
            if weights > 0 { value = min(value * weighted / weights, 1e12) }
            points.append(Point(month: month, thousandths: Int(value + 0.5), matchedProducts: matched))
            month = month.next
        }
        self.points = points
    }

    private struct Monthly {
        var prices = 0.0
        var count = 0.0
        var spent: Int64 = 0

        mutating func add(price: Int64, spent amount: Int64) {
            prices += Double(price)
            count += 1
            spent = spent.addingReportingOverflow(max(0, amount)).partialValue
        }
    }

    private static func price(in product: [Month: Monthly], at month: Month) -> Double? {
        for distance in 0...carriedMonths {
            if let known = product[month.adding(-distance)] { return known.prices / known.count }
        }
        return nil
    }

    private static func spending(in product: [Month: Monthly], before month: Month) -> Double {
        (1...12).reduce(0) { $0 + Double(product[month.adding(-$1)]?.spent ?? 0) }
    }
}
