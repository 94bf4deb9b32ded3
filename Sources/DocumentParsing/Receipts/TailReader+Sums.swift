import Domain

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

    /// Whether goods and their exact sum follow a payment: the picture shows two receipts.
    static func showsSecondReceipt(_ tail: ArraySlice<ReadLine>) -> Bool {
        let others: [Role] = [
            .payment, .change, .vatHeader, .vatTotal, .slip, .rest, .saved, .footer, .rounding, .discount, .coupon,
            .weakTotal, .subtotal, .points,
        ]
        var isPaid = false
        var sum: Int64 = 0
        for line in tail {
            if line.begins(with: .payment), line.price?.isExact ?? false {
                isPaid = true
                sum = 0
            } else if isPaid, SectionFinder.isTotal(line) {
                if sum > 0, line.price?.value == sum { return true }
                sum = 0
            } else if isPaid, SectionFinder.looksLikeItem(line), line.nameLetters >= 3, line.amounts.count == 1,
                let value = line.price?.value, !line.figures.contains(where: \.isPercent),
                !others.contains(where: line.begins)
            {
                sum += value
            }
        }
        return false
    }
}
