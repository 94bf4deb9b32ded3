import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ConfirmedReceiptTests {
    @Test(.database, arguments: [(0, nil), (100, "-1,00 €"), (-100, "+1,00 €")] as [(Int64, String?)])
    func `a confirmed receipt states the difference between its lines and its total`(more: Int64, difference: String?)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 179), ("BROT", 329)], stage: "confirmed", head: .init(total: .printed(508 + more)))
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains("Es zählt die Summe") == (difference != nil))
            if let difference { #expect(page.replacing("−", with: "-").contains(difference), "\(page)") }
        }
    }

    @Test(.database) func `a printed name is shown below its product only if it differs`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([("Milch", "1,00", "2026-09-01")])
            let receipt = try #require(try owner.query("SELECT receipt_id FROM price").first(ReceiptID.self))
            let printed = "small printed\">Milch</span>"
            #expect(try await !anna.get("/receipts/\(receipt)").text.contains(printed))
            try owner.query("UPDATE product SET name = 'Vollmilch'")
            #expect(try await anna.get("/receipts/\(receipt)").text.contains(printed))
        }
    }

    @Test(.database) func `a price is compared with the previous price in the same currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([
                ("Milch", "1,00", "2026-09-01"), ("Milch", "1,20", "2026-10-01"), ("Milch", "1,50", "2026-11-01"),
            ])
            try owner.query("UPDATE price SET currency = 'PLN' WHERE day = '2026-10-01'")
            let receipt = try #require(
                try owner.query("SELECT receipt_id FROM price WHERE day = '2026-11-01'").first(ReceiptID.self))
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains("+50,0") && !page.contains("+25,0"))
        }
    }

    @Test(
        .database,
        arguments: [
            (#""quantity_thousandths": 2000, "unit_price_thousandths": 129000"#, "2 × 1,29"),
            (
                #""quantity_thousandths": 543, "unit": "kg", "unit_price_thousandths": 1099000, "total_minor": 597"#,
                "0,543 kg × 10,99 €/kg"
            ),
            (#""unit_price_thousandths": 129000, "total_minor": 129"#, nil),
            (#""quantity_thousandths": 3000"#, "3 Stk."), (#""total_minor": 129"#, nil),
            (#""kind": "discount", "total_minor": -50"#, nil),
        ] as [(String, String?)])
    func `narrow pages show quantity and unit price below the name of a line`(
        line: String, expected: String?
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 258)])
            let key = try scene.keys(receipt)[0]
            try await harness.change(receipt, #"{"lines": [{"id": "\#(key)", \#(line)}]}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            let page = try await anna.get("/receipts/\(receipt)").text.replacing("\u{A0}", with: " ")
            let shown = page.firstMatch(of: #/MILCH<span class="soft small only-narrow"[^>]*>([^<]*)</#).map {
                String($0.output.1)
            }
            #expect(shown == expected)
        }
    }
}
