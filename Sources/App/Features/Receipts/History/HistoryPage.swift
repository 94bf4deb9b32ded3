import Domain
import JSON
import Templates

/// The model of the view `receipts/history`: the changes of a receipt with their authors, and its values that were
/// discarded in merges. Without a receipt, it lists the discarded values of all documents that are not receipts.
struct HistoryPage: PageModel {
    /// Nil for the page of all documents that are not receipts. That page lists no changes.
    let receipt: ReceiptID?
    let title: String
    var problem: Problem?
    let lost: [LostValueRow]
    let merges: [Entry]
    let entries: [Entry]
    let olderHref: String?

    static let fields = Fields<Self> { f in
        f.flag("isReceipt") { $0.receipt != nil }
        f.text("href") { $0.receipt.map { "/receipts/\($0)" } ?? "/settings" }
        f.text("receiptTitle") { $0.title }
        f.optional("problem") { $0.problem }
        f.flag("hasLost") { !$0.lost.isEmpty }
        f.list("lost") { $0.lost }
        f.flag("hasMerges") { !$0.merges.isEmpty }
        f.list("merges") { $0.merges }
        f.flag("hasEntries") { !$0.entries.isEmpty }
        f.list("entries") { $0.entries }
        f.optionalText("olderHref") { $0.olderHref }
    }

    /// One change of the receipt.
    struct Entry: PageModel {
        let title: String
        /// The name of the person who made the change, or a text for the server.
        let who: String
        let when: String
        let details: [String]
        /// Nil when the change cannot be undone.
        var undoAction: String?

        /// The number of sentences shown at once; the others are folded.
        private static let maximumShown = 8

        static let fields = Fields<Self> { f in
            f.text("title") { $0.title }
            f.text("who") { $0.who }
            f.text("when") { $0.when }
            f.flag("hasDetails") { !$0.details.isEmpty }
            f.texts("details") { Array($0.details.prefix(maximumShown)) }
            f.flag("hasMore") { $0.details.count > maximumShown }
            f.texts("more") { Array($0.details.dropFirst(maximumShown)) }
            f.optionalText("undoAction") { $0.undoAction }
        }
    }

    /// A value that was discarded in a merge.
    struct LostValueRow: PageModel {
        /// The name of the field.
        let label: String
        let stored: String
        let value: String
        /// The name of the value's author.
        let who: String
        let when: String
        /// Nil for viewers.
        let action: String?
        let revision: Int64

        static let fields = Fields<Self> { f in
            f.text("label") { $0.label }
            f.text("stored") { $0.stored }
            f.text("value") { $0.value }
            f.text("who") { $0.who }
            f.text("when") { $0.when }
            f.optionalText("action") { $0.action }
            f.text("revision") { String($0.revision) }
        }
    }
}
