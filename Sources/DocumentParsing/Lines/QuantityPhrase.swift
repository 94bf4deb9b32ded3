import Domain

/// `2 Stk x 0,99`, `0,543 KG x 10,99`, `0,89 x 2`: how much and at what price, wherever on a line it stands.
struct QuantityPhrase: Sendable, Equatable {
    var range: Range<Int>
    /// Thousandths of `unit`.
    var quantity: Int64
    var unit: MeasureUnit
    /// Thousandths of a minor unit; nil where only the weight is printed.
    var unitPrice: Int64?
    var quantityRange: Range<Int>
    var unitPriceRange: Range<Int>?
    /// The count was not read: the total over the unit price gives it.
    var isCountImplied = false

    /// `3 × 0,25`, for the reason of a repair.
    var text: String {
        let count = Quantity(thousandths: quantity, unit: unit).figure()
        return unitPrice.map { "\(count) × \(AmountText.german($0 / 1_000))" } ?? count
    }

    /// What the phrase says the line costs, rounded half away from zero; nil without a price.
    var product: Int64? {
        guard let unitPrice else { return nil }
        return QuantityPhrase.product(quantity: quantity, unitPrice: unitPrice)
    }

    /// Thousandths of a unit × thousandths of a minor unit, in minor units, rounded half away from zero.
    static func product(quantity: Int64, unitPrice: Int64) -> Int64? {
        let (product, overflow) = quantity.multipliedReportingOverflow(by: unitPrice)
        guard !overflow else { return nil }
        let magnitude = (product.magnitude + 500_000) / 1_000_000
        return product < 0 ? -Int64(magnitude) : Int64(magnitude)
    }

    /// Whether the product is the amount: to the cent for pieces, within a cent for what is weighed, and within what
    /// Swiss tills round to five rappen.
    func makes(_ amount: Int64) -> Bool {
        guard let product else { return false }
        let difference = product.magnitude.distance(to: amount.magnitude).magnitude
        if unit == .piece { return difference == 0 }
        return difference <= 1 || (difference == 2 && amount.isMultiple(of: 5))
    }
}
