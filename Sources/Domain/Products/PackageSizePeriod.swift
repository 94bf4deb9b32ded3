/// A package size and the first day on which it is sold.
package struct PackageSizePeriod: Hashable, Sendable {
    /// The period lasts until the next one begins.
    package let from: LocalDate
    package let size: Quantity

    package init(from: LocalDate, size: Quantity) {
        self.from = from
        self.size = size
    }
}

extension Collection<PackageSizePeriod> {
    /// The size of `period(on: day)`.
    package func size(on day: LocalDate) -> Quantity? { period(on: day)?.size }

    /// The period that applies on `day`: the latest one that has begun, or else the first.
    package func period(on day: LocalDate) -> PackageSizePeriod? {
        filter { $0.from <= day }.max { $0.from < $1.from } ?? self.min { $0.from < $1.from }
    }
}
