import Domain
import Templates

/// A field that two people changed, in words.
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

    /// A line that is there although one of the two deleted it, or is another receipt's by now; nil for a field.
    func kept(_ conflict: ReviewMerge.Conflict) -> String? {
        if let typed = conflict.typed { return self.typed(typed, "server.merge.moved") }
        return conflict.kept.map { kept in
            words[
                kept == .deletedThere ? "server.merge.deleted-there" : "server.merge.deleted-here",
                ["name": .text(conflict.mine)]]
        }
    }

    /// What was typed and is stored nowhere, as one sentence.
    func typed(_ change: TypedChange, _ key: String = "server.typed") -> String {
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
        words["server.conflict.\(field.replacing("_", with: "-"))"]
    }

    func model(_ conflict: ReviewMerge.Conflict) -> MergeNotice.Conflict {
        let field = label(conflict.field)
        guard !conflict.line.isEmpty else {
            let stored = ReviewDraft.HeadField(rawValue: conflict.field).map { receipt.draft[head: $0] } ?? ""
            return MergeNotice.Conflict(
                label: field, mine: shown(conflict.field, conflict.mine), theirs: shown(conflict.field, stored))
        }
        let line = lines[conflict.line]
        let stored = ReviewDraft.Field(rawValue: conflict.field).flatMap { line?[$0] } ?? ""
        return MergeNotice.Conflict(
            label: "\(line?.name ?? ""), \(field)", mine: shown(conflict.field, conflict.mine),
            theirs: shown(conflict.field, stored))
    }

    /// Canonical text as people read it.
    private func shown(_ field: String, _ text: String) -> String {
        switch field {
        case "total": Int64(text).map { Money(minorUnits: $0, currency: receipt.currency).formatted(language) } ?? text
        case "unit_price":
            Int64(text).map {
                UnitPrice(thousandthsOfMinor: $0, currency: receipt.currency, per: .piece).figure(language)
            } ?? text
        case "day", "hidden-until": LocalDate(parsing: text)?.formatted(language) ?? text
        case "quantity":
            text.split(separator: " ").first.flatMap { Int64($0) }.map {
                DecimalText.format($0, decimals: 3, minimum: 0, in: language)
            } ?? text
        default: text
        }
    }
}
