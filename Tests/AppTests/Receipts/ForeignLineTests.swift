import Domain
import HTTP
import TestSupport
import Testing

@testable import App

/// Review forms with lines of other receipts or with unknown lines.
@Suite(.timeLimit(.minutes(5))) struct ForeignLineTests {
    @Test(.database) func `refuses a review form with a line of another receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let other = try scene.receipt([("BROT", 250)])
            let page = try await anna.get("/receipts/\(receipt)/review")
            for foreign in [try scene.keys(other)[0], ReceiptLineID.new()] {
                let answer = try await anna.post(
                    "/receipts/\(receipt)/review",
                    [
                        "action": "save", "revision": "\(try scene.revision(receipt))", "store": "HOFER",
                        "day": "2026-11-02", "total": "2,50", "line": "\(foreign)", "name-\(foreign)": "BROT",
                        "quantity-\(foreign)": "1", "unit-\(foreign)": "piece", "total-\(foreign)": "2,50",
                        "kind-\(foreign)": "item",
                    ], on: page)
                #expect(answer.status == .badRequest)
            }
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(try scene.lines(other) == ["BROT"])
        }
    }

    @Test(.database) func `stores nothing of a form with an unknown revision`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let other = try scene.receipt([("BROT", 250)])
            let foreign = try scene.keys(other)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/review",
                [
                    "action": "save", "revision": "77", "store": "HOFER", "day": "2026-11-02", "total": "2,50",
                    "line": "\(foreign)", "name-\(foreign)": "BROT", "quantity-\(foreign)": "1",
                    "unit-\(foreign)": "piece", "total-\(foreign)": "2,50", "kind-\(foreign)": "item",
                ])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("BROT"))
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(try scene.lines(other) == ["BROT"])
        }
    }
}
