enum CurrencyText {
    private static let signs: [(String, Currency)] =
        [("€", .eur), ("Fr.", .chf), ("£", .gbp), ("$", .usd), ("zł", .pln), ("Kč", .czk)]
        + Currency.allCases.map { ($0.rawValue, $0) }

    /// `text` without a leading or trailing currency sign, and that currency.
    static func strip(_ text: some StringProtocol) -> (figure: String, currency: Currency?) {
        guard text.utf8.count <= DecimalText.maximumBytes + 8 else { return (String(text), nil) }
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

    /// The figure with the currency's symbol before or after it, as the language requires. The space between them is a
    /// no-break space, so that lines do not end between them.
    static func attach(_ currency: Currency, to figure: String, in language: Language) -> String {
        // Pages show U+2212. The hyphen that form fields and files use is too short beside digits.
        let sign = figure.utf8.first == UInt8(ascii: "-") ? "−" : ""
        let amount = sign.isEmpty ? figure : String(figure.dropFirst())
        guard language == .english else { return "\(sign)\(amount)\u{A0}\(currency.symbol)" }
        let gap = currency == .eur ? "" : "\u{A0}"
        return "\(sign)\(currency.symbol)\(gap)\(amount)"
    }
}
