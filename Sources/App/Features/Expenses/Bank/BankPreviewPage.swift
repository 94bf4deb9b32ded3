import Domain
import Templates

/// The model of the view `expenses/bank-preview`.
struct BankPreviewPage: PageModel {
    let file: BankImports.WaitingFile
    let preview: BankPreview
    let days: DayText

    /// The maximum number of rows in each list. Of the rows that are not shown, new ones are imported. Matched and
    /// doubtful ones are skipped; the next import of the file shows them again.
    private static let maximumMatched = 300
    private static let maximumNew = 200
    private static let maximumDoubtful = 200

    private var rows: [(offset: Int, element: BankPreview.Row)] { Array(preview.rows.enumerated()) }
    private var matched: [(offset: Int, element: BankPreview.Row)] { rows.filter { $0.element.match != nil } }
    private var newRows: [(offset: Int, element: BankPreview.Row)] {
        rows.filter { $0.element.match == nil && !$0.element.isKnown }
    }
    private var doubtful: [(offset: Int, element: BankPreview.Row)] { rows.filter { $0.element.isDoubtful } }
    private var knownCount: Int { preview.rows.count { $0.isKnown } }
    private var openCount: Int { matched.count + newRows.count }

    private func model(_ row: (offset: Int, element: BankPreview.Row)) -> BankRow {
        BankRow(index: row.offset, row: row.element, days: days)
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/bank-files/\($0.file.id)" }
        f.text("fileName") { $0.file.name.isEmpty ? $0.days.words["server.bank.unnamed-file"] : $0.file.name }
        f.flag("isPersonal") { $0.file.isPersonal }
        f.flag("isTable") { $0.preview.table != nil }
        f.number("open") { $0.openCount }
        f.flag("canConfirm") { $0.openCount + $0.doubtful.count > 0 }
        f.flag("hasOpen") { $0.openCount > 0 }
        // The reason why there is nothing to import.
        f.flag("isEmpty") { $0.preview.rows.isEmpty }
        f.flag("isKnown") { !$0.preview.rows.isEmpty && $0.openCount + $0.doubtful.count == 0 }
        f.flag("isDoubtful") { $0.openCount == 0 && !$0.doubtful.isEmpty }
        f.optionalText("known") { page in page.knownCount == 0 ? nil : String(page.knownCount) }
        f.list("skipped") { page in
            BankStatement.Skipped.Reason.allCases.compactMap { reason -> BankSkippedRow? in
                let lines = (page.preview.statement?.skipped ?? []).filter { $0.reason == reason }.map(\.line)
                guard !lines.isEmpty else { return nil }
                let shown = lines.prefix(10).map(String.init).joined(separator: ", ") + (lines.count > 10 ? " …" : "")
                return BankSkippedRow(
                    text: page.days.words["server.bank.skipped-\(reason.rawValue)", ["lines": .text(shown)]])
            }
        }
        f.flag("hasSkipped") { !($0.preview.statement?.skipped ?? []).isEmpty }
        f.flag("hasMatched") { !$0.matched.isEmpty }
        f.list("matched") { page in page.matched.prefix(maximumMatched).map { page.model($0) } }
        f.optionalText("moreMatched") { page in
            page.matched.count > maximumMatched ? String(page.matched.count - maximumMatched) : nil
        }
        f.flag("hasNew") { !$0.newRows.isEmpty }
        f.list("news") { page in page.newRows.prefix(maximumNew).map { page.model($0) } }
        f.optionalText("moreNew") { page in
            page.newRows.count > maximumNew ? String(page.newRows.count - maximumNew) : nil
        }
        f.flag("hasDoubtful") { !$0.doubtful.isEmpty }
        f.list("doubtful") { page in page.doubtful.prefix(maximumDoubtful).map { page.model($0) } }
    }
}

/// Entries of the file that are skipped for one reason.
struct BankSkippedRow: PageModel {
    let text: String

    static let fields = Fields<Self> { f in
        f.text("text") { $0.text }
    }
}

/// A booking with its decision.
struct BankRow: PageModel {
    let index: Int
    let row: BankPreview.Row
    let days: DayText

    private var name: String {
        let text = row.booking.payee.isEmpty ? row.booking.purpose : row.booking.payee
        return text.isEmpty ? days.words["server.bank.unnamed"] : text.cut(to: 120)
    }

    private func label(_ decision: BankPreview.Decision) -> String {
        let kind = row.booking.kind
        return switch decision {
        case .create where kind != .expense: days.words["server.bank.decision-\(kind.rawValue)"]
        case .create, .link, .skip: days.words["server.bank.decision-\(decision.rawValue)"]
        }
    }

    static let fields = Fields<Self> { f in
        f.number("index") { $0.index }
        f.text("name") { $0.name }
        f.text("purpose") { $0.row.booking.payee.isEmpty ? "" : $0.row.booking.purpose.cut(to: 120) }
        f.text("day") { $0.days.short($0.row.booking.day) }
        f.text("amount") { $0.row.booking.amount.formatted($0.days.language) }
        f.optionalText("abroad") { row in row.row.booking.original.map { $0.formatted(row.days.language) } }
        f.text("match") { row in
            row.row.match.map { "\($0.candidate.text), \(row.days.short($0.candidate.day))" } ?? ""
        }
        f.text("matchId") { $0.row.match?.candidate.id.description ?? "" }
        f.text("matchHref") { row in
            row.row.match.map {
                $0.candidate.isReceipt ? "/receipts/\($0.candidate.id)" : "/expenses/\($0.candidate.id)"
            }
                ?? ""
        }
        f.list("decisions") { row in
            BankPreview.Decision.allCases.filter { $0 != .link || row.row.match != nil }.map {
                Choice(
                    value: $0.rawValue, label: row.label($0), isSelected: $0 == row.row.defaultDecision)
            }
        }
    }
}
