/// Currencies of the receipts that are read; the raw value is the ISO 4217 code. Both have hundredths as minor unit.
package enum Currency: String, Sendable, CaseIterable, Codable {
    case eur = "EUR"
    case chf = "CHF"

    /// `€`, `CHF`.
    package var symbol: String { self == .eur ? "€" : "CHF" }
}

/// An amount in whole minor units (cents, Rappen) of one currency.
package struct Money: Hashable, Sendable {
    /// Largest magnitude that is accepted from outside: one million units, 10^8 minor units.
    package static let limit: Int64 = 100_000_000

    /// Cents or Rappen; negative for what is given back.
    package let minorUnits: Int64
    /// Amounts of two currencies are never added.
    package let currency: Currency

    package init(minorUnits: Int64, currency: Currency = .eur) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Nothing, in that currency.
    package static func zero(_ currency: Currency = .eur) -> Money { Money(minorUnits: 0, currency: currency) }

    /// Whatever the currency.
    package var isZero: Bool { minorUnits == 0 }
    /// Less than nothing: a discount, a returned deposit.
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

    /// The amount with the other sign.
    ///
    /// - Throws: `outOfRange` for `Int64.min`, which has no opposite.
    package func negated() throws(NumberError) -> Money { try .zero(currency) - self }

    /// The sum of `amounts`, zero when there are none.
    ///
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
    /// Reads `1.234,56`, `1,234.56`, `12,3`, `0,25-`, `€ 3,20`, `3.20 EUR`; a printed currency must be `currency`.
    ///
    /// - Throws: `NumberError`; `outOfRange` beyond ±10^8 minor units, `mismatch` for another currency's sign.
    package init(parsing text: some StringProtocol, currency: Currency = .eur) throws(NumberError) {
        let (figure, printed) = CurrencyText.strip(text)
        if let printed, printed != currency { throw .mismatch }
        self.init(
            minorUnits: try DecimalText.parse(figure, decimals: 2, limit: Money.limit), currency: currency)
    }

    /// `1.234,56 €` or `€1,234.56`, with a real minus sign.
    package func formatted(_ language: Language = .german) -> String {
        CurrencyText.attach(currency, to: figure(language), in: language)
    }

    /// The figure without currency, for form fields and table cells: `1234,56` grouped as `1.234,56`.
    package func figure(_ language: Language = .german) -> String {
        DecimalText.format(minorUnits, decimals: 2, minimum: 2, in: language)
    }

    /// `-1234.50`, for machines.
    package var plain: String { DecimalText.plain(minorUnits, decimals: 2) }
}

enum CurrencyText {
    private static let signs: [(String, Currency)] = [("€", .eur), ("EUR", .eur), ("CHF", .chf), ("Fr.", .chf)]

    /// `text` without a currency sign in front or behind, and that currency.
    static func strip(_ text: some StringProtocol) -> (figure: String, currency: Currency?) {
        guard text.utf8.count <= DecimalText.longest + 8 else { return (String(text), nil) }
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, DecimalText.isBlank(first) { scalars.removeFirst() }
        while let last = scalars.last, DecimalText.isBlank(last) { scalars.removeLast() }
        let trimmed = String(Substring(scalars))
        for (sign, currency) in signs {
            if trimmed.hasPrefix(sign) { return (String(trimmed.dropFirst(sign.count)), currency) }
            for minus in ["-", "−"] where trimmed.hasPrefix(minus + sign) {
                return ("-" + trimmed.dropFirst(sign.count + 1), currency)
            }
            if trimmed.hasSuffix(sign) { return (String(trimmed.dropLast(sign.count)), currency) }
        }
        return (trimmed, nil)
    }

    static func attach(_ currency: Currency, to figure: String, in language: Language) -> String {
        // The hyphen that figures in forms and files have is too short beside digits.
        let sign = figure.utf8.first == UInt8(ascii: "-") ? "−" : ""
        let amount = sign.isEmpty ? figure : String(figure.dropFirst())
        guard language == .english else { return "\(sign)\(amount) \(currency.symbol)" }
        let gap = currency == .eur ? "" : " "
        return "\(sign)\(currency.symbol)\(gap)\(amount)"
    }
}
