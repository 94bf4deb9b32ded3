import Domain

/// The cells of each comparison, one per store, computed from the latest prices of its products.
struct ComparedPrices: Sendable {
    let cells: [ComparisonGroupID: [PriceComparison.Cell]]

    /// - Parameter prices: one for each product and store; prices in other currencies are ignored.
    init(
        _ groups: some Sequence<ComparisonGroupID>, _ prices: [(ProductID, StoredPrice)], _ currency: Currency,
        _ household: HouseholdCatalogue, today: LocalDate
    ) {
        var observations: [ComparisonGroupID: [PriceObservation]] = [:]
        for (product, price) in prices where price.regular.currency == currency {
            guard let group = household.products[product]?.group else { continue }
            observations[group, default: []].append(price.observation(of: product))
        }
        var cells: [ComparisonGroupID: [PriceComparison.Cell]] = [:]
        for id in groups where cells[id] == nil {
            guard let group = household.groups[id] else { continue }
            cells[id] =
                PriceComparison(observations: observations[id] ?? [], baseUnit: group.unit.unit, asOf: today).cells
        }
        self.cells = cells
    }
}
