import Domain

/// Scales of wine scores, and how they are converted to 100 points.
enum ScoreScale: String, Sendable, CaseIterable {
    /// As it is; a fraction is rounded.
    case hundred = "100"
    /// 50 + 2.5 points for each: 20 is 100, 16 is 90, 12 is 80.
    case twenty = "20"
    /// 50 + 10 points for each star: 5 is 100, 4 is 90, 3.5 is 85.
    case stars = "5"

    /// Points of 100; nil for a text that is no score of this scale. Takes comma and point.
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
