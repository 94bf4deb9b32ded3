import Domain

extension ExpenseExport {
    /// Writes an entry as a transaction in the language of Beancount 3: a posting of the asset, and one for each
    /// category.
    static func beancount(_ entry: Entry, _ asset: Asset, _ postings: [Posting]) -> String {
        let amount = entry.signedAmount
        let lines = postings.map {
            "  \(account(entry, $0.category))  \($0.amount.plain) \($0.amount.currency.code)"
        }
        return """

            \(entry.day.iso) * \(quoted(entry.payee)) \(quoted(entry.what))
              \(account(asset))  \(amount.plain) \(amount.currency.code)
            \(lines.joined(separator: "\n"))

            """
    }

    static func account(_ asset: Asset) -> String {
        switch asset {
        case .bank: "Assets:Bank"
        case .cash: "Assets:Cash"
        case .unknown: "Assets:Unknown"
        }
    }

    /// Returns the Beancount account of a category.
    ///
    /// - Parameter category: the name of the category; empty without one.
    static func account(_ entry: Entry, _ category: String) -> String {
        switch entry.kind {
        case .withdrawal: account(.cash)
        case .income: "Income:\(accountComponent(category))"
        case .expense, .refund: "Expenses:\(accountComponent(category))"
        }
    }

    /// Converts a text to a component of an account name: letters, digits and dashes, beginning with a capital letter
    /// or a digit.
    private static func accountComponent(_ category: String) -> String {
        let words = category.split { !$0.isLetter && !($0.isASCII && $0.isNumber) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
        guard let first = name.first else { return "Unknown" }
        // Some scripts have no capital letters.
        return first.isUppercase || first.isNumber ? name : "X" + name
    }

    private static func quoted(_ text: String) -> String {
        let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "\"\(plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
