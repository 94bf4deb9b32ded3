import Domain

/// The file formats of exported expenses and receipts.
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
}
