import Domain

extension TailReader {
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
