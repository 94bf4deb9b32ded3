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
    /// The size on `day`: that of the latest period that has begun, or else of the first period.
    package func size(on day: LocalDate) -> Quantity? { period(on: day)?.size }

    /// The latest period that has begun on `day`, or else the first period.
    package func period(on day: LocalDate) -> PackageSizePeriod? {
        filter { $0.from <= day }.max { $0.from < $1.from } ?? self.min { $0.from < $1.from }
    }
}
