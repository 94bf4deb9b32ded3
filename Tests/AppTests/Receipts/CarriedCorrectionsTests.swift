import Domain
import Testing

@testable import App

/// When receipts are joined, their corrections are applied to the joined receipt. The original receipts are its parts.
@Suite(.timeLimit(.minutes(5))) struct CarriedCorrectionsTests {
    private static func line(_ key: String, _ name: String, _ total: Int64) -> ReviewDraft.Line {
        ReviewDraft.Line(key: key, name: name, total: total)
    }

    private static func draft(_ lines: [ReviewDraft.Line], total: Int64? = nil, store: String = "") -> ReviewDraft {
        var draft = ReviewDraft()
        (draft.lines, draft.total, draft.store) = (lines, total, store)
        return draft
    }

    @Test func `a corrected line is found by name and amount, and only corrected fields change`() {
        let step = CorrectedPart(
            before: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "BR0T", 320)]),
            after: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "BROT", 329)]))
        let whole = Self.draft([
            Self.line("x", "MILCH", 149), Self.line("y", "BR0T", 320), Self.line("z", "BUTTER", 259),
        ])
        let carried = CarriedCorrections([step], on: whole)
        #expect(carried.draft.lines.map(\.name) == ["MILCH", "BROT", "BUTTER"])
        #expect(carried.draft.lines.map(\.total) == [149, 329, 259])
        #expect(carried.draft.lines.map(\.key) == ["x", "y", "z"])
        #expect(carried.lost.isEmpty)
    }

    @Test func `if two lines are equal and one was corrected, only one line of the joined receipt changes`() {
        let step = CorrectedPart(
            before: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "MILCH", 149)]),
            after: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "SOJAMILCH", 199)]))
        let carried = CarriedCorrections(
            [step], on: Self.draft([Self.line("x", "MILCH", 149), Self.line("y", "MILCH", 149)]))
        #expect(carried.draft.lines.map(\.name) == ["MILCH", "SOJAMILCH"])
    }

    @Test
    func `added lines are inserted at their places if the joined receipt lacks them, and deleted lines are removed`() {
        let step = CorrectedPart(
            before: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "?", 5)]),
            after: Self.draft([
                Self.line("a", "MILCH", 149), Self.line("n", "KÄSE", 249), Self.line("m", "BUTTER", 259),
            ]))
        let carried = CarriedCorrections(
            [step],
            on: Self.draft([Self.line("x", "MILCH", 149), Self.line("q", "?", 5), Self.line("z", "BUTTER", 259)]))
        #expect(carried.draft.lines.map(\.name) == ["MILCH", "KÄSE", "BUTTER"])
    }

    @Test func `a correction without a matching line is reported and not applied to another line`() {
        let step = CorrectedPart(
            before: Self.draft([Self.line("a", "SEIFE", 149)]), after: Self.draft([Self.line("a", "SEIFE", 199)]))
        let whole = Self.draft([Self.line("x", "MILCH", 120), Self.line("y", "BROT", 329)])
        let carried = CarriedCorrections([step], on: whole)
        #expect(carried.draft == whole)
        #expect(carried.lost == ["SEIFE"])
    }

    @Test func `if the totals of two parts were corrected, the page asks, and the later part's total is used`() {
        let steps = [470, 990].map { total in
            CorrectedPart(before: Self.draft([], total: 1), after: Self.draft([], total: Int64(total)))
        }
        #expect(CarriedCorrections(steps, on: Self.draft([], total: 5)).draft.total == 990)
        #expect(CarriedCorrections.mayBeLost(steps))
        #expect(!CarriedCorrections.mayBeLost([steps[0]]))
        #expect(!CarriedCorrections.mayBeLost([steps[0], steps[0]]))
    }

    @Test func `a line that was deleted from one part but is in another part stays in the joined receipt`() {
        let steps = [
            CorrectedPart(
                before: Self.draft([Self.line("a", "MILCH", 149), Self.line("b", "BROT", 329)]),
                after: Self.draft([Self.line("a", "MILCH", 149)])),
            CorrectedPart(
                before: Self.draft([Self.line("c", "BROT", 329), Self.line("d", "SEIFE", 199)]),
                after: Self.draft([Self.line("c", "BROT", 329), Self.line("d", "SEIFE", 199)])),
        ]
        let once = Self.draft([Self.line("x", "MILCH", 149), Self.line("y", "BROT", 329), Self.line("z", "SEIFE", 199)])
        #expect(CarriedCorrections(steps, on: once).draft == once)
        // If no overlap was found, the joined receipt has the line twice, and one of the two lines is deleted.
        var twice = once
        twice.lines.insert(Self.line("w", "BROT", 329), at: 1)
        #expect(CarriedCorrections(steps, on: twice).draft.lines.map(\.name) == ["MILCH", "BROT", "SEIFE"])
    }

    @Test func `a total that is the sum of a part's lines is not the total of the joined receipt`() {
        let step = CorrectedPart(
            before: Self.draft([Self.line("a", "MILCH", 149)]),
            after: Self.draft([Self.line("a", "MILCH", 149)], total: 149))
        let whole = Self.draft([Self.line("x", "MILCH", 149), Self.line("y", "BROT", 329)], total: 478)
        #expect(CarriedCorrections([step], on: whole).draft.total == 478)
        // The other parts have no lines, so the sum of this part is the total.
        let alone = Self.draft([Self.line("x", "MILCH", 149)], total: 749)
        #expect(CarriedCorrections([step], on: alone).draft.total == 149)
        // A total cleared on one part does not clear the total that another part prints.
        let emptied = CorrectedPart(before: Self.draft([], total: 39), after: Self.draft([]))
        #expect(CarriedCorrections([emptied], on: whole).draft.total == 478)
    }
}
