/// An amount as lists print it: `28`, `28,-`, `28,50`, `€ 28.50`, `CHF 28.–`.
struct PrintedPrice: Equatable {
    /// In minor units.
    var amount: Int
    /// ISO 4217.
    var currency: String?

    private static let currencies: [(sign: String, code: String)] = [
        ("€", "EUR"), ("EUR", "EUR"), ("Euro", "EUR"), ("CHF", "CHF"), ("Fr.", "CHF"), ("SFr.", "CHF"), ("$", "USD"),
        ("£", "GBP"),
    ]

    /// Nil for a text that is no price.
    init?(_ text: String) {
        var rest = text[...]
        for (sign, code) in Self.currencies {
            if rest.hasPrefix(sign) {
                rest = rest.dropFirst(sign.count)
            } else if rest.hasSuffix(sign) {
                rest = rest.dropLast(sign.count)
            } else {
                continue
            }
            currency = code
            break
        }
        let parts = rest.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard let whole = parts.first, (1...5).contains(whole.utf8.count), let units = Int(whole), units > 0 else {
            return nil
        }
        switch parts.count {
        case 1: amount = units * 100
        case 2:
            if parts[1].allSatisfy({ "-–—".contains($0) }) {
                amount = units * 100
            } else {
                guard parts[1].utf8.count == 2, let cents = Int(parts[1]), cents >= 0 else { return nil }
                amount = units * 100 + cents
            }
        default: return nil
        }
    }
}
