/// A package size and the day from which it is sold; a smaller one at the old price is how shrinkage shows.
package struct PackageSizePeriod: Hashable, Sendable {
    /// The first day; it lasts until the next period's.
    package let from: LocalDate
    /// Of the whole package.
    package let size: Quantity

    package init(from: LocalDate, size: Quantity) {
        self.from = from
        self.size = size
    }
}

extension Collection<PackageSizePeriod> {
    /// The size sold on `day`: of the periods begun by then the latest; before all of them the earliest.
    package func size(on day: LocalDate) -> Quantity? {
        let begun = filter { $0.from <= day }.max { $0.from < $1.from }
        return (begun ?? self.min { $0.from < $1.from })?.size
    }
}
