import Domain
import HTTP
import JSON

/// Writes expenses and receipts as CSV, as JSON or in the file formats of other programs.
enum ExpenseExport: String, CaseIterable, Sendable {
    case csv, json, firefly, actual, ledger, beancount

    var fileName: String {
        switch self {
        case .csv: "expenses.csv"
        case .json: "expenses.json"
        case .firefly: "firefly-iii.csv"
        case .actual: "actual.csv"
        case .ledger: "expenses.journal"
        case .beancount: "expenses.beancount"
        }
    }

    var mediaType: String {
        switch self {
        case .csv, .firefly, .actual: "text/csv; charset=utf-8"
        case .json: "application/json"
        case .ledger, .beancount: "text/plain; charset=utf-8"
        }
    }

    /// - Parameters:
    ///   - category: returns the name of an entry's category; empty without one.
    ///   - payer: returns the payer's name; empty if unknown.
    ///   - home: the household's currency.
    func text(
        _ entries: [Entry], category: (Entry) -> String, payer: (Entry) -> String, home: CurrencyCode
    ) -> [UInt8] {
        switch self {
        case .csv:
            return table(
                ";", ["Date", "Kind", "Amount", "Currency", "What", "Payee", "Category", "Paid by", "Labels", "Note"],
                entries.map {
                    [
                        $0.day.iso, $0.kind.rawValue, $0.amount.plain, $0.amount.currency.code, $0.what, $0.payee,
                        category($0), payer($0), $0.labels.joined(separator: ","), $0.note,
                    ]
                })
        case .firefly:
            // Firefly's importer reads negative amounts as withdrawals and positive amounts as deposits.
            return table(
                ",", ["date", "amount", "currency_code", "description", "opposing_name", "category", "tags", "notes"],
                entries.map {
                    [
                        $0.day.iso, Self.signed($0).plain, $0.amount.currency.code, $0.what,
                        $0.payee.isEmpty ? $0.what : $0.payee,
                        category($0), $0.labels.joined(separator: ","), $0.note,
                    ]
                })
        case .actual:
            return table(
                ",", ["Date", "Payee", "Notes", "Category", "Amount"],
                entries.map {
                    [
                        $0.day.iso, $0.payee.isEmpty ? $0.what : $0.payee, Self.note($0, home: home), category($0),
                        Self.signed($0, home: home).plain,
                    ]
                })
        case .json: return json(entries, category, payer)
        case .beancount: return Array(Self.beancount(entries, category: category).utf8)
        case .ledger: return Array(entries.map { journal($0, category($0)) }.joined(separator: "\n").utf8)
        }
    }

    /// Returns the amount with a sign: negative for spent and withdrawn money.
    static func signed(_ entry: Entry) -> Amount {
        let isOutflow = entry.kind == .expense || entry.kind == .withdrawal
        return Amount(
            minorUnits: isOutflow ? -entry.amount.minorUnits : entry.amount.minorUnits, currency: entry.amount.currency)
    }

    /// Returns the signed amount in the household's currency, for formats without currencies; 0 if no exchange rate is
    /// known.
    private static func signed(_ entry: Entry, home: CurrencyCode) -> Amount {
        let isOutflow = entry.kind == .expense || entry.kind == .withdrawal
        let minorUnits = entry.home ?? 0
        return Amount(minorUnits: isOutflow ? -minorUnits : minorUnits, currency: home)
    }

    /// Returns the description, with the original amount if it is in another currency.
    private static func note(_ entry: Entry, home: CurrencyCode) -> String {
        guard entry.amount.currency != home else { return entry.what }
        return "\(entry.what) (\(entry.amount.plain) \(entry.amount.currency.code))"
    }

    private func table(_ separator: Character, _ head: [String], _ rows: [[String]]) -> [UInt8] {
        var writer = CSVWriter(separator: separator, withByteOrderMark: self == .csv)
        writer.append(head)
        for row in rows { writer.append(row) }
        return Array(writer.text.utf8)
    }

    private func json(_ entries: [Entry], _ category: (Entry) -> String, _ payer: (Entry) -> String) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for entry in entries {
                json.object { json in
                    json.member("id", entry.id.description)
                    json.member("isReceipt", entry.isReceipt)
                    json.member("date", entry.day.iso)
                    json.member("kind", entry.kind.rawValue)
                    json.member("amount", decimal: entry.amount.plain)
                    json.member("currency", entry.amount.currency.code)
                    json.member("what", entry.what)
                    json.member("payee", entry.payee)
                    json.member("category", category(entry))
                    json.member("paidBy", payer(entry))
                    json.array("labels") { json in
                        for label in entry.labels { json.value(label) }
                    }
                    json.member("note", entry.note)
                }
            }
        }
        return json.bytes
    }

    /// Writes an entry as a transaction with two postings, in hledger's journal format.
    private func journal(_ entry: Entry, _ category: String) -> String {
        let name = Self.plain(entry.payee.isEmpty ? entry.what : entry.payee)
        let account = Self.plain(category.isEmpty ? "unknown" : category).replacing(":", with: " ")
        let other =
            switch entry.kind {
            case .expense, .refund: "expenses:\(account)"
            case .income: "income:\(account)"
            case .withdrawal: "assets:cash"
            }
        // Only the posting of the bank account states an amount. hledger computes the amount of the other posting.
        return """
            \(entry.day.iso) \(name) | \(Self.plain(entry.what))
                assets:bank  \(Self.signed(entry).plain) \(entry.amount.currency.code)
                \(other)

            """
    }

    /// Replaces line breaks, semicolons, bars and double spaces, which have a meaning in a journal.
    private static func plain(_ text: String) -> String {
        text.split { $0.isWhitespace || ";|".contains($0) }.joined(separator: " ")
    }
}
