/// An amount as lists print it: `28`, `28,-`, `28,50`, `€ 28.50`, `CHF 28.–`, `1'250`.
struct PrintedPrice: Equatable {
    /// In minor units.
    var amount: Int
    /// ISO 4217.
    var currency: String?
    /// Whether the text has only digits, so that it may be a number that is not a price.
    var hasOnlyDigits = false
    /// Whether the amount contains a separator or a dash, as in `28,50` and `28,-`, but also in `1'250`.
    var hasDecimals = false

    /// The signs of currencies. A sign that contains another one precedes it, so that `Euro28` is not read as `Eur` and
    /// `o28`.
    private static let currencies: [(sign: String, code: String)] = [
        ("€", "EUR"), ("EURO", "EUR"), ("EUR", "EUR"), ("Euros", "EUR"), ("Euro", "EUR"), ("Eur", "EUR"),
        ("euros", "EUR"), ("euro", "EUR"), ("CHF", "CHF"), ("SFr.", "CHF"), ("sFr.", "CHF"), ("SFR", "CHF"),
        ("Fr.", "CHF"), ("US$", "USD"), ("$", "USD"), ("USD", "USD"), ("£", "GBP"), ("GBP", "GBP"),
        // The engine may lose the accents of `Kč` and `zł`.
        ("Kč", "CZK"), ("Kc", "CZK"), ("CZK", "CZK"), ("zł", "PLN"), ("zl", "PLN"), ("PLN", "PLN"), ("Ft", "HUF"),
        ("HUF", "HUF"), ("SEK", "SEK"), ("NOK", "NOK"), ("DKK", "DKK"), ("kr.", Crowns.withStop),
        ("Kr.", Crowns.withStop), ("kr", Crowns.withoutStop), ("Kr", Crowns.withoutStop),
    ]
    /// The lowest and the highest plausible price of a wine, in minor units.
    private static let plausible = 100...5_000_000
    /// The highest plausible price in Hungarian forint, or with a separator of thousands and a dash: `62.000,-`.
    private static let highestOfLargeAmounts = 100_000_000

    /// The currency of a word that is only a currency. `€HF` and similar words are a misread `CHF`.
    static func currency(_ text: String) -> String? {
        if let known = currencies.first(where: { $0.sign == text })
            ?? currencies.first(where: { $0.sign + "." == text || $0.sign == text + "." })
        {
            return known.code
        }
        return text.utf8.count >= 3 && text.hasSuffix("HF") && text.count == 3 ? "CHF" : nil
    }

    /// Returns nil for a text that is not a price.
    ///
    /// - Parameter isLenient: Whether letters that look like digits count as digits; used in price columns.
    init?(_ text: String, isLenient: Bool = false) {
        var remainingText = text[...]
        for (sign, code) in Self.currencies {
            if remainingText.hasPrefix(sign) {
                remainingText = remainingText.dropFirst(sign.count)
            } else if remainingText.hasSuffix(sign) {
                remainingText = remainingText.dropLast(sign.count)
            } else {
                continue
            }
            currency = code
            break
        }
        let digits = isLenient ? Self.lenient(remainingText) : Array(remainingText.utf8)
        let isForint = currency == "HUF"
        guard let amount = Self.amount(digits, maximumDigits: isForint ? 6 : 5), amount >= Self.plausible.lowerBound
        else {
            return nil
        }
        let isLarge = isForint || digits.contains { Self.separators.contains($0) } && !Self.isDigit(digits.last)
        guard amount <= (isLarge ? Self.highestOfLargeAmounts : Self.plausible.upperBound) else { return nil }
        self.amount = amount
        hasDecimals = digits.dropFirst().contains { !(48...57).contains($0) }
        hasOnlyDigits = currency == nil && digits.allSatisfy { (48...57).contains($0) }
    }

    private static let separators = Array(",.'".utf8)

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (48...57).contains($0) } ?? false }

    /// The amount of digits with separators, in minor units. A dash or a separator at the end means `,00`.
    ///
    /// - Parameter maximumDigits: The maximum number of digits without a separator of thousands.
    private static func amount(_ text: [UInt8], maximumDigits: Int) -> Int? {
        var parts: [[UInt8]] = [[]]
        // `dashed` replaces every kind of dash by one ASCII byte.
        for byte in dashed(text) {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "'"): parts.append([])
            default: parts[parts.count - 1].append(byte)
            }
        }
        if parts.count > 1, parts[parts.count - 1].allSatisfy({ $0 == UInt8(ascii: "-") }) {
            parts.removeLast()
            return units(parts, maximumDigits).map { $0 * 100 }
        }
        if parts.count == 1, parts[0].last == UInt8(ascii: "-") {
            return units([Array(parts[0].prefix { $0 != UInt8(ascii: "-") })], maximumDigits).map { $0 * 100 }
        }
        if parts.count > 1, parts[parts.count - 1].count == 2 {
            guard let cents = number(parts.removeLast()) else { return nil }
            return units(parts, maximumDigits).map { $0 * 100 + cents }
        }
        // One decimal: `6,5`.
        if parts.count == 2, parts[0].count <= 3, parts[1].count == 1, let tenths = number(parts.removeLast()) {
            return units(parts, maximumDigits).map { $0 * 100 + tenths * 10 }
        }
        return units(parts, maximumDigits).map { $0 * 100 }
    }

    /// The number of whole units, with or without separators of thousands.
    private static func units(_ parts: [[UInt8]], _ maximumDigits: Int) -> Int? {
        guard let first = parts.first, (1...(parts.count == 1 ? maximumDigits : 3)).contains(first.count),
            parts.dropFirst().allSatisfy({ $0.count == 3 }), parts.count <= 2
        else { return nil }
        return number(parts.flatMap { $0 })
    }

    private static func number(_ digits: [UInt8]) -> Int? {
        guard !digits.isEmpty, digits.count < 9, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// The text with all kinds of dashes at its end replaced by one hyphen.
    private static func dashed(_ text: [UInt8]) -> [UInt8] {
        var text = String(decoding: text, as: UTF8.self)[...]
        var dashes = 0
        while let last = text.last, "–—-−_=~:".contains(last) {
            text.removeLast()
            dashes += 1
        }
        return Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "-"), count: min(1, dashes))
    }

    /// The text with letters that look like digits replaced by these digits, if it has at least one digit.
    private static func lenient(_ text: Substring) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { (48...57).contains($0) }) else { return bytes }
        return bytes.map { byte in
            switch byte {
            case UInt8(ascii: "O"), UInt8(ascii: "o"): UInt8(ascii: "0")
            case UInt8(ascii: "l"), UInt8(ascii: "I"), UInt8(ascii: "|"), UInt8(ascii: "!"): UInt8(ascii: "1")
            case UInt8(ascii: "S"): UInt8(ascii: "5")
            case UInt8(ascii: "B"): UInt8(ascii: "8")
            default: byte
            }
        }
    }
}
