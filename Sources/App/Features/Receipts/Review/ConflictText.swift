import Domain
import Templates

/// Sentences about a conflict on a receipt.
struct ConflictText: Sendable {
    private let receipt: StoredReceipt
    private let lines: [String: ReviewDraft.Line]
    private let words: LanguageTexts
    private let text: FieldText

    init(_ receipt: StoredReceipt, _ categories: Categories, _ language: Language, _ words: LanguageTexts) {
        self.receipt = receipt
        lines = receipt.draft.linesByKey()
        self.words = words
        text = FieldText(
            currency: receipt.currency, language: language, words: words, categories: categories)
    }

    /// The notice above a form that was stored only in part.
    func notice(_ conflict: Conflict, memberName: String) -> MergeNotice {
        MergeNotice(
            memberName: memberName, conflicts: conflict.changes.filter { $0.cause == .changed }.flatMap(fields),
            kept: conflict.changes.compactMap(line))
    }

    /// The typed values of a form that was not stored, one sentence for each.
    func typed(_ conflict: Conflict) -> [String] { conflict.changes.map { typed($0, "server.typed") } }

    // MARK: Parts

    /// The sentence for a line that now belongs to another receipt, or that is kept although the form or another
    /// request deleted it. Nil for other conflicts.
    private func line(_ change: Conflict.Change) -> String? {
        switch change.cause {
        case .changed: nil
        case .gone: typed(change, "server.merge.moved")
        case .deletedByOther: words["server.merge.deleted-there", ["name": .text(change.name ?? "")]]
        case .deletedByForm: words["server.merge.deleted-here", ["name": .text(change.name ?? "")]]
        }
    }

    /// The typed values of one change as a sentence.
    private func typed(_ change: Conflict.Change, _ key: String) -> String {
        let entries = change.entries.map { entry in
            let value = text.shown(entry.field, entry.value)
            return "\(text.label(entry.field, isOfHead: change.part.isEmpty)) \(value.isEmpty ? "–" : value)"
        }
        guard let name = change.name else { return entries.joined(separator: ", ") }
        return words[
            entries.isEmpty ? "server.typed.deleted" : key,
            ["name": .text(name), "values": .text(entries.joined(separator: ", "))]]
    }

    /// The typed and the stored value of each field in conflict.
    private func fields(_ change: Conflict.Change) -> [MergeNotice.Field] {
        change.entries.map { entry in
            let line = lines[change.part]
            let field = ReviewField(rawValue: entry.field)
            let theirs = field.flatMap { change.part.isEmpty ? receipt.draft[head: $0] : line?[$0] }
            return MergeNotice.Field(
                label: change.part.isEmpty
                    ? text.label(entry.field, isOfHead: true)
                    : "\(line?.name ?? ""), \(text.label(entry.field, isOfHead: false))",
                mine: text.shown(entry.field, entry.value), theirs: text.shown(entry.field, theirs ?? ""))
        }
    }
}
