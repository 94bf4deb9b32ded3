import Domain

extension ExpenseExport {
    /// Writes an entry as a transaction with two postings, in hledger's journal format.
    ///
    /// - Parameter category: the name of the category; empty without one.
    static func journal(_ entry: Entry, _ category: String) -> String {
        let name = plain(entry.payee.isEmpty ? entry.what : entry.payee)
        // A description that begins with one of these characters would be read as a status or a code. After an explicit
        // status and an empty code, it is read as it is.
        let mark = name.first.map { "!*(".contains($0) } ?? false ? "* () " : ""
        let account = plain(category.isEmpty ? "unknown" : category).replacing(":", with: " ")
        let otherAccount =
            switch entry.kind {
            case .expense, .refund: "expenses:\(account)"
            case .income: "income:\(account)"
            case .withdrawal: "assets:cash"
            }
        // Only the posting of the bank account states an amount. hledger computes the amount of the other posting.
        return """
            \(entry.day.iso) \(mark)\(name) | \(plain(entry.what))
                assets:bank  \(entry.signedAmount.plain) \(entry.amount.currency.code)
                \(otherAccount)

            """
    }

    /// Replaces line breaks, semicolons, bars and double spaces, which have a meaning in a journal.
    private static func plain(_ text: String) -> String {
        text.split { $0.isWhitespace || ";|".contains($0) }.joined(separator: " ")
    }
}
