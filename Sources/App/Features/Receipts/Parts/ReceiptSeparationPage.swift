import Domain
import Templates

/// The model of the view `receipts/split`: choosing the lines and pages of the second receipt.
struct ReceiptSeparationPage: PageModel {
    let problem: Problem?
    let receipt: StoredReceipt
    let chosenLines: Set<String>
    let chosenPages: Set<Int32>
    let language: Language

    struct Line: PageModel {
        let line: ReviewDraft.Line
        let total: String
        let isChosen: Bool

        static let fields = Fields<Self> { f in
            f.text("key") { $0.line.key }
            f.text("name") { $0.line.name }
            f.text("total") { $0.total }
            f.flag("isChosen") { $0.isChosen }
        }
    }

    struct Part: PageModel {
        let n: Int32
        let isChosen: Bool

        static let fields = Fields<Self> { f in
            f.text("number") { String($0.n + 1) }
            f.flag("isChosen") { $0.isChosen }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.text("href") { "/receipts/\($0.receipt.id)" }
        f.text("revision") { String($0.receipt.revision) }
        f.list("lines") { page in
            page.receipt.draft.lines.map { line in
                let total = Money(minorUnits: line.total, currency: page.receipt.currency)
                return Line(
                    line: line, total: line.isUnread ? "–" : total.formatted(page.language),
                    isChosen: page.chosenLines.contains(line.key))
            }
        }
        f.flag("hasPages") { $0.receipt.pages.count > 1 }
        f.list("pages") { page in
            page.receipt.pages.map { Part(n: $0.n, isChosen: page.chosenPages.contains($0.n)) }
        }
    }
}
