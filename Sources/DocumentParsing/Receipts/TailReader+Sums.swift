/// What the tail's figures say together.
extension TailReader {
    /// Payments less change; nil without payments.
    var paid: Int64? {
        guard !payments.isEmpty else { return nil }
        // Tills that print what was given as negative.
        if let change, change != 0, payments.allSatisfy({ $0.amount < 0 }) {
            return payments.reduce(0) { $0 - $1.amount } - change
        }
        return payments.reduce(0) { $0 + $1.amount } - (change ?? 0) - cashRounding
    }

    /// The gross column as printed, with the rows whose net or tax was misread.
    var printedGross: Int64 { taxRows.reduce(brokenGross) { $0 + $1.gross } }
}
