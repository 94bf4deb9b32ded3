import Domain

/// Scales of wine scores and their conversion to 100 points.
enum ScoreScale: String, Sendable, CaseIterable {
    /// Points out of 100. Fractions are rounded.
    case hundred = "100"
    /// 50 + 2.5 × score: 20 becomes 100, 16 becomes 90, 12 becomes 80.
    case twenty = "20"
    /// 50 + 10 × stars: 5 becomes 100, 4 becomes 90, 3.5 becomes 85. 0 remains 0.
    case stars = "5"

    /// Returns points out of 100; nil if the text is not a score of this scale. Accepts a decimal comma or point.
    func points(_ text: String) -> Int? {
        guard let hundredths = try? DecimalText.parse(text, decimals: 2, limit: 10_000), hundredths >= 0 else {
            return nil
        }
        let value = Int(hundredths)
        let points: Int
        switch self {
        case .hundred: points = value
        case .twenty:
            guard value <= 2_000 else { return nil }
            points = 5_000 + value * 5 / 2
        case .stars:
            guard value <= 500 else { return nil }
            points = value == 0 ? 0 : 5_000 + value * 10
        }
        return min(100, (points + 50) / 100)
    }
}
