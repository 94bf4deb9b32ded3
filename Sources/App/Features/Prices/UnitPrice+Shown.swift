import Domain

extension UnitPrice {
    /// `1,79 €` for a piece, `1,99 €/kg` for what is weighed.
    func shown(_ language: Language) -> String {
        guard unit == .piece, let money = try? rounded() else { return formatted(language) }
        return money.formatted(language)
    }

    /// `13,16 €/kg`: rounded to the minor unit from one euro on, more decimals below.
    func shownAsBase(_ language: Language) -> String {
        guard thousandthsOfMinor >= 100_000, let money = try? rounded() else { return formatted(language) }
        return UnitPrice(thousandthsOfMinor: money.minorUnits * 1_000, currency: currency, per: unit)
            .formatted(language)
    }
}
