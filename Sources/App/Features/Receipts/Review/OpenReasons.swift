import DocumentParsing
import Domain
import JSON

/// The reasons for a review that remain after a correction. A correction removes only the reasons that it settles. For
/// example, a corrected name does not settle a missing line. Confirming removes all reasons except a missing total and
/// a difference between lines and total.
struct OpenReasons: Sendable {
    let before: StoredReceipt
    let after: ReviewDraft
    /// Fields that the person compared with the picture and ticked off as correct.
    var checked: CheckedFields = CheckedFields()

    /// - Parameter isConfirmed: whether a person confirms the receipt or has confirmed it.
    func reasons(isConfirmed: Bool) -> [Reason] {
        let sumReasons = Self.reasonsFromSums(after)
        guard !isConfirmed else { return sumReasons }
        var open = sumReasons + unsettled
        if !open.contains(.count), countDiffers(after), !countDiffers(before.draft) { open.append(Reason(.count)) }
        return open
    }

    /// The stored reasons that still apply, without the reasons that `reasonsFromSums` computes.
    var unsettled: [Reason] { before.reasons.filter { isOpen($0.code) } }

    /// The reasons that follow from the lines and the total.
    static func reasonsFromSums(_ draft: ReviewDraft) -> [Reason] {
        guard let total = draft.total else { return [Reason(.noTotal)] }
        guard let sum = draft.sum, sum != total else { return [] }
        let lines = Money(minorUnits: max(-Money.limit, min(Money.limit, sum)), currency: draft.currency)
        return [.difference(lines: lines, total: Money(minorUnits: total, currency: draft.currency))]
    }

    /// Whether a stored reason still applies after the correction.
    private func isOpen(_ reason: Reason.Code) -> Bool {
        switch reason {
        case .count: countDiffers(after)
        case .noDay: after.day == nil
        case .currency: after.currency == before.draft.currency
        case .day: after.day == before.draft.day && !checked.contains(.day)
        case .totalComputed: after.total == before.draft.total && !checked.contains(.total)
        case .fiscal: after.total == before.draft.total && after.day == before.draft.day
        // A line may be missing or incomplete. Settled when amounts were changed and the lines now add up to the total.
        case .unexplained, .gap, .line, .pages: !(amountsChanged && after.difference == 0)
        case .vat: !((amountsChanged || classesChanged) && after.difference == 0 && classesFit)
        case .unitPrice: pricesAreOpen
        case .repair: repairsAreOpen
        case .unproven: !doubtsAreSettled
        // Corrections do not settle these reasons.
        case .training, .cancelled, .corrections: true
        // `reasonsFromSums` computes `noTotal` and `difference` again. The other reasons, such as a failed reading, no
        // longer matter after a person has typed something.
        case .noTotal, .difference, .unreadable, .crashed, .timeout, .overloaded, .damaged, .locked, .unsupported,
            .tooLarge, .byHand, .kept, .otherSheet, .reread:
            false
        }
    }

    /// Whether the number of articles printed on the receipt differs from the number in the lines.
    private func countDiffers(_ draft: ReviewDraft) -> Bool {
        guard let printed = before.articleCount else { return false }
        return !ArticleCount.possible(
            draft.lines.map { ($0.kind, $0.unit == .piece ? $0.quantity / 1_000 : 1) }
        ).contains(printed)
    }

    // MARK: What was corrected

    /// Whether every value marked as doubtful was changed or checked. False if no value is marked.
    private var doubtsAreSettled: Bool {
        let now = after.linesByKey()
        let head = before.doubts.map { after[head: $0] != before.draft[head: $0] || checked.contains($0) }
        let lines = before.draft.lines.flatMap { line in
            (before.facts[line.key]?.doubts ?? []).map { field in
                now[line.key]?[field] != line[field] || checked.contains(field, of: line.key)
            }
        }
        let marks = head + lines
        return !marks.isEmpty && marks.allSatisfy { $0 }
    }

    private var amountsChanged: Bool {
        func amounts(_ draft: ReviewDraft) -> [String] { draft.lines.map { $0[.total] }.sorted() }
        return after.total != before.draft.total || amounts(after) != amounts(before.draft)
    }

    private var classesChanged: Bool {
        func classes(_ draft: ReviewDraft) -> [String: String] { draft.linesByKey().mapValues(\.vatClass) }
        return classes(after) != classes(before.draft)
    }

    /// Whether the lines of each tax class add up to its row of the tax table. True when an amount or a class is
    /// unknown.
    private var classesFit: Bool {
        var sums: [String: Int64] = [:]
        for line in after.lines {
            guard !line.vatClass.isEmpty else { return true }
            sums[line.vatClass, default: 0] += line.total
        }
        for row in before.vat?.array ?? [] {
            guard let name = row["class"]?.string, let gross = row["gross"]?.integer else { return true }
            if sums[name] != gross { return false }
        }
        return true
    }

    /// Whether a quantity or unit price is still doubtful. A line is doubtful if its amount differs from quantity ×
    /// unit price, or if a marked quantity or unit price is unchanged and unchecked. If the stored receipt has no
    /// doubtful line, the reason also stays open until a figure is changed.
    private var pricesAreOpen: Bool {
        let stored = before.draft.linesByKey()
        func isDoubtful(_ line: ReviewDraft.Line) -> Bool {
            if line.misfit != nil { return true }
            let doubts = before.facts[line.key]?.doubts ?? []
            return [ReviewField.quantity, .unitPrice].contains { field in
                doubts.contains(field) && stored[line.key]?[field] == line[field]
                    && !checked.contains(field, of: line.key)
            }
        }
        if before.draft.lines.contains(where: isDoubtful) { return after.lines.contains(where: isDoubtful) }
        return after.lines.contains { $0.misfit != nil }
            || before.draft.lines.map(Figures.init) == after.lines.map(Figures.init)
    }

    /// Whether a repaired or proposed figure is still unchanged and unchecked. True if no repair is stored.
    private var repairsAreOpen: Bool {
        let now = after.linesByKey()
        let repaired = before.draft.lines.filter { !(before.facts[$0.key]?.repairs ?? []).isEmpty }
        if !before.repairs.isEmpty, after.total == before.draft.total, !checked.contains(.total) { return true }
        return repaired.isEmpty && before.repairs.isEmpty
            || repaired.contains { line in
                let fields = before.facts[line.key]?.repairs.map(\.field) ?? []
                return now[line.key].map(Figures.init) == Figures(line)
                    && !fields.allSatisfy { checked.contains($0, of: line.key) }
            }
    }

    /// The figures of a line that a person may correct.
    private struct Figures: Equatable {
        let quantity: String
        let unitPrice: Int64?
        let total: String

        init(_ line: ReviewDraft.Line) {
            (quantity, unitPrice, total) = (line[.quantity], line.unitPrice, line[.total])
        }
    }
}
