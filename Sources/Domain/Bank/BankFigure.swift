/// A figure in a field of a bank's table, with the currency and the direction that the field may name: `-12,50 €`,
/// `EUR 12,50`, `12,50 S`.
struct BankFigure {
    /// Nil if the field names none, or only by a sign that several currencies share.
    let currency: CurrencyCode?
    /// The usual currency of a sign that several currencies share, such as `$`; nil if the field has none.
    let sharedSign: CurrencyCode?
    /// The field without words, such as `-12,50`.
    private let number: String
    /// Whether a word says that money left the account.
    private let isDebit: Bool

    private static let debitWords: Set = ["s", "soll", "d", "dr", "debit"]
    private static let creditWords: Set = ["h", "haben", "c", "cr", "credit"]
    private static let sharedSigns: Set = ["$", "¥", "£"]
    /// Names of currencies other than their codes and signs.
    private static let names = ["euro": "EUR", "fr": "CHF", "sfr": "CHF", "us$": "USD"]
    /// A name of several currencies: the Danish, Icelandic, Norwegian and Swedish crowns.
    private static let crown = "kr"
    /// The largest number of decimals that are read, in addition to the currency's.
    private static let maximumExtraDecimals = 6

    /// Nil if the field has another word.
    init?(_ field: String) {
        let isOfWord: (Character) -> Bool = { $0.isLetter || $0.isCurrencySymbol }
        let text = Self.withoutAbbreviations(field)
        var (named, sharedSign, isDebit) = (CurrencyCode?.none, CurrencyCode?.none, false)
        for word in text.split(whereSeparator: { !isOfWord($0) }) {
            let code = Self.currency(word)
            if let code, Self.sharedSigns.contains(String(word)) {
                sharedSign = code
            } else if let code, named == nil || named == code {
                named = code
            } else if Self.debitWords.contains(word.lowercased()) {
                isDebit = true
            } else if !Self.creditWords.contains(word.lowercased()), word.lowercased() != Self.crown {
                return nil
            }
        }
        currency = named
        self.sharedSign = sharedSign
        self.isDebit = isDebit
        number = text.filter { !isOfWord($0) }
    }

    private static func currency(_ word: Substring) -> CurrencyCode? {
        CurrencyCode(names[word.lowercased()] ?? String(word)).flatMap { code in
            // Other words of three letters are no currencies.
            word == word.uppercased() || CurrencyCode.offered.contains(code) ? code : nil
        }
    }

    /// Removes the full stop after a letter, as in `Fr. 12.50`, because it is not part of the number.
    private static func withoutAbbreviations(_ field: String) -> String {
        var isAfterLetter = false
        return field.filter { character in
            defer { isAfterLetter = character.isLetter }
            return !isAfterLetter || character != "."
        }
    }

    /// Whether the text is a word for money that left the account.
    static func isDebit(_ word: String) -> Bool { debitWords.contains(word.lowercased()) }

    /// The amount in minor units of a currency; nil if the field has no number, or names another currency.
    func minorUnits(_ currency: CurrencyCode) -> Int64? {
        guard self.currency == nil || self.currency == currency, let value = Self.read(number, currency) else {
            return nil
        }
        return isDebit ? -abs(value) : value
    }

    private static func read(_ number: String, _ currency: CurrencyCode) -> Int64? {
        do throws(NumberError) {
            return try DecimalText.parse(number, decimals: currency.digits, limit: Amount.limit)
        } catch {
            guard error == .tooManyDecimals else { return nil }
        }
        // Some banks write zeros below the minor unit: `500.00` yen.
        var scale: Int64 = 1
        for extra in 1...maximumExtraDecimals {
            scale *= 10
            let decimals = currency.digits + extra
            if let value = try? DecimalText.parse(number, decimals: decimals, limit: Amount.limit * scale) {
                return value.isMultiple(of: scale) ? value / scale : nil
            }
        }
        return nil
    }
}
