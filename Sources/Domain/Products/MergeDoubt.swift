/// A reason to doubt that two products are the same. Merging them is never refused.
package enum MergeDoubt: String, Sendable, CaseIterable {
    case category
    /// One product is sold by the piece and the other by weight, or the base prices have different units or currencies.
    case unit
    /// One product costs at least `priceFactor` times as much as the other per base unit.
    case price
    /// The packages have different sizes.
    case size

    /// The properties of a product that are compared.
    package struct Properties: Hashable, Sendable {
        /// The top category.
        package let category: CategoryID?
        /// The newest regular price per base unit.
        package let base: UnitPrice?
        /// The unit of its price: piece or kilogram.
        package let sold: MeasureUnit?

        /// The package size; nil for products sold by weight.
        package let size: Quantity?

        package init(category: CategoryID?, base: UnitPrice?, sold: MeasureUnit?, size: Quantity? = nil) {
            self.category = category
            self.base = base
            self.sold = sold
            self.size = size
        }
    }

    /// The factor between two base prices that raises a doubt.
    package static let priceFactor: Int64 = 2

    /// The doubts about a merge. Unknown values raise no doubt.
    package static func doubts(_ one: Properties?, _ other: Properties?) -> [MergeDoubt] {
        guard let one, let other else { return [] }
        var doubts: [MergeDoubt] = []
        if let left = one.category, let right = other.category, left != right { doubts.append(.category) }
        guard let left = one.base, let right = other.base else { return doubts }
        guard left.unit == right.unit, left.currency == right.currency else { return doubts + [.unit] }
        if one.sold != other.sold { doubts.append(.unit) }
        let (low, high) = (
            min(left.thousandthsOfMinor, right.thousandthsOfMinor),
            max(left.thousandthsOfMinor, right.thousandthsOfMinor)
        )
        if low > 0, high / priceFactor >= low { doubts.append(.price) }
        if let left = one.size, let right = other.size, !isNearly(left, right) { doubts.append(.size) }
        return doubts
    }

    /// Whether two sizes are almost equal. Sizes computed from rounded prices differ in the last digits.
    private static func isNearly(_ left: Quantity, _ right: Quantity) -> Bool {
        guard left.unit.base == right.unit.base else { return false }
        let one = Int128(left.thousandths) * Int128(right.unit.perBase)
        let other = Int128(right.thousandths) * Int128(left.unit.perBase)
        return (one - other).magnitude * 500 <= max(one.magnitude, other.magnitude)
    }
}
