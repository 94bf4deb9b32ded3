import DocumentParsing
import Domain
import JSON

/// What still speaks against a receipt after a correction: only what the correction settled goes.
///
/// A name that is put right says nothing about a line that is missing. Confirming is a person's word on everything but
/// the sums, which are said as long as they differ.
struct OpenReasons: Sendable {
    let before: StoredReceipt
    let after: ReviewDraft

    /// - Parameter isConfirmed: whether a person has taken it as it is, now or before.
    func codes(isConfirmed: Bool) -> [String] {
        let sums = Self.sums(after)
        guard !isConfirmed else { return sums }
        var open = sums + unsettled
        if !open.contains("count"), countDiffers(after), !countDiffers(before.draft) { open.append("count") }
        return open
    }

    /// What was said before and still holds, without the sums.
    var unsettled: [String] { before.reasons.filter(isOpen) }

    /// What lines and total themselves say.
    static func sums(_ draft: ReviewDraft) -> [String] {
        guard let total = draft.total else { return ["no-total"] }
        guard let sum = draft.sum, sum != total else { return [] }
        let lines = Money(minorUnits: max(-Money.limit, min(Money.limit, sum)), currency: draft.currency)
        return ["difference|\(lines.formatted())|\(Money(minorUnits: total, currency: draft.currency).formatted())"]
    }

    private func isOpen(_ reason: String) -> Bool {
        switch reason {
        case "count": countDiffers(after)
        case "no-day": after.day == nil
        case "day": after.day == before.draft.day
        case "fiscal": after.total == before.draft.total && after.day == before.draft.day
        // A line that is missing, or of which a part is: amounts were put in and make the total now.
        case "unexplained", "gap", "line", "pages": !(amountsChanged && after.difference == 0)
        case "vat": !((amountsChanged || classesChanged) && after.difference == 0 && classesFit)
        case "unit-price": pricesAreOpen
        case "repair": repairsAreOpen
        // No correction makes a purchase of what the till says is none, and none proves anything.
        case "training", "cancelled", "unproven", "corrections": true
        // Sums are said anew; that nothing could be read is over once somebody has typed.
        default: false
        }
    }

    /// The receipt prints another number of articles.
    private func countDiffers(_ draft: ReviewDraft) -> Bool {
        guard let printed = before.articles else { return false }
        return !ArticleCount.possible(
            draft.lines.map { ($0.kind, $0.unit == .piece ? $0.quantity / 1_000 : 1) }
        ).contains(printed)
    }

    // MARK: What was corrected

    private var amountsChanged: Bool {
        func amounts(_ draft: ReviewDraft) -> [String] { draft.lines.map { $0[.total] }.sorted() }
        return after.total != before.draft.total || amounts(after) != amounts(before.draft)
    }

    private var classesChanged: Bool {
        func classes(_ draft: ReviewDraft) -> [String: String] { draft.linesByKey().mapValues(\.vatClass) }
        return classes(after) != classes(before.draft)
    }

    /// The lines of each class make its row of the tax table, as far as both are known.
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

    /// Quantity times unit price is not the amount, or it could be read in two ways and nobody has said which.
    private var pricesAreOpen: Bool {
        let stored = before.draft.linesByKey()
        func isDoubtful(_ line: ReviewDraft.Line) -> Bool {
            if line.misfit != nil { return true }
            let doubts = before.facts[line.key]?.doubts ?? []
            return [ReviewDraft.Field.quantity, .unitPrice].contains { field in
                doubts.contains(field.rawValue) && stored[line.key]?[field] == line[field]
            }
        }
        if before.draft.lines.contains(where: isDoubtful) { return after.lines.contains(where: isDoubtful) }
        return after.lines.contains { $0.misfit != nil }
            || before.draft.lines.map(Figures.init) == after.lines.map(Figures.init)
    }

    /// A repaired value stands as it was repaired.
    private var repairsAreOpen: Bool {
        let now = after.linesByKey()
        let repaired = before.draft.lines.filter { !(before.facts[$0.key]?.repairs.array ?? []).isEmpty }
        return repaired.isEmpty || repaired.contains { line in now[line.key].map(Figures.init) == Figures(line) }
    }

    private struct Figures: Equatable {
        let quantity: String
        let unitPrice: Int64?
        let total: String

        init(_ line: ReviewDraft.Line) {
            (quantity, unitPrice, total) = (line[.quantity], line.unitPrice, line[.total])
        }
    }
}
