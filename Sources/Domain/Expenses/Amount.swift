/// An amount in whole minor units of any currency.
package struct Amount: Hashable, Sendable {
    /// The largest magnitude of an expense in minor units: 10^9 units of a currency with two decimals.
    package static let limit: Int64 = 100_000_000_000

    package let minorUnits: Int64
    package let currency: CurrencyCode

    package init(minorUnits: Int64, currency: CurrencyCode = .eur) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// - Parameter units: whole units, such as euros; small enough for `minorUnits`.
    package init(units: Int, currency: CurrencyCode) {
        let unit = (0..<currency.digits).reduce(Int64(1)) { unit, _ in unit * 10 }
        self.init(minorUnits: Int64(units) * unit, currency: currency)
    }

    package init(_ money: Money) {
        self.init(minorUnits: money.minorUnits, currency: CurrencyCode(money.currency))
    }

    /// Reads `12,50`, `1.234,56`, `12.5`, `1'234.50`, `12,–`, and a code or sign before or after it: `USD 12`, `12 €`,
    /// `Fr. 3.20`.
    ///
    /// - Parameter currency: used if the text names no currency.
    /// - Throws: `NumberError`; `outOfRange` beyond ±`limit`, `malformed` for a word that is not a currency.
    package init(parsing text: some StringProtocol, currency: CurrencyCode) throws(NumberError) {
        let parts = try Self.parts(of: text)
        let code = parts.currency ?? currency
        self.init(
            minorUnits: try DecimalText.parse(parts.figure, decimals: code.digits, limit: Self.limit), currency: code)
    }

    /// Reads an amount in this currency. Returns its minor units; nil unless the amount is positive and in this currency.
    package static func positive(_ text: some StringProtocol, in currency: CurrencyCode) -> Int64? {
        guard let amount = try? Amount(parsing: text, currency: currency), amount.currency == currency,
            amount.minorUnits > 0
        else { return nil }
        return amount.minorUnits
    }

    /// Splits a text such as `CHF 12.50` into its figure and the currency that it names.
    ///
    /// - Throws: `malformed` for a word that is not a currency.
    package static func parts(
        of text: some StringProtocol
    ) throws(NumberError) -> (figure: String, currency: CurrencyCode?) {
        guard text.utf8.count <= 60 else { throw .malformed }
        let isOfFigure: (Character) -> Bool = {
            $0.isASCII && $0.isNumber || "-+−–—.,' \u{A0}\u{202F}\u{2019}".contains($0)
        }
        // The full stop of this abbreviation is not part of the figure.
        let text = String(text).replacing("Fr.", with: "CHF")
        let sign = text.filter { !isOfFigure($0) }
        let currency = CurrencyCode(sign)
        guard sign.isEmpty || currency != nil else { throw .malformed }
        return (withoutDash(text.filter(isOfFigure)), currency)
    }

    /// The figure without dashes in place of the decimals, as in `12,–` and `12.--`.
    private static func withoutDash(_ figure: String) -> String {
        var rest = figure[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        let dashes = rest.reversed().prefix { "-−–—".contains($0) }.count
        guard (1...2).contains(dashes) else { return figure }
        rest.removeLast(dashes)
        guard rest.last == "," || rest.last == "." else { return figure }
        return String(rest.dropLast())
    }

    /// `1.234,56 €`, `€1,234.56`, `12,00 USD`, with U+2212 as minus sign.
    package func formatted(_ language: Language = .german) -> String {
        let text = DecimalText.format(
            abs(minorUnits), decimals: currency.digits, minimum: currency.digits, in: language)
        let sign = minorUnits < 0 ? "−" : ""
        guard language == .english else { return "\(sign)\(text)\u{A0}\(currency.symbol)" }
        return sign + (currency == .eur ? "€\(text)" : "\(currency.code)\u{A0}\(text)")
    }

    /// `1234,56`: the figure without currency and grouping, for form fields.
    package func field(_ language: Language) -> String {
        DecimalText.format(
            minorUnits, decimals: currency.digits, minimum: currency.digits, in: language, isGrouped: false)
    }

    /// `-1234.50`, for files.
    package var plain: String { DecimalText.plain(minorUnits, decimals: currency.digits) }
}
