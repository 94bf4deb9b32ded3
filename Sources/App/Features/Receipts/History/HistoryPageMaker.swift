import Domain
import JSON
import Postgres
import Templates

/// Makes the history page of a receipt.
struct HistoryPageMaker: Sendable {
    let history: ReceiptHistory
    let merges: [MergedBranch]
    let member: Member
    let words: LanguageTexts

    var receipt: StoredReceipt { history.receipt }
    private var language: Language { member.language }
    private var mayChange: Bool { member.role >= .member }
    private var texts: ReceiptDetails {
        ReceiptDetails(
            language: language, words: words, categories: history.categories, products: history.products)
    }

    func page(problem: Problem? = nil) -> HistoryPage {
        let store = receipt.draft.store.isEmpty ? words["server.no-store"] : receipt.draft.store
        let title = [store, receipt.draft.day?.formatted(language)].compactMap(\.self).joined(separator: ", ")
        return HistoryPage(
            receipt: receipt.id, title: title, problem: problem, lost: history.lost.map(lost),
            merges: merges.map(merge), entries: history.changes.map(entry),
            olderHref: history.next.map { "/receipts/\(receipt.id)/history?before=\($0)" })
    }

    private func entry(_ change: ReceiptChange) -> HistoryPage.Entry {
        var details = change.before.map { texts.details(from: $0.draft, to: change.after.draft) } ?? []
        if let before = change.before { details += texts.matches(from: before, to: change.after) }
        return HistoryPage.Entry(
            title: words["server.history.\(change.kind.rawValue)"], who: author(change.after.personName),
            when: DisplayDate.dayAndTime(change.after.changedAt, language), details: details.map(\.text),
            undoAction: mayChange && change.canUndo(in: receipt)
                ? "/receipts/\(receipt.id)/history/\(change.after.sequence)/undo" : nil)
    }

    private func merge(_ branch: MergedBranch) -> HistoryPage.Entry {
        let details = texts.details(from: branch.before, to: branch.after).map { detail in
            words[
                branch.lost.contains(detail.field) ? "server.history.merge-lost" : "server.history.merge-kept",
                ["change": .text(detail.text)]]
        }
        return HistoryPage.Entry(
            title: words["server.history.merge"], who: author(branch.personName),
            when: DisplayDate.dayAndTime(branch.storedAt, language), details: details)
    }

    /// The author's name. The server is the author of changes without a name.
    private func author(_ name: String?) -> String { name ?? words["server.history.server"] }

    private func lost(_ value: LostValue) -> HistoryPage.LostValueRow {
        let path = value.path
        let line = path.line.flatMap { receipt.draft.linesByKey()[$0] }
        let text = FieldText(
            currency: receipt.currency, language: language, words: words, categories: history.categories)
        let field = ReviewField(documentName: path.name)
        let name = field.map { text.label($0.rawValue, isOfHead: path.line == nil) } ?? otherLabel(path.name)
        let stored = field.map { field in
            text.shown(field.rawValue, (path.line == nil ? receipt.draft[head: field] : line?[field]) ?? "")
        }
        let other = canonical(value.value, path.name, line)
        let isDeletedCategory =
            path.name == "category" && CategoryID(other).map { !history.categories.contains($0) } == true
        return HistoryPage.LostValueRow(
            label: path.line == nil ? name : "\(line?.name ?? words["server.history.line"]), \(name)",
            stored: stored ?? otherStored(path.name),
            value: isDeletedCategory
                ? words["server.history.no-category"]
                : field.map { text.shown($0.rawValue, other) } ?? otherValue(value.value, path.name),
            who: author(value.personName), when: DisplayDate.dayAndTime(value.lostAt, language),
            action: mayChange ? "/receipts/\(receipt.id)/lost-values/\(value.id)" : nil, revision: receipt.revision)
    }

    /// A value of a document in the notation of `ReviewDraft`.
    private func canonical(_ value: JSONValue, _ name: String, _ line: ReviewDraft.Line?) -> String {
        switch name {
        case "quantity_thousandths": "\(value.integer ?? 0) \(line?.unit.rawValue ?? "")"
        case "unit": "\(line?.quantity ?? 0) \(value.string ?? "")"
        case "category": value.string.flatMap { DocumentKey($0) }?.id.description ?? ""
        default: value.string ?? value.integer.map(String.init) ?? ""
        }
    }

    // MARK: Fields that the review form does not have

    /// The label of a field that the review form does not have.
    private func otherLabel(_ name: String) -> String {
        ["stage", "discarded", "deleted", "lines"].contains(name) ? words["server.history.field.\(name)"] : name
    }

    /// The stored value of a field that the review form does not have, as text.
    private func otherStored(_ name: String) -> String {
        switch name {
        case "stage": words["server.history.stage.\(receipt.stage.rawValue)"]
        case "discarded": words[receipt.state.name == .discarded ? "server.yes" : "server.no"]
        case "deleted": words["server.no"]
        case "lines": String(receipt.draft.lines.count)
        default: "–"
        }
    }

    /// Returns the text of a value that was discarded in a merge, for a field that the review form does not have.
    private func otherValue(_ value: JSONValue, _ name: String) -> String {
        switch name {
        case "stage":
            value.string.flatMap(Stage.init(rawValue:)).map { words["server.history.stage.\($0.rawValue)"] } ?? "–"
        case "discarded", "deleted": words[value.bool == false ? "server.no" : "server.yes"]
        case "lines": String(value.array?.count ?? 0)
        default: String(decoding: value.bytes, as: UTF8.self).cut(to: 200)
        }
    }
}
