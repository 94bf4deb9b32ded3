/// Why two products that somebody joins may be two goods after all: a hint, never a refusal.
package enum MergeDoubt: String, Sendable, CaseIterable {
    case category
    /// One by the piece, one by weight, or base prices of two units.
    case unit
    /// One costs at least `distance` times as much a base unit.
    case price
    /// A piece of one holds more than a piece of the other.
    case size

    /// What is known of one product.
    package struct Goods: Hashable, Sendable {
        /// At the top of the tree.
        package let category: CategoryID?
        /// The newest regular price per base unit.
        package let base: UnitPrice?
        /// What a price is for: a piece, or a kilogram.
        package let sold: MeasureUnit?

        /// What a piece holds; nothing for weighed goods.
        package let size: Quantity?

        package init(category: CategoryID?, base: UnitPrice?, sold: MeasureUnit?, size: Quantity? = nil) {
            self.category = category
            self.base = base
            self.sold = sold
            self.size = size
        }
    }

    /// The same good costs no more than so many times as much.
    package static let distance: Int64 = 2

    /// What is not known of either raises no doubt.
    package static func doubts(_ one: Goods?, _ other: Goods?) -> [MergeDoubt] {
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
        if low > 0, high / distance >= low { doubts.append(.price) }
        if let left = one.size, let right = other.size, !isNearly(left, right) { doubts.append(.size) }
        return doubts
    }

    /// Sizes that are computed from rounded prices differ in their last figures.
    private static func isNearly(_ left: Quantity, _ right: Quantity) -> Bool {
        guard left.unit.base == right.unit.base else { return false }
        let one = Int128(left.thousandths) * Int128(right.unit.perBase)
        let other = Int128(right.thousandths) * Int128(left.unit.perBase)
        return (one - other).magnitude * 500 <= max(one.magnitude, other.magnitude)
    }
}
