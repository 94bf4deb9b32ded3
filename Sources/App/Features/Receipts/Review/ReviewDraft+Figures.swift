import Domain

extension ReviewDraft.Line {
    /// Makes amount, quantity and unit price agree after a person changed some of them. Adjusts an unchanged value: the
    /// unit price to the amount and quantity, or the amount to a changed unit price. Changes nothing when the values
    /// already agree, or when both the amount and the unit price were changed. A missing unit price is set only for a
    /// single piece.
    ///
    /// - Parameter old: the line before the change; nil for a new line.
    mutating func reconcileFigures(since old: ReviewDraft.Line?) {
        guard !isUnread else { return }
        let wasRead = !(old?.isUnread ?? true)
        let amountChanged = !wasRead || old?.total != total
        let quantityChanged = old.map { $0.quantity != quantity || $0.unit != unit } ?? false
        let priceChanged = old?.unitPrice != unitPrice
        guard amountChanged || quantityChanged || priceChanged else { return }
        if unitPrice == nil {
            // A unit price that a person cleared stays empty.
            if old?.unitPrice == nil, quantity == 1_000, unit == .piece { unitPrice = total * 1_000 }
            return
        }
        guard misfit != nil else { return }
        if priceChanged, !amountChanged {
            if let computedTotal, computedTotal != 0 || unitPrice == 0 {
                total = total < 0 ? -abs(computedTotal) : computedTotal
            }
        } else if !priceChanged {
            unitPrice = unitPriceFromTotal ?? unitPrice
        }
    }

    /// The unit price that follows from amount and quantity, in thousandths of a minor unit; nil when the quantity is
    /// 0.
    private var unitPriceFromTotal: Int64? {
        guard quantity != 0 else { return nil }
        let product = Int128(total) * 1_000_000
        let half = Int128(quantity.magnitude) / 2
        let rounded = (product + (product < 0 ? -half : half)) / Int128(quantity)
        guard let price = Int64(exactly: rounded), price.magnitude <= UnitPrice.limit.magnitude else { return nil }
        return price
    }
}
