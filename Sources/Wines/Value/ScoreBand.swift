/// The range of a score, as its badge shows it.
package enum ScoreBand: String, Sendable, CaseIterable {
    /// 95 to 100 points.
    case outstanding
    /// 90 to 94 points.
    case excellent
    /// 85 to 89 points.
    case veryGood
    /// 80 to 84 points.
    case good
    /// Below 80 points.
    case below

    /// - Parameter score: Points out of 100.
    package init(score: Int) {
        switch score {
        case 95...: self = .outstanding
        case 90...: self = .excellent
        case 85...: self = .veryGood
        case 80...: self = .good
        default: self = .below
        }
    }
}
