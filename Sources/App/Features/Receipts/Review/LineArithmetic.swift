import Domain
import Templates

extension ReviewDraft.Line {
    /// The absolute value of quantity × unit price in minor units; nil if it matches the amount.
    ///
    /// Weights are printed to the gram, and some tills truncate instead of rounding. For weights, the tolerance is
    /// therefore the price of half a gram plus one minor unit; for pieces it is half a minor unit.
    var misfit: Int64? {
        guard let unitPrice, !isUnread else { return nil }
        let isMeasured = unit != .piece
        let product = Int128(quantity.magnitude) * Int128(unitPrice.magnitude)
        // In millionths of a minor unit, like `tolerance`.
        let gap = (product - Int128(total.magnitude) * 1_000_000).magnitude
        let tolerance: Int128 = isMeasured ? 1_000_000 + Int128(unitPrice.magnitude) / 2 : 500_000
        guard gap > UInt128(tolerance) else { return nil }
        return Int64(exactly: (product + 500_000) / 1_000_000)
    }

    /// Quantity times unit price in minor units, to fill in a missing amount; nil without a unit price.
    var computedTotal: Int64? {
        guard let unitPrice,
            let amount = try? UnitPrice(thousandthsOfMinor: unitPrice, per: unit.unit)
                .amount(for: Quantity(thousandths: quantity, unit: unit.unit)),
            (-Money.limit...Money.limit).contains(amount.minorUnits)
        else { return nil }
        return amount.minorUnits
    }

    /// A hint such as `2 × 1,29 = 2,58, nicht 2,85`; nil when the figures do not contradict each other.
    func hint(_ currency: Currency, _ words: LanguageTexts, _ language: Language) -> String? {
        guard let misfit, let unitPrice else { return nil }
        let quantity = Quantity(thousandths: Int64(clamping: quantity.magnitude), unit: unit.unit)
        let price = UnitPrice(
            thousandthsOfMinor: Int64(clamping: unitPrice.magnitude), currency: currency, per: unit.unit)
        func figure(_ amount: Int64) -> String { Money(minorUnits: amount, currency: currency).figure(language) }
        let count = unit == .piece ? quantity.figure(language) : quantity.formatted(language)
        return words[
            "server.line.misfit",
            [
                "product": .text("\(count) × \(price.figure(language)) = \(figure(misfit))"),
                "amount": .text(figure(Int64(clamping: total.magnitude))),
            ]]
    }
}
