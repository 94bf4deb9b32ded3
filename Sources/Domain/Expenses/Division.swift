/// Divides an amount in proportion to weights, without losing a minor unit.
package enum Division {
    /// One part for each weight, in the same order. The parts add up to `amount`.
    ///
    /// Each part is rounded towards zero. The remaining minor units are added, one each, to the parts with the largest
    /// remainders; of equal remainders, the first has priority. A negative amount is divided like its magnitude.
    ///
    /// - Parameter weights: not negative. If all are zero, the parts are equal. Their sum times the amount must fit in
    ///   128 bits.
    package static func parts(of amount: Int64, weights: [Int64]) -> [Int64] {
        guard !weights.isEmpty else { return [] }
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard sum > 0 else { return parts(of: amount, weights: Array(repeating: 1, count: weights.count)) }
        let magnitude = Int128(amount.magnitude)
        let shares = weights.map { (magnitude * Int128($0)).quotientAndRemainder(dividingBy: sum) }
        var parts = shares.map { Int64($0.quotient) }
        let remaining = Int(magnitude - parts.reduce(Int128(0)) { $0 + Int128($1) })
        let order = shares.indices.sorted { (shares[$1].remainder, $0) < (shares[$0].remainder, $1) }
        for index in order.prefix(remaining) { parts[index] += 1 }
        return amount < 0 ? parts.map { -$0 } : parts
    }
}
