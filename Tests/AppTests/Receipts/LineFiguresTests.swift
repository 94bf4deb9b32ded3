import Domain
import HTTP
import Testing

@testable import App

/// When the amount, the quantity or the unit price of a line is corrected, one of the other two figures is recomputed.
@Suite(.timeLimit(.minutes(5))) struct LineFiguresTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var old: [Int64?]? = [1_000, 438_000, 438]
        let typed: [Int64?]
        let expected: [Int64?]
        var unit = StoredUnit.piece
    }

    /// Quantity in thousandths, unit price in thousandths of a cent, amount in cents.
    static let cases = [
        Case(
            testDescription: "one piece costs its amount", typed: [1_000, 438_000, 458],
            expected: [1_000, 458_000, 458]),
        Case(
            testDescription: "a changed unit price changes the amount", typed: [1_000, 458_000, 438],
            expected: [1_000, 458_000, 458]),
        Case(
            testDescription: "a changed quantity changes the unit price", typed: [2_000, 438_000, 438],
            expected: [2_000, 219_000, 438]),
        Case(
            testDescription: "consistent figures stay unchanged", typed: [2_000, 219_000, 438],
            expected: [2_000, 219_000, 438]),
        Case(
            testDescription: "three changed figures stay unchanged", typed: [2_000, 100_000, 300],
            expected: [2_000, 100_000, 300]),
        Case(
            testDescription: "unchanged figures stay unchanged", old: [2_000, 129_000, 285],
            typed: [2_000, 129_000, 285], expected: [2_000, 129_000, 285]),
        Case(
            testDescription: "a weighed item keeps its price if the amount differs by one cent",
            old: [742, 199_000, 143],
            typed: [742, 199_000, 148],
            expected: [742, 199_000, 148], unit: .kilogram),
        Case(
            testDescription: "a changed amount changes the price of a weight", old: [742, 199_000, 148],
            typed: [742, 199_000, 221],
            expected: [742, 297_844, 221], unit: .kilogram),
        Case(
            testDescription: "a discount keeps its sign", old: [1_000, -50_000, -50], typed: [1_000, -50_000, -80],
            expected: [1_000, -80_000, -80]),
        Case(
            testDescription: "a new line of one piece has a unit price", old: nil, typed: [1_000, nil, 129],
            expected: [1_000, 129_000, 129]),
        Case(
            testDescription: "a cleared unit price stays empty", typed: [1_000, nil, 438], expected: [1_000, nil, 438]),
        Case(
            testDescription: "a quantity of zero changes nothing", typed: [0, 438_000, 438],
            expected: [0, 438_000, 438]),
    ]

    private static func line(_ figures: [Int64?], _ unit: StoredUnit) -> ReviewDraft.Line {
        var line = ReviewDraft.Line(
            key: "a", name: "MILCH", quantity: figures[0] ?? 0, unit: unit, total: figures[2] ?? 0)
        line.unitPrice = figures[1]
        return line
    }

    @Test(arguments: cases) func `recomputes at most one figure of a changed line`(_ example: Case) {
        var line = Self.line(example.typed, example.unit)
        line.reconcileFigures(since: example.old.map { Self.line($0, example.unit) })
        #expect([line.quantity, line.unitPrice, line.total] == example.expected)
    }
}
