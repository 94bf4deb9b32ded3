import Domain

/// A printed quantity with its unit price, anywhere on a line: `2 Stk x 0,99`, `0,543 KG x 10,99`, `0,89 x 2`.
struct QuantityPhrase: Sendable, Equatable {
    var range: Range<Int>
    /// Thousandths of `unit`.
    var quantity: Int64
    var unit: MeasureUnit
    /// Thousandths of a minor unit; nil if it is not known, for example if only a weight is printed.
    var unitPrice: Int64?
    var quantityRange: Range<Int>
    var unitPriceRange: Range<Int>?
    /// Whether the count was not read but computed from total and unit price.
    var isCountImplied = false

    /// The text shown in the reason of a repair: `3 × 0,25`.
    var text: String {
        let count = Quantity(thousandths: quantity, unit: unit).figure()
        return unitPrice.map { "\(count) × \(AmountText.german($0 / 1_000))" } ?? count
    }

    /// Quantity × unit price, rounded half away from zero; nil without a unit price.
    var product: Int64? { unitPrice.flatMap { QuantityPhrase.product(quantity: quantity, unitPrice: $0) } }

    /// Thousandths of a unit × thousandths of a minor unit, in minor units, rounded half away from zero.
    static func product(quantity: Int64, unitPrice: Int64) -> Int64? {
        let (product, overflow) = quantity.multipliedReportingOverflow(by: unitPrice)
        guard !overflow else { return nil }
        let magnitude = (product.magnitude + 500_000) / 1_000_000
        return product < 0 ? -Int64(magnitude) : Int64(magnitude)
    }

    /// Whether quantity × unit price is the amount: exactly for pieces, within a cent for weights, and within two if a
    /// Swiss till may have rounded to five rappen.
    func makes(_ amount: Int64) -> Bool {
        guard let product else { return false }
        let difference = product.magnitude.distance(to: amount.magnitude).magnitude
        if unit == .piece { return difference == 0 }
        return difference <= 1 || (difference == 2 && amount.isMultiple(of: 5))
    }
}
