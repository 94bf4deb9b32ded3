extension PrintedPrice {
    /// Reads a text in a price column, where letters are misread digits or a misread currency: `E14€`, `€HF20,-`, `1O`.
    /// Returns nil for a text without digits, or with several lower-case letters, because it is probably a name.
    static func misread(_ text: String) -> PrintedPrice? {
        let small = text.unicodeScalars.filter { $0.properties.isLowercase && $0 != "l" && $0 != "o" }
        guard text.count <= 12, small.count <= 1, text.utf8.contains(where: isDigit) else { return nil }
        if let price = PrintedPrice(text, isLenient: true) { return price }
        let core = text.drop { !($0.isASCII && $0.isNumber) }
        guard text.count - core.count <= 4 else { return nil }
        let digits = core.prefix { $0.isASCII && $0.isNumber || ",.'".contains($0) }
        guard core.count - digits.count <= 4, var price = PrintedPrice(String(digits)) else { return nil }
        let currency = text.filter { !$0.isNumber }
        price.currency =
            currency.contains("HF") ? "CHF" : currency.contains("€") || currency.contains("E") ? "EUR" : nil
        return price
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
