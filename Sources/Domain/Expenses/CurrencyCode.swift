/// An ISO 4217 code of any currency. Receipts have one of the few `Currency` cases; expenses may have any currency.
package struct CurrencyCode: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Three capital letters.
    package let code: String

    package static let eur = CurrencyCode(.eur)

    package init(_ currency: Currency) { code = currency.rawValue }

    /// Parses three letters in either case, or a sign such as `€` or `Fr.`. Nil for other texts.
    package init?(_ text: some StringProtocol) {
        if let code = Self.signs[String(text)] {
            self.code = code
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count == 3, bytes.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) }) else {
            return nil
        }
        code = text.uppercased()
    }

    package static func < (left: CurrencyCode, right: CurrencyCode) -> Bool { left.code < right.code }

    package var description: String { code }

    /// Decimals of the minor unit (ISO 4217 table A.1): 0, 2 or 3.
    package var digits: Int {
        if Self.withoutDecimals.contains(code) { return 0 }
        return Self.withThreeDecimals.contains(code) ? 3 : 2
    }

    /// `€`, `CHF`, `USD`.
    package var symbol: String { self == .eur ? "€" : code }

    private static let signs = [
        "€": "EUR", "$": "USD", "£": "GBP", "Fr.": "CHF", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "¥": "JPY",
    ]
    /// The currencies without a minor unit, and those with three decimals (ISO 4217 table A.1).
    package static let withoutDecimals: Set = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    package static let withThreeDecimals: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// The currencies that forms offer: the currencies of the households' countries, of their neighbours, and of
    /// frequent travel destinations.
    package static let offered: [CurrencyCode] = [
        "EUR", "CHF", "USD", "GBP", "CZK", "HUF", "PLN", "DKK", "SEK", "NOK", "RON", "BGN", "ISK", "TRY", "RSD", "BAM",
        "THB", "JPY", "CAD", "AUD",
    ].compactMap { CurrencyCode($0) }
}
