import Domain
import JSON
import Templates

/// Writes entries in an export format. The file is written in parts, so that a large export needs the memory of one
/// part only.
struct ExpenseExportWriter: Sendable {
    let format: ExpenseExport
    private let choices: ExpenseChoices
    /// The names of the payers, including former members.
    private let payers: [PersonID: String]
    private let language: Language
    private let words: LanguageTexts

    /// Whether no entry was written yet.
    private var isEmpty = true
    /// The accounts that the Beancount file has opened, and the day on which it opens them.
    private var openAccounts: Set<String> = []
    private var openingDay = LocalDate.firstPurchaseDay

    init(
        _ format: ExpenseExport, _ choices: ExpenseChoices, payers: [PersonID: String], _ language: Language,
        _ words: LanguageTexts
    ) {
        self.format = format
        self.choices = choices
        self.payers = payers
        self.language = language
        self.words = words
    }

    /// Returns the beginning of the file.
    func start() -> [UInt8] {
        let names: [String]
        switch format {
        case .csv:
            names = ["Date", "Kind", "Amount", "Currency", "What", "Payee", "Category", "Paid by", "Labels", "Note"]
        case .firefly:
            names = ["date", "amount", "currency_code", "description", "opposing_name", "category", "tags", "notes"]
        case .actual: names = ["Date", "Payee", "Notes", "Category", "Amount"]
        case .json: return Array("[".utf8)
        case .ledger, .beancount: return []
        }
        return table([names], withByteOrderMark: format == .csv)
    }

    /// Returns the next part of the file.
    ///
    /// - Parameter entries: not older than those of the earlier parts, oldest first.
    mutating func part(_ entries: [Entry]) -> [UInt8] {
        guard let first = entries.first else { return [] }
        if isEmpty { openingDay = first.day }
        defer { isEmpty = false }
        switch format {
        case .csv: return table(entries.map { row($0) })
        case .firefly: return table(entries.map { fireflyRow($0) })
        case .actual: return table(entries.compactMap { actualRow($0) })
        case .json: return json(entries)
        case .ledger:
            let text = entries.map { ExpenseExport.journal($0, category($0)) }.joined(separator: "\n")
            return Array((isEmpty ? text : "\n" + text).utf8)
        case .beancount:
            let posted = entries.map { ($0, ExpenseExport.account($0, category($0))) }
            let accounts = Set(posted.map(\.1) + [ExpenseExport.bankAccount]).subtracting(openAccounts)
            openAccounts.formUnion(accounts)
            let opened = accounts.sorted().map { "\(openingDay.iso) open \($0)\n" }
            let transactions = posted.map { ExpenseExport.beancount($0, account: $1) }
            return Array((opened + transactions).joined(separator: "").utf8)
        }
    }

    /// Returns the end of the file.
    func end() -> [UInt8] { format == .json ? Array("]".utf8) : [] }

    // MARK: Tables

    private func row(_ entry: Entry) -> [String] {
        [
            entry.day.iso, entry.kind.rawValue, entry.amount.plain, entry.amount.currency.code, entry.what, entry.payee,
            category(entry), payer(entry), entry.labels.joined(separator: ","), entry.note,
        ]
    }

    /// Firefly's importer reads negative amounts as withdrawals and positive amounts as deposits.
    private func fireflyRow(_ entry: Entry) -> [String] {
        [
            entry.day.iso, entry.signedAmount.plain, entry.amount.currency.code, entry.what,
            entry.payee.isEmpty ? entry.what : entry.payee, category(entry), entry.labels.joined(separator: ","),
            entry.note,
        ]
    }

    /// Actual has no currencies, so the amount is in the household's currency. Returns nil if no exchange rate is known:
    /// any amount would be wrong.
    private func actualRow(_ entry: Entry) -> [String]? {
        guard let home = entry.home else { return nil }
        let amount = Amount(minorUnits: entry.isOutflow ? -home : home, currency: choices.home)
        let (printed, code) = (entry.amount.plain, entry.amount.currency.code)
        return [
            entry.day.iso, entry.payee.isEmpty ? entry.what : entry.payee,
            entry.amount.currency == choices.home ? entry.what : "\(entry.what) (\(printed) \(code))", category(entry),
            amount.plain,
        ]
    }

    private func table(_ rows: [[String]], withByteOrderMark: Bool = false) -> [UInt8] {
        var writer = CSVWriter(separator: format == .csv ? ";" : ",", withByteOrderMark: withByteOrderMark)
        for row in rows { writer.append(row) }
        return Array(writer.text.utf8)
    }

    // MARK: JSON

    private func json(_ entries: [Entry]) -> [UInt8] {
        var json = JSONWriter()
        for (index, entry) in entries.enumerated() {
            if index > 0 || !isEmpty { json.raw(",") }
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
        return json.bytes
    }

    // MARK: Names

    /// The name of an entry's category; empty without one.
    private func category(_ entry: Entry) -> String {
        entry.category.map { choices.categories.name($0, language, words) } ?? ""
    }

    /// The name of the person who paid; empty if unknown.
    private func payer(_ entry: Entry) -> String { entry.paidBy.flatMap { payers[$0] } ?? "" }
}
