import Domain

/// The file formats of exported expenses and receipts.
enum ExpenseExport: String, CaseIterable, Sendable {
    case csv, json, firefly, actual, ledger, beancount

    /// The side of a payment that belongs to a category. The other side belongs to an asset.
    struct Posting: Sendable {
        /// The name of the category; empty without one.
        let category: String
        let amount: Amount
    }

    /// The side of a payment that does not belong to a category, in the formats with postings.
    enum Asset: Sendable {
        case bank, cash, unknown

        /// - Parameter account: the account of the entry; nil if unknown.
        init(_ entry: Entry, _ account: PaymentAccount?) {
            switch account {
            case .bank: self = .bank
            case .cash: self = .cash
            // Cash is withdrawn from a bank account, even if no file of a bank contains the withdrawal.
            case nil: self = entry.kind == .withdrawal ? .bank : .unknown
            }
        }
    }

    /// Whether the format can divide one payment between several categories. In the other formats, a receipt has the
    /// category of the items with the largest total.
    var hasParts: Bool {
        switch self {
        case .json, .ledger, .beancount: true
        case .csv, .firefly, .actual: false
        }
    }

    /// Whether the format names the account of each entry.
    var hasAccounts: Bool {
        switch self {
        case .firefly, .actual, .ledger, .beancount: true
        case .csv, .json: false
        }
    }

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
}
