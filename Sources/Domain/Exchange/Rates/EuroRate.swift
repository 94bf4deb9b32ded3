/// The value of one euro in another currency on a day.
package struct EuroRate: Hashable, Sendable {
    package let currency: CurrencyCode
    package let day: LocalDate
    /// Units of `currency` for one euro, in millionths.
    package let perEuroMillionths: Int64

    package init(currency: CurrencyCode, day: LocalDate, perEuroMillionths: Int64) {
        self.currency = currency
        self.day = day
        self.perEuroMillionths = perEuroMillionths
    }

    /// Reads a rate as people and files write it: `1,0847`. Nil for the euro, and for anything that is not above 0.
    package init?(currency: CurrencyCode, day: LocalDate, rate: some StringProtocol) {
        guard currency != .eur,
            let value = try? DecimalText.parse(rate, decimals: 6, limit: 1_000_000_000_000_000), value > 0
        else { return nil }
        self.init(currency: currency, day: day, perEuroMillionths: value)
    }
}
