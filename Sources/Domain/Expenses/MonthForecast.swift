/// The probable spending of the current month, estimated from the spending of earlier months after the same day of the
/// month.
package struct MonthForecast: Hashable, Sendable {
    /// The 10th percentile, the median and the 90th percentile, in minor units.
    package let low: Int64
    package let middle: Int64
    package let high: Int64
    /// The number of earlier months that the forecast is based on.
    package let monthCount: Int

    /// The fewest earlier months that give a forecast.
    package static let minimumMonths = 3

    /// - Parameters:
    ///   - spent: the spending so far this month.
    ///   - expected: recurring expenses that are due by the end of the month.
    ///   - remainders: for each full earlier month, the spending after the same day of the month, without recurring
    ///     expenses.
    /// - Returns: nil with fewer than `minimumMonths`.
    package init?(spent: Int64, expected: Int64 = 0, remainders: [Int64]) {
        guard remainders.count >= Self.minimumMonths else { return nil }
        let sorted = remainders.sorted()
        let base = spent + expected
        low = base + Self.quantile(sorted, percent: 10)
        middle = base + Self.quantile(sorted, percent: 50)
        high = base + Self.quantile(sorted, percent: 90)
        monthCount = remainders.count
    }

    /// The quantile, interpolated linearly between two values and rounded down.
    private static func quantile(_ sorted: [Int64], percent: Int) -> Int64 {
        let position = (sorted.count - 1) * percent
        let (index, part) = (position / 100, position % 100)
        guard part > 0 else { return sorted[index] }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * Int64(part) / 100
    }
}
