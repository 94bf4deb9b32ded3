import Domain
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ReviewMergeTests {
    private static let base = {
        var draft = ReviewDraft()
        (draft.store, draft.total) = ("HOFER", 508)
        draft.lines = [
            ReviewDraft.Line(key: "a", name: "MILCH", total: 179), .init(key: "b", name: "BROT", total: 329),
        ]
        return draft
    }()

    private static func edited(_ edit: (inout ReviewDraft) -> Void) -> ReviewDraft {
        var draft = base
        edit(&draft)
        return draft
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mine: ReviewDraft
        let theirs: ReviewDraft
        /// The name and the total of each line after the merge.
        let lines: [String]
        var changes: [Conflict.Change] = []
    }

    static let cases = [
        Case(
            testDescription: "different fields of one line", mine: edited { $0.lines[0].name = "VOLLMILCH" },
            theirs: edited { $0.lines[0].total = 189 }, lines: ["VOLLMILCH 189", "BROT 329"]),
        Case(
            testDescription: "the same field with different values", mine: edited { $0.lines[0].total = 169 },
            theirs: edited { $0.lines[0].total = 189 }, lines: ["MILCH 189", "BROT 329"],
            changes: [.changed(.total, of: "a", to: "169")]),
        Case(
            testDescription: "the same field with equal values", mine: edited { $0.lines[0].total = 189 },
            theirs: edited { $0.lines[0].total = 189 }, lines: ["MILCH 189", "BROT 329"]),
        Case(
            testDescription: "deleted here, untouched there", mine: edited { $0.lines.remove(at: 0) },
            theirs: base, lines: ["BROT 329"]),
        Case(
            testDescription: "deleted here, edited there", mine: edited { $0.lines.remove(at: 0) },
            theirs: edited { $0.lines[0].total = 189 }, lines: ["MILCH 189", "BROT 329"],
            changes: [Conflict.Change(part: "a", name: "MILCH", cause: .deletedByForm, entries: [])]),
        Case(
            testDescription: "edited here, deleted there", mine: edited { $0.lines[0].total = 189 },
            theirs: edited { $0.lines.remove(at: 0) }, lines: ["MILCH 189", "BROT 329"],
            changes: [Conflict.Change(part: "a", name: "MILCH", cause: .deletedByOther, entries: [])]),
        Case(
            testDescription: "untouched here, deleted there", mine: base, theirs: edited { $0.lines.remove(at: 0) },
            lines: ["BROT 329"]),
        Case(
            testDescription: "added on both sides",
            mine: edited { $0.lines.append(.init(key: "new1", name: "SEIFE", total: 199)) },
            theirs: edited { $0.lines.append(.init(key: "c", name: "REIS", total: 249)) },
            lines: ["MILCH 179", "BROT 329", "SEIFE 199", "REIS 249"]),
        Case(
            testDescription: "added here, inserted above there",
            mine: edited { $0.lines.append(.init(key: "new1", name: "SEIFE", total: 199)) },
            theirs: edited { $0.lines.insert(.init(key: "c", name: "REIS", total: 249), at: 1) },
            lines: ["MILCH 179", "REIS 249", "BROT 329", "SEIFE 199"]),
        Case(
            testDescription: "inserted first here, moved there",
            mine: edited { $0.lines.insert(.init(key: "new1", name: "SEIFE", total: 199), at: 0) },
            theirs: edited { $0.lines.swapAt(0, 1) }, lines: ["SEIFE 199", "BROT 329", "MILCH 179"]),
        Case(
            testDescription: "edited here, moved there", mine: edited { $0.lines[0].total = 189 },
            theirs: edited { $0.lines.swapAt(0, 1) }, lines: ["BROT 329", "MILCH 189"]),
        Case(
            testDescription: "moved here, edited there", mine: edited { $0.lines.swapAt(0, 1) },
            theirs: edited { $0.lines[0].total = 189 }, lines: ["BROT 329", "MILCH 189"]),
    ]

    @Test(arguments: cases) func `merges the changes of two members`(_ example: Case) {
        let merge = ReviewMerge(base: Self.base, mine: example.mine, theirs: example.theirs)
        #expect(merge.merged.lines.map { "\($0.name) \($0.total)" } == example.lines)
        #expect(merge.conflict.changes == example.changes)
    }

    @Test func `merges store, date, time and total separately`() {
        let merge = ReviewMerge(
            base: Self.base, mine: Self.edited { ($0.store, $0.total) = ("HOFER Wien", 509) },
            theirs: Self.edited { $0.total = 510 })
        #expect(merge.merged.store == "HOFER Wien")
        #expect(merge.merged.total == 510)
        #expect(merge.conflict.changes == [.changed(.total, to: "509")])
    }

    @Test func `keeps a currency that one or both of two members chose`() {
        let francs = Self.edited { $0.currency = .chf }
        for (mine, theirs) in [(francs, Self.base), (Self.base, francs), (francs, francs)] {
            let merge = ReviewMerge(base: Self.base, mine: mine, theirs: theirs)
            #expect(merge.merged.currency == .chf && merge.conflict.changes.isEmpty)
        }
    }
}
