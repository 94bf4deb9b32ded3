/// The currencies of receipts. The raw value is the ISO 4217 code. Both have two decimals.
package enum Currency: String, Sendable, CaseIterable, Codable {
    case eur = "EUR"
    case chf = "CHF"

    /// `€`, `CHF`.
    package var symbol: String { self == .eur ? "€" : "CHF" }
}

extension Currency {
    /// Reads the code or the sign of a table's column: `EUR`, `€`, `CHF`. Nil for other words.
    package init?(parsing text: some StringProtocol) {
        let folded = FoldedText.fold(text)
        let found = Self.allCases.first {
            [FoldedText.fold($0.rawValue), FoldedText.fold($0.symbol)].contains(folded)
        }
        guard let found else { return nil }
        self = found
    }
}
