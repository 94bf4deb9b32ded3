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
            names =
                language == .german
                ? [
                    "Datum", "Art", "Betrag", "Währung", "Wofür", "Empfänger", "Kategorie", "Bezahlt von",
                    "Schlagwörter", "Notiz",
                ]
                : ["Date", "Kind", "Amount", "Currency", "What", "Payee", "Category", "Paid by", "Labels", "Note"]
        // The headings that the importers of other programs read.
        case .firefly:
            names = [
                "date", "amount", "currency_code", "description", "opposing_name", "category", "tags", "notes",
                "account_name",
            ]
        case .actual: names = ["Date", "Payee", "Notes", "Category", "Amount", "Account"]
        case .json: return Array("[".utf8)
        case .ledger, .beancount: return []
        }
        return table([names], withByteOrderMark: format == .csv)
    }

    /// Returns the next part of the file.
    ///
    /// - Parameters:
    ///   - stored: the next entries, oldest first. None is older than an entry of an earlier part.
    ///   - categories: the parts of receipts, if the format can contain them.
    ///   - accounts: the known accounts of the entries, if the format names them.
    mutating func part(
        _ stored: [Entry], _ categories: [ExpenseID: [CategoryPart]], _ accounts: [ExpenseID: PaymentAccount]
    ) -> [UInt8] {
        let entries = stored.map { withDescription($0) }
        guard let first = entries.first else { return [] }
        if isEmpty { openingDay = first.day }
        defer { isEmpty = false }
        switch format {
        case .csv: return table(entries.map { row($0) })
        case .firefly: return table(entries.map { fireflyRow($0, accounts[$0.id]) })
        case .actual: return table(entries.compactMap { actualRow($0, accounts[$0.id]) })
        case .json: return json(entries, categories)
        case .ledger:
            let text = entries.map {
                ExpenseExport.journal($0, ExpenseExport.Asset($0, accounts[$0.id]), postings($0, categories))
            }.joined(separator: "\n")
            return Array((isEmpty ? text : "\n" + text).utf8)
        case .beancount:
            let posted = entries.map {
                (entry: $0, asset: ExpenseExport.Asset($0, accounts[$0.id]), postings: postings($0, categories))
            }
            let used = posted.flatMap { posted in
                [ExpenseExport.account(posted.asset)]
                    + posted.postings.map { ExpenseExport.account(posted.entry, $0.category) }
            }
            let newAccounts = Set(used).subtracting(openAccounts)
            openAccounts.formUnion(newAccounts)
            let opened = newAccounts.sorted().map { "\(openingDay.iso) open \($0)\n" }
            let transactions = posted.map { ExpenseExport.beancount($0.entry, $0.asset, $0.postings) }
            return Array((opened + transactions).joined(separator: "").utf8)
        }
    }

    /// Returns the end of the file.
    func end() -> [UInt8] { format == .json ? Array("]".utf8) : [] }

    // MARK: Tables

    private func row(_ entry: Entry) -> [String] {
        [
            entry.day.iso, words["server.expense.kind.\(entry.kind.rawValue)"], entry.amount.plain,
            entry.amount.currency.code, entry.what, entry.payee, category(entry), payer(entry),
            entry.labels.joined(separator: ","), entry.note,
        ]
    }

    /// Firefly's importer reads negative amounts as withdrawals and positive amounts as deposits. The opposing account
    /// of a cash withdrawal is the cash account. For an entry without an account name, the importer uses the account
    /// that the person chose in Firefly.
    private func fireflyRow(_ entry: Entry, _ account: PaymentAccount?) -> [String] {
        let payee = entry.payee.isEmpty ? entry.what : entry.payee
        return [
            entry.day.iso, entry.signedAmount.plain, entry.amount.currency.code, entry.what,
            entry.kind == .withdrawal ? name(.cash) : payee, category(entry), entry.labels.joined(separator: ","),
            entry.note, name(account),
        ]
    }

    /// Actual has no currencies, so the amount is in the household's currency. Returns nil if no exchange rate is
    /// known: any amount would be wrong.
    private func actualRow(_ entry: Entry, _ account: PaymentAccount?) -> [String]? {
        guard let home = entry.home else { return nil }
        let amount = Amount(minorUnits: entry.isOutflow ? -home : home, currency: choices.home)
        let (printed, code) = (entry.amount.plain, entry.amount.currency.code)
        return [
            entry.day.iso, entry.payee.isEmpty ? entry.what : entry.payee,
            entry.amount.currency == choices.home ? entry.what : "\(entry.what) (\(printed) \(code))", category(entry),
            amount.plain, name(account),
        ]
    }

    private func table(_ rows: [[String]], withByteOrderMark: Bool = false) -> [UInt8] {
        var writer = CSVWriter(separator: format == .csv ? ";" : ",", withByteOrderMark: withByteOrderMark)
        for row in rows { writer.append(row) }
        return Array(writer.text.utf8)
    }

    // MARK: JSON

    private func json(_ entries: [Entry], _ categories: [ExpenseID: [CategoryPart]]) -> [UInt8] {
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
                if entry.isReceipt {
                    json.array("categories") { json in
                        for posting in postings(entry, categories) {
                            json.object { json in
                                json.member("category", posting.category)
                                json.member("amount", decimal: posting.amount.plain)
                            }
                        }
                    }
                }
                json.member("paidBy", payer(entry))
                json.array("labels") { json in
                    for label in entry.labels { json.value(label) }
                }
                json.member("note", entry.note)
            }
        }
        return json.bytes
    }

    // MARK: Categories

    /// The amounts of an entry by category. Their sum is the signed amount of the entry with the opposite sign.
    private func postings(_ entry: Entry, _ categories: [ExpenseID: [CategoryPart]]) -> [ExpenseExport.Posting] {
        let currency = entry.amount.currency
        let parts = categories[entry.id] ?? []
        // A receipt can change between the two queries.
        guard !parts.isEmpty, parts.reduce(0, { $0 + $1.minorUnits }) == entry.amount.minorUnits else {
            let opposite = Amount(minorUnits: -entry.signedAmount.minorUnits, currency: currency)
            return [ExpenseExport.Posting(category: category(entry), amount: opposite)]
        }
        return parts.map {
            ExpenseExport.Posting(
                category: name($0.category), amount: Amount(minorUnits: $0.minorUnits, currency: currency))
        }
    }

    // MARK: Names

    /// Adds a general description to an entry without a description, such as a receipt without a store.
    private func withDescription(_ entry: Entry) -> Entry {
        guard entry.what.isEmpty else { return entry }
        var result = entry
        result.what = words["server.expense.receipt"]
        return result
    }

    /// The name of an entry's category; empty without one.
    private func category(_ entry: Entry) -> String { name(entry.category) }

    private func name(_ category: CategoryID?) -> String {
        category.map { choices.categories.name($0, language, words) } ?? ""
    }

    /// The name of an account; empty if unknown.
    private func name(_ account: PaymentAccount?) -> String {
        switch account {
        case .bank(let name): name
        case .cash: words["server.expense.kind.withdrawal"]
        case nil: ""
        }
    }

    /// The name of the person who paid; empty if unknown.
    private func payer(_ entry: Entry) -> String { entry.paidBy.flatMap { payers[$0] } ?? "" }
}
