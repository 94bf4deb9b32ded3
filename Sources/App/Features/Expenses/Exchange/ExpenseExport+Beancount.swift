import Domain

extension ExpenseExport {
    /// Writes entries in the language of Beancount 3: first the accounts, and then a transaction with two postings for
    /// each entry.
    ///
    /// - Parameter category: returns the name of an entry's category; empty without one.
    static func beancount(_ entries: [Entry], category: (Entry) -> String) -> String {
        let postings = entries.map { entry in (entry: entry, account: account(entry, category(entry))) }
        let first = entries.map(\.day).min() ?? .firstPurchaseDay
        let accounts = Set(postings.map(\.account) + [bank]).sorted()
        var text = accounts.map { "\(first.iso) open \($0)\n" }.joined()
        for (entry, account) in postings {
            let amount = signed(entry)
            text += """

                \(entry.day.iso) * \(quoted(entry.payee)) \(quoted(entry.what))
                  \(bank)  \(amount.plain) \(amount.currency.code)
                  \(account)  \(Amount(minorUnits: -amount.minorUnits, currency: amount.currency).plain) \(amount.currency.code)

                """
        }
        return text
    }

    private static let bank = "Assets:Bank"

    private static func account(_ entry: Entry, _ category: String) -> String {
        switch entry.kind {
        case .withdrawal: "Assets:Cash"
        case .income: "Income:\(part(category))"
        case .expense, .refund: "Expenses:\(part(category))"
        }
    }

    /// Converts a text to a component of an account name: letters, digits and dashes, beginning with a capital letter
    /// or a digit.
    private static func part(_ category: String) -> String {
        let words = category.split { !$0.isLetter && !($0.isASCII && $0.isNumber) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
        return name.isEmpty ? "Unknown" : name
    }

    private static func quoted(_ text: String) -> String {
        let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "\"\(plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
