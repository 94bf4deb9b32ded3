import Domain
import Templates

/// A question that a person answers once before a receipt is confirmed. Confirming the receipt again answers yes.
struct ConfirmationQuestion: Sendable {
    /// Another receipt of the same purchase.
    let original: ReviewData.Original?
    /// Lines with implausible amounts.
    private let lines: [ReviewDraft.Line]
    private let currency: Currency

    /// Returns nil when there is nothing to ask, or when the person was already asked.
    static func load(
        _ form: ReviewForm, _ data: ReviewData, _ queries: ReviewQueries, _ member: Member
    ) async throws -> ConfirmationQuestion? {
        let receipt = data.receipt
        let draft = form.completed(over: receipt.draft)
        guard receipt.stage == .review, receipt.verdict != .proven || !draft.hasSamePrint(as: receipt.draft) else {
            return nil
        }
        let implausible = data.usual.implausible(in: draft)
            .filter { !form.asked.contains($0) && !form.checked.contains(.total, of: $0) }
        var original: ReviewData.Original?
        // Searches only if the form changed these values. Unchanged values were compared with other receipts when they
        // were read or saved.
        if receipt.duplicateOf == nil, draft.purchase != receipt.draft.purchase {
            original = try await queries.receipt(of: draft.purchase, otherThan: receipt.id, member)
        }
        if let found = original, form.asked.contains(found.id.description) { original = nil }
        guard !implausible.isEmpty || original != nil else { return nil }
        return ConfirmationQuestion(
            original: original, lines: draft.lines.filter { implausible.contains($0.key) }, currency: draft.currency)
    }

    /// Values for the form's hidden field `asked`. They tell the next request that the person has seen the question.
    var asked: Set<String> { Set(lines.map(\.key) + (original.map { [$0.id.description] } ?? [])) }

    /// The question about implausible amounts; nil when there are none.
    func problem(_ words: LanguageTexts, _ language: Language) -> Problem? {
        guard !lines.isEmpty else { return nil }
        return Problem(
            title: words["server.review.implausible"], text: words["server.review.implausible-text"],
            details: lines.map { line in
                "\(line.name): \(Money(minorUnits: line.total, currency: currency).formatted(language))"
            })
    }
}
