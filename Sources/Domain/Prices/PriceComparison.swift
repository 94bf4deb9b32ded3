/// The newest prices of a comparison group, one cell for each store.
package struct PriceComparison: Sendable {
    /// The lowest price of the group in one store: a recent one if there is any, else an old one.
    package struct Cell: Hashable, Sendable {
        /// The newest observation of the product in the store.
        package let observation: PriceObservation
        /// The price that is compared: the paid price while an offer is fresh, otherwise the regular price.
        package let price: UnitPrice
        /// Whether the last purchase was an offer less than ``offerDays`` ago.
        package let isFreshOffer: Bool
        /// The days since the purchase; 0 or more.
        package let ageInDays: Int
        /// Whether the price, as pages show it, is the lowest of several that are not old.
        package let isCheapest: Bool
        /// Whether the price is older than `freshDays`, so that it may have changed.
        package var isOld: Bool { ageInDays > freshDays }
    }

    /// One cell for each store, cheapest first; old prices follow the others.
    package let cells: [Cell]

    /// The assumed duration of an offer.
    package static let offerDays = 7
    /// Older prices are shown but never marked as the cheapest.
    package static let freshDays = 90

    /// - Parameter observations: the observations of all products of the group. Only prices in its base unit are
    ///   compared.
    package init(
        observations: [PriceObservation], baseUnit: MeasureUnit, asOf today: LocalDate
    ) {
        var newest: [PriceKey: PriceObservation] = [:]
        for observation in observations where observation.day <= today {
            let key = PriceKey(product: observation.product, store: observation.store)
            if let known = newest[key], known.isNewer(than: observation) { continue }
            newest[key] = observation
        }
        var best: [StoreID: Cell] = [:]
        for observation in newest.values {
            guard let cell = Self.cell(observation, unit: baseUnit.base, today: today) else { continue }
            // A recent price replaces an old one, even a lower one.
            if let known = best[cell.observation.store],
                cell.isOld == known.isOld ? !Self.isBefore(cell, known) : cell.isOld
            {
                continue
            }
            best[cell.observation.store] = cell
        }
        let sorted = best.values.sorted(by: Self.isBefore)
        let fresh = sorted.filter { !$0.isOld }
        // Prices that look equal on pages count as equally low. With one store only, none is marked as the cheapest.
        let lowest = fresh.count > 1 ? fresh.first?.price.asShown : nil
        cells = fresh.map { $0.marked($0.price.asShown == lowest) } + sorted.filter(\.isOld)
    }

    private struct PriceKey: Hashable {
        let product: ProductID
        let store: StoreID
    }

    private static func cell(_ observation: PriceObservation, unit: MeasureUnit, today: LocalDate) -> Cell? {
        let age = observation.day.days(to: today)
        let isFreshOffer = observation.isOffer && age < offerDays
        guard let price = isFreshOffer ? observation.paidBase : observation.regularBase, price.unit == unit else {
            return nil
        }
        return Cell(
            observation: observation, price: price, isFreshOffer: isFreshOffer, ageInDays: age, isCheapest: false)
    }

    private static func isBefore(_ left: Cell, _ right: Cell) -> Bool {
        (left.price.thousandthsOfMinor, left.ageInDays, left.observation.product)
            < (right.price.thousandthsOfMinor, right.ageInDays, right.observation.product)
    }
}

extension PriceComparison.Cell {
    fileprivate func marked(_ isCheapest: Bool) -> Self {
        Self(
            observation: observation, price: price, isFreshOffer: isFreshOffer, ageInDays: ageInDays,
            isCheapest: isCheapest)
    }
}
