import Domain
import Templates

/// A conflict on a receipt in words.
struct ConflictText: Sendable {
    private let receipt: StoredReceipt
    private let lines: [String: ReviewDraft.Line]
    private let language: Language
    private let words: LanguageTexts

    init(receipt: StoredReceipt, language: Language, words: LanguageTexts) {
        self.receipt = receipt
        lines = receipt.draft.linesByKey()
        self.language = language
        self.words = words
    }

    /// The notice above a form of which only part was stored.
    func notice(_ conflict: Conflict, memberName: String) -> MergeNotice {
        MergeNotice(
            memberName: memberName, conflicts: conflict.changes.filter { $0.cause == .changed }.flatMap(fields),
            kept: conflict.changes.compactMap(line))
    }

    /// What was typed in a form of which nothing was stored, a sentence for each line.
    func typed(_ conflict: Conflict) -> [String] { conflict.changes.map { typed($0, "server.typed") } }

    // MARK: Parts

    /// The sentence for a line that stays although one side deleted it, or that another receipt has now.
    private func line(_ change: Conflict.Change) -> String? {
        switch change.cause {
        case .changed: nil
        case .gone: typed(change, "server.merge.moved")
        case .deletedThere: words["server.merge.deleted-there", ["name": .text(change.name ?? "")]]
        case .deletedHere: words["server.merge.deleted-here", ["name": .text(change.name ?? "")]]
        }
    }

    private func typed(_ change: Conflict.Change, _ key: String) -> String {
        let entries = change.entries.map { entry in
            let value = shown(entry.field, entry.value)
            return "\(label(entry.field)) \(value.isEmpty ? "–" : value)"
        }
        guard let name = change.name else { return entries.joined(separator: ", ") }
        return words[
            entries.isEmpty ? "server.typed.deleted" : key,
            ["name": .text(name), "values": .text(entries.joined(separator: ", "))]]
    }

    private func label(_ field: String) -> String {
        words["server.conflict.\(ReviewField(rawValue: field)?.textKey ?? "name")"]
    }

    private func fields(_ change: Conflict.Change) -> [MergeNotice.Field] {
        change.entries.map { entry in
            let line = lines[change.part]
            let field = ReviewField(rawValue: entry.field)
            let theirs = field.flatMap { change.part.isEmpty ? receipt.draft[head: $0] : line?[$0] }
            return MergeNotice.Field(
                label: change.part.isEmpty ? label(entry.field) : "\(line?.name ?? ""), \(label(entry.field))",
                mine: shown(entry.field, entry.value), theirs: shown(entry.field, theirs ?? ""))
        }
    }

    /// Canonical text as people read it.
    private func shown(_ field: String, _ text: String) -> String {
        switch ReviewField(rawValue: field) {
        case .total: Int64(text).map { Money(minorUnits: $0, currency: receipt.currency).formatted(language) } ?? text
        case .unitPrice:
            Int64(text).map {
                UnitPrice(thousandthsOfMinor: $0, currency: receipt.currency, per: .piece).figure(language)
            } ?? text
        case .day, .hiddenUntil: LocalDate(parsing: text)?.formatted(language) ?? text
        case .quantity:
            text.split(separator: " ").first.flatMap { Int64($0) }.map {
                DecimalText.format($0, decimals: 3, minimum: 0, in: language)
            } ?? text
        case .store, .time, .currency, .name, .kind, .vatClass, nil: text
        }
    }
}
