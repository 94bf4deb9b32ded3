import Domain
import JSON
import Testing

@testable import App

/// Merging documents field by field.
@Suite(.timeLimit(.minutes(5))) struct DocumentMergeTests {
    private static func line(_ id: String, _ total: Int64, name: String = "MILCH") -> JSONValue {
        ["id": .string(id), "name": .string(name), "total_minor": .integer(total)]
    }

    private static func receipt(_ lines: [JSONValue], total: Int64 = 1) -> JSONObject {
        ["stage": "review", "total_minor": .integer(total), "lines": .array(lines)]
    }

    private static func merge(_ base: JSONObject?, _ winner: JSONObject, _ loser: JSONObject) -> DocumentMerge {
        DocumentMerge(.receipt, base: base, winner: winner, loser: loser)
    }

    @Test func `changes of different lines and fields are all kept`() {
        let base = Self.receipt([Self.line("a", 1), Self.line("b", 2)])
        let merge = Self.merge(
            base, Self.receipt([Self.line("a", 10), Self.line("b", 2), Self.line("c", 3)]),
            Self.receipt([Self.line("d", 4), Self.line("a", 1), Self.line("b", 20)], total: 7))
        let lines = merge.merged["lines"]?.array ?? []
        #expect(lines.compactMap { $0["id"]?.string } == ["d", "a", "b", "c"])
        #expect(lines.compactMap { $0["total_minor"]?.integer } == [4, 10, 20, 3])
        #expect(merge.merged["total_minor"] == 7 && merge.lost.isEmpty)
    }

    @Test func `lines have the order of the only version that moved lines, or else the winner's order`() {
        func keys(_ base: String, _ winner: String, _ loser: String) -> String {
            func version(_ keys: String) -> JSONObject { Self.receipt(keys.map { Self.line(String($0), 1) }) }
            let mergedDocument = Self.merge(version(base), version(winner), version(loser)).merged
            return (mergedDocument["lines"]?.array ?? []).compactMap { $0["id"]?.string }.joined()
        }
        #expect(keys("abc", "abc", "cab") == "cab")
        #expect(keys("abc", "cab", "abc") == "cab")
        #expect(keys("abc", "abdc", "cab") == "cabd")
        #expect(keys("abc", "bc", "cba") == "cb")
        #expect(keys("abc", "bca", "cab") == "bca")
    }

    @Test func `an edited line is kept although the other replica deleted it, whichever revision wins`() {
        let base = Self.receipt([Self.line("a", 1), Self.line("b", 2)])
        let (deleted, edited) = (
            Self.receipt([Self.line("b", 2)]), Self.receipt([Self.line("a", 9), Self.line("b", 2)])
        )
        for (winner, loser) in [(deleted, edited), (edited, deleted)] {
            let merge = Self.merge(base, winner, loser)
            #expect(merge.merged["lines"]?.array?.count == 2)
            #expect(merge.lost.map(\.field) == ["lines/a/deleted"])
        }
        #expect(Self.merge(base, deleted, base).merged["lines"]?.array?.count == 1)
        #expect(Self.merge(base, base, deleted).merged["lines"]?.array?.count == 1)
    }

    @Test func `the winner's value of a field is kept, and the other value is reported`() {
        let merge = Self.merge(
            Self.receipt([], total: 1), Self.receipt([], total: 2), Self.receipt([], total: 3))
        #expect(merge.merged["total_minor"] == 2)
        #expect(merge.lost == [DocumentMerge.LostField(field: "total_minor", kept: 2, lost: 3)])
    }

    @Test func `unknown fields whose names differ only in Unicode composition are both merged`() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        func version(_ first: Int64, _ second: Int64) -> JSONObject {
            [composed: .integer(first), decomposed: .integer(second)]
        }
        let merge = Self.merge(version(1, 1), version(1, 1), version(2, 3))
        #expect(merge.merged[composed] == 2 && merge.merged[decomposed] == 3)
    }

    @Test func `a group of fields is merged although an unknown field has the name of the group`() {
        func line(_ quantity: Int64, note: JSONValue) -> JSONObject {
            let line: JSONValue = [
                "id": "a", "name": "MILCH", "total_minor": 1, "quantity_thousandths": .integer(quantity), "unit": "kg",
                "quantity": note,
            ]
            return Self.receipt([line])
        }
        for (winner, loser) in [(1_000, 2_000), (2_000, 1_000)] as [(Int64, Int64)] {
            let merge = Self.merge(line(1_000, note: "x"), line(winner, note: "x"), line(loser, note: "y"))
            let mergedLine = merge.merged["lines"]?.array?.first
            #expect(
                mergedLine?["quantity_thousandths"] == 2_000 && mergedLine?["quantity"] == "y" && merge.lost.isEmpty)
        }
    }

    @Test func `without a common ancestor every difference is a conflict, and nothing is deleted`() {
        let merge = Self.merge(nil, Self.receipt([Self.line("a", 1)]), Self.receipt([Self.line("b", 1)], total: 2))
        #expect(merge.merged["lines"]?.array?.count == 2)
        #expect(merge.lost.map(\.field) == ["total_minor"])
    }

    @Test(arguments: 1...200)
    func `merging a result with itself changes nothing, and a single changed version is the result`(
        _ seed: UInt64
    ) {
        var generator = SplitMix64(seed: seed)
        func version(of base: JSONObject) -> JSONObject {
            var lines = base["lines"]?.array ?? []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let choice = Int.random(in: 0...2, using: &generator)
                if choice == 0 || lines.isEmpty {
                    lines.append(Self.line("n\(UInt8.random(in: .min ... .max, using: &generator))x\(lines.count)", 5))
                } else if choice == 1 {
                    lines.remove(at: Int.random(in: lines.indices, using: &generator))
                } else {
                    let index = Int.random(in: lines.indices, using: &generator)
                    lines[index] = Self.line(
                        lines[index]["id"]?.string ?? "", Int64.random(in: 1...9, using: &generator))
                }
            }
            return Self.receipt(lines, total: Int64.random(in: 1...3, using: &generator))
        }
        let base = Self.receipt([Self.line("a", 1), Self.line("b", 2), Self.line("c", 3)])
        let (one, two) = (version(of: base), version(of: base))
        let mergedDocument = Self.merge(base, one, two).merged
        #expect(Self.merge(base, mergedDocument, mergedDocument).merged == mergedDocument)
        // If only one version changed, the merge has the values of that version.
        #expect(Self.merge(base, one, base).merged == one)
        #expect(Set((Self.merge(base, base, two).merged["lines"]?.array ?? [])) == Set(two["lines"]?.array ?? []))
    }
}
