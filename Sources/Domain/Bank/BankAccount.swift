/// Compares the texts by which files of banks name an account. Formats write the same account differently: CAMT has the
/// IBAN `DE02120300000000202051`, MT940 often has bank code and number, `12030000/0000202051`.
package enum BankAccount {
    /// The maximum length of an account, in Unicode scalars; longer texts are cut.
    package static let maximumLength = 100

    /// Returns the account in capital letters without blanks.
    static func normalised(_ text: String) -> String {
        let capitals = text.filter { !$0.isWhitespace }.uppercased()
        return String(String.UnicodeScalarView(capitals.unicodeScalars.prefix(maximumLength)))
    }

    /// Whether two normalised texts can name the same account. An empty text is an unknown account, which can be any
    /// account. A name can be the name of any account with a number, but two names must be equal.
    package static func canBeSame(_ first: String, _ second: String) -> Bool {
        if first.isEmpty || second.isEmpty || first == second { return true }
        switch (number(first), number(second)) {
        case (let first?, let second?): return first.hasSuffix(second) || second.hasSuffix(first)
        case (nil, nil): return false
        default: return true
        }
    }

    /// Whether two normalised texts certainly name the same account.
    package static func isSame(_ first: String, _ second: String) -> Bool {
        guard !first.isEmpty, !second.isEmpty, canBeSame(first, second) else { return false }
        return first == second || number(first) != nil && number(second) != nil
    }

    /// Returns the digits of an account without leading zeros. The account number is at their end. Returns nil for a
    /// text with more than three letters that is not an IBAN, because it is a name. Three letters can be a currency
    /// code.
    private static func number(_ text: String) -> String? {
        let part = iban(text).map { $0.dropFirst(4) } ?? text.split(separator: "/").last ?? ""
        guard iban(text) != nil || part.count(where: \.isLetter) <= 3 else { return nil }
        let digits = part.filter { $0.isASCII && $0.isNumber }.drop { $0 == "0" }
        return digits.count >= 4 ? String(digits) : nil
    }

    /// Returns the IBAN if the text is an IBAN, perhaps with blanks and after the word `IBAN`; else nil. Does not
    /// verify the check digits.
    static func iban(_ text: String) -> String? {
        var rest = text.filter { !$0.isWhitespace }.uppercased()[...]
        if rest.hasPrefix("IBAN") { rest = rest.dropFirst(4).drop { $0 == ":" } }
        let bytes = Array(rest.utf8)
        let (letters, digits): (ClosedRange<UInt8>, ClosedRange<UInt8>) = (65...90, 48...57)
        guard (15...34).contains(bytes.count), bytes.prefix(2).allSatisfy(letters.contains),
            bytes[2...3].allSatisfy(digits.contains),
            bytes.allSatisfy({ letters.contains($0) || digits.contains($0) })
        else { return nil }
        return String(rest)
    }
}
