import Domain

extension UnitPrice {
    /// A text such as `1,79 €` for a piece, or `1,99 €/kg` for a product sold by weight.
    func shown(_ language: Language) -> String {
        guard unit == .piece, let money = try? rounded() else { return formatted(language) }
        return money.formatted(language)
    }

    /// A text such as `13,16 €/kg`. Prices of one euro or more are rounded to cents; lower prices have more decimals.
    func shownAsBase(_ language: Language) -> String {
        guard thousandthsOfMinor >= 100_000, let money = try? rounded() else { return formatted(language) }
        return UnitPrice(thousandthsOfMinor: money.minorUnits * 1_000, currency: currency, per: unit)
            .formatted(language)
    }
}
