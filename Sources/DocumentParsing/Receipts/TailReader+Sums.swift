/// Sums of the figures in the tail.
extension TailReader {
    /// Payments less change and the rounding of cash; nil without payments.
    var paid: Int64? {
        guard !payments.isEmpty else { return nil }
        // Some tills print payments as negative amounts.
        if let change, change != 0, payments.allSatisfy({ $0.amount < 0 }) {
            return payments.reduce(0) { $0 - $1.amount } - change
        }
        return payments.reduce(0) { $0 + $1.amount } - (change ?? 0) - cashRounding
    }

    /// The sum of the gross column, including rows whose net or tax was misread.
    var printedGross: Int64 { taxRows.reduce(brokenGross) { $0 + $1.gross } }
}
