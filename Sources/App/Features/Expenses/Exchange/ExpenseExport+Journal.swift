import Domain

extension ExpenseExport {
    /// Writes an entry as a transaction in hledger's journal format: a posting of the asset, and one for each category.
    static func journal(_ entry: Entry, _ asset: Asset, _ postings: [Posting]) -> String {
        let name = plain(entry.payee.isEmpty ? entry.what : entry.payee)
        // A description that begins with one of these characters would be read as a status or a code. After an explicit
        // status and an empty code, hledger reads the description unchanged.
        let mark = name.first.map { "!*(".contains($0) } ?? false ? "* () " : ""
        let lines = postings.map { posting in
            // hledger computes the amount of a single posting.
            let amount = postings.count == 1 ? "" : "  \(posting.amount.plain) \(posting.amount.currency.code)"
            return "    \(journalAccount(entry, posting.category))\(amount)"
        }
        return """
            \(entry.day.iso) \(mark)\(name) | \(plain(entry.what))
                \(journalAccount(asset))  \(entry.signedAmount.plain) \(entry.amount.currency.code)
            \(lines.joined(separator: "\n"))

            """
    }

    private static func journalAccount(_ asset: Asset) -> String {
        switch asset {
        case .bank: "assets:bank"
        case .cash: "assets:cash"
        case .unknown: "assets:unknown"
        }
    }

    private static func journalAccount(_ entry: Entry, _ category: String) -> String {
        let account = plain(category.isEmpty ? "unknown" : category).replacing(":", with: " ")
        return switch entry.kind {
        case .expense, .refund: "expenses:\(account)"
        case .income: "income:\(account)"
        case .withdrawal: journalAccount(.cash)
        }
    }

    /// Replaces line breaks, semicolons, bars and double spaces, which have a meaning in a journal.
    private static func plain(_ text: String) -> String {
        text.split { $0.isWhitespace || ";|".contains($0) }.joined(separator: " ")
    }
}
