/// Deposits in Germany, Austria and Switzerland, in minor units.
enum DepositLexicon {
    /// One bottle, can or crate.
    static let containers: Set<Int64> = [8, 9, 15, 20, 25, 29, 36, 48, 50, 75, 150, 300, 310, 330, 342, 450]
    /// The usual deposits of one bottle or can.
    static let bottles: Set<UInt64> = [8, 9, 15, 25]
    /// Unit prices that may replace a misread unit price.
    static let unitPrices: Set<Int64> = [8, 9, 15, 25, 36, 50, 150]
    /// Deposits that receipts may print as one sum for several bottles, and the largest usual sum.
    static let sums: [(deposit: Int64, maximum: UInt64)] = [(8, 48), (15, 120), (25, 300)]

    /// Whether the amount is a usual deposit of one or a few bottles, cans or crates.
    static func contains(_ amount: Int64) -> Bool {
        amount != 0
            && (containers.contains(Int64(amount.magnitude))
                || sums.contains { amount.isMultiple(of: $0.deposit) && amount.magnitude <= $0.maximum })
    }
}
