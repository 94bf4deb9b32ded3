/// A number on a line: digits with at most one decimal separator, and a sign before or after them.
struct Figure: Sendable, Equatable {
    /// The range of scalars in the line, including the sign.
    var range: Range<Int>
    /// All digits as one number without sign, such as 1299 for `12,99`; at most 12 digits.
    var unscaledValue: Int64
    var digitCount: Int
    var decimals: Int
    var isNegative: Bool
    /// Whether a percent sign follows.
    var isPercent: Bool
    /// Whether the separator was misread or is beside a blank: `50 ,00`, `1. 79`.
    var isSplit: Bool = false

    /// The amount in minor units; nil unless it has two decimals and is within ±10^8.
    var amount: Int64? {
        guard decimals == 2, !isPercent, unscaledValue <= 100_000_000 else { return nil }
        return isNegative ? -unscaledValue : unscaledValue
    }

    /// The number; nil if it has decimals or is a percentage.
    var whole: Int64? { decimals == 0 && !isPercent ? unscaledValue : nil }

    /// The figure as a number of articles or pieces; nil if it cannot be such a number.
    var count: Int? { whole.flatMap { Lexicon.markedCounts.contains($0) ? Int($0) : nil } }

    /// The exact value in thousandths; nil with more than three decimals or above 10^9.
    var thousandths: Int64? {
        guard decimals <= 3 else { return nil }
        let scaled = unscaledValue * [1_000, 100, 10, 1][decimals]
        return scaled <= 1_000_000_000 ? scaled : nil
    }
}
