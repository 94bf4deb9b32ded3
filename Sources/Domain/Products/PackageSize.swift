/// The package size in a name: `6X0,33` is six times 0,33 l.
package struct PackageSize: Hashable, Sendable {
    /// The content of all parts, in the printed unit: 1,98 l.
    package let total: Quantity
    /// The number of parts; 1 unless a multiple is printed.
    package let count: Int64
    /// Whether the size is printed with `ca.`.
    package let isApproximate: Bool

    package init(total: Quantity, count: Int64 = 1, isApproximate: Bool = false) {
        self.total = total
        self.count = count
        self.isApproximate = isApproximate
    }

    /// The unit of the base price.
    package var baseUnit: MeasureUnit { total.unit.base }

    /// Reads `500G`, `1,5L`, `6X0,33`, `10ER`, `2x125g`, `ca.400g`. Nil when the name has no size.
    package init?(inName name: some StringProtocol) {
        guard let size = NameFigures(folded: FoldedText.fold(name)).package else { return nil }
        self = size
    }

    /// `500 g`, `6 × 0,33 l`, `10 Stk.`
    package func formatted(_ language: Language = .german) -> String {
        guard count > 1, total.unit != .piece, total.thousandths.isMultiple(of: count) else {
            return total.formatted(language)
        }
        let part = Quantity(thousandths: total.thousandths / count, unit: total.unit)
        return "\(count) × \(part.formatted(language))"
    }
}
