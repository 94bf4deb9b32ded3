/// The currencies of receipts. The raw value is the ISO 4217 code. All of them have two decimals.
package enum Currency: String, Sendable, CaseIterable, Codable {
    case eur = "EUR"
    case chf = "CHF"
    case bam = "BAM"
    case bgn = "BGN"
    case czk = "CZK"
    case dkk = "DKK"
    case gbp = "GBP"
    case huf = "HUF"
    case nok = "NOK"
    case pln = "PLN"
    case ron = "RON"
    case rsd = "RSD"
    case sek = "SEK"
    case `try` = "TRY"
    case usd = "USD"

    /// The currencies of the countries that a household can choose.
    package static let ofHouseholds: [Currency] = [.eur, .chf]

    /// `€`, `CHF`, `PLN`.
    package var symbol: String { self == .eur ? "€" : rawValue }
}

extension Currency {
    /// Parses a code or sign: `EUR`, `€`, `CHF`. Nil for other words.
    package init?(parsing text: some StringProtocol) {
        let folded = FoldedText.fold(text)
        let found = Self.allCases.first {
            [FoldedText.fold($0.rawValue), FoldedText.fold($0.symbol)].contains(folded)
        }
        guard let found else { return nil }
        self = found
    }
}
