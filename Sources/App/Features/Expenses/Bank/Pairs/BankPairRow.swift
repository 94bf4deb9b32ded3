import Domain
import Templates

/// The model of the views `parts/bank-pair` and `parts/bank-pair-choice`: an expense of a bank file and another entry
/// that may be the same payment.
struct BankPairRow: PageModel {
    /// The page that lists all pairs.
    static let listPath = "/bank-files"

    let pair: BankPair
    /// The path of the page that shows the pair.
    let back: String
    /// Whether the page is that of the expense of the bank file, so that the notice names the other entry.
    var isOnExpense = false
    let days: DayText

    /// The amount without its sign.
    private func money(_ amount: Amount) -> String {
        Amount(minorUnits: abs(amount.minorUnits), currency: amount.currency).formatted(days.language)
    }

    static let fields = Fields<Self> { f in
        f.text("action") { "/expenses/\($0.pair.expense)/bank-pairs" }
        f.text("field") { $0.pair.other.isReceipt ? "receipt" : "other" }
        f.text("otherId") { $0.pair.other.id.description }
        f.text("back") { $0.back }
        f.text("lineHref") { "/expenses/\($0.pair.expense)" }
        f.text("lineName") { $0.pair.what }
        f.text("lineDay") { $0.days.short($0.pair.day) }
        f.text("lineAmount") { $0.money($0.pair.booking.amount) }
        f.text("otherHref") { row in
            row.pair.other.isReceipt ? "/receipts/\(row.pair.other.id)" : "/expenses/\(row.pair.other.id)"
        }
        f.text("otherName") { row in
            row.pair.other.text.isEmpty ? row.days.words["server.expense.receipt"] : row.pair.other.text
        }
        f.text("otherDay") { $0.days.short($0.pair.other.day) }
        f.text("otherAmount") { $0.money($0.pair.other.amount) }
        f.flag("isReceipt") { $0.pair.other.isReceipt }
        f.flag("isProbable") { $0.pair.isSamePayee }
        f.flag("hasOwnValues") { $0.pair.hasOwnValues }
        f.flag("isOnExpense") { $0.isOnExpense }
    }
}
