import Glibc

extension NeuralEngine {
    /// The likeliest readings of a strip with one figure or one text.
    ///
    /// - Parameter asAmount: Whether to return only readings that are amounts. Otherwise returns at most one reading.
    func readings(of strip: Raster, asAmount: Bool) -> [ScoredReading] {
        guard let lattice = lattice(of: strip) else { return [] }
        let allSteps = 0..<lattice.stepCount
        guard asAmount else {
            return ReadingSearch(lattice, AnyText(), width: 8).readings(in: allSteps, count: 1).filter {
                !$0.text.isEmpty
            }
        }
        return ReadingSearch(lattice, AmountPattern(), width: 24).readings(in: allSteps, count: 4).filter {
            $0.cost <= Self.maximumCost
        }
    }

    /// Amounts with a higher cost (a probability below e⁻¹²) are dropped.
    private static let maximumCost = 1_200
}

extension ScoredReading {
    /// The probability in percent.
    var percent: Int { Int(100 * exp(-Double(cost) / 100)) }
}
