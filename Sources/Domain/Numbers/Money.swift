/// An amount in whole minor units (cents, Rappen) of one currency.
package struct Money: Hashable, Sendable {
    /// The largest magnitude that is accepted as input: one million, 10^8 minor units.
    package static let limit: Int64 = 100_000_000

    /// Cents or Rappen; negative for returns and discounts.
    package let minorUnits: Int64
    package let currency: Currency

    package init(minorUnits: Int64, currency: Currency = .eur) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    package static func zero(_ currency: Currency = .eur) -> Money { Money(minorUnits: 0, currency: currency) }

    package var isZero: Bool { minorUnits == 0 }
    package var isNegative: Bool { minorUnits < 0 }

    /// - Throws: `mismatch` for two currencies, `outOfRange` on overflow.
    package static func + (left: Money, right: Money) throws(NumberError) -> Money {
        guard left.currency == right.currency else { throw .mismatch }
        let (sum, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
        guard !overflow else { throw .outOfRange }
        return Money(minorUnits: sum, currency: left.currency)
    }

    /// - Throws: `mismatch` for two currencies, `outOfRange` on overflow.
    package static func - (left: Money, right: Money) throws(NumberError) -> Money {
        guard left.currency == right.currency else { throw .mismatch }
        let (difference, overflow) = left.minorUnits.subtractingReportingOverflow(right.minorUnits)
        guard !overflow else { throw .outOfRange }
        return Money(minorUnits: difference, currency: left.currency)
    }

    /// - Throws: `mismatch` for an amount of another currency, `outOfRange` on overflow.
    package static func sum(
        of amounts: some Sequence<Money>, currency: Currency = .eur
    ) throws(NumberError) -> Money {
        var total = zero(currency)
        for amount in amounts { total = try total + amount }
        return total
    }
}

extension Money {
    /// Reads `1.234,56`, `1,234.56`, `12,3`, `0,25-`, `€ 3,20`, `3.20 EUR`. A currency sign must be the sign of
    /// `currency`.
    ///
    /// - Throws: `NumberError`; `outOfRange` beyond ±10^8 minor units, `mismatch` for another currency's sign.
    package init(parsing text: some StringProtocol, currency: Currency = .eur) throws(NumberError) {
        let (figure, printed) = CurrencyText.strip(text)
        if let printed, printed != currency { throw .mismatch }
        self.init(
            minorUnits: try DecimalText.parse(figure, decimals: 2, limit: Money.limit), currency: currency)
    }

    /// `1.234,56 €` or `€1,234.56`, with U+2212 as minus sign.
    package func formatted(_ language: Language = .german) -> String {
        CurrencyText.attach(currency, to: figure(language), in: language)
    }

    /// The figure without currency, with grouped thousands: `1.234,56`. For form fields and table cells.
    package func figure(_ language: Language = .german) -> String {
        DecimalText.format(minorUnits, decimals: 2, minimum: 2, in: language)
    }

    /// `-1234.50`, for JSON.
    package var plain: String { DecimalText.plain(minorUnits, decimals: 2) }
}
