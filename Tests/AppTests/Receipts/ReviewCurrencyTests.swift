import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The currency of a receipt can be corrected like its other fields.
@Suite(.timeLimit(.minutes(5))) struct ReviewCurrencyTests {
    private func save(
        _ receipt: ReceiptID, _ scene: ReceiptScene, _ fields: KeyValuePairs<String, String>, _ browser: Browser,
        to action: String = "review", revision: Int64? = nil
    ) async throws -> Answer {
        let key = try scene.keys(receipt)[0]
        let head = [
            ("csrf", try #require(try await browser.get("/receipts/\(receipt)/review").token)),
            ("revision", String(try revision ?? scene.revision(receipt))), ("store", "HOFER"), ("day", "2026-11-02"),
            ("line", "\(key)"), ("name-\(key)", "MILCH"), ("total-\(key)", "1,79"),
        ]
        let all = head + (fields.contains { $0.key == "total" } ? [] : [("total", "1,79")])
        let body = (all + fields.map { ($0.key, $0.value) })
            .map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await browser.send(
            .post, "/receipts/\(receipt)/\(action)", type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    private func currency(_ receipt: ReceiptID, _ scene: ReceiptScene) throws -> String? {
        try scene.text("SELECT currency FROM receipt WHERE id = \(receipt)")
    }

    @Test(.database) func `the currency can be chosen in the review, and is in the change log`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains("<option value=\"EUR\" selected>€</option><option value=\"CHF\">CHF</option>"))
            #expect(try await save(receipt, scene, ["currency": "CHF"], anna).status == .seeOther)
            #expect(try currency(receipt, scene) == "CHF")
            #expect(
                try scene.text(
                    "SELECT body ->> 'currency' FROM change_log WHERE document_id = \(receipt) ORDER BY seq DESC LIMIT 1"
                )
                    == "CHF")
            let secondPage = try await anna.get("/receipts/\(receipt)/review").text
            #expect(secondPage.contains("<option value=\"EUR\">€</option><option value=\"CHF\" selected>CHF</option>"))
            #expect(secondPage.contains("data-currency=\"CHF\""))
        }
    }

    @Test(.database, arguments: [("PLN", "PLN"), ("EUR", nil)])
    func `the review says if a receipt is in another currency than the household's`(
        currency: String, shown: String?
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            _ = try await save(receipt, scene, ["currency": currency], anna)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains("Dieser Beleg ist in PLN") == (shown != nil))
            _ = try await save(receipt, scene, ["currency": currency], anna, to: "confirmation")
            #expect(try self.currency(receipt, scene) == currency)
            // Only amounts in the household's currency are spending.
            #expect(try scene.count("SELECT count(*) FROM spending_month") == (shown == nil ? 1 : 0))
        }
    }

    @Test(.database) func `amounts may have only the sign of the chosen currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let refusal = try await save(receipt, scene, ["currency": "CHF", "total": "1,79 €"], anna)
            #expect(refusal.status == .unprocessableContent)
            // The form is shown again with the input.
            #expect(refusal.text.contains("<option value=\"CHF\" selected>CHF</option>"))
            #expect(refusal.text.contains("data-currency=\"CHF\""))
            #expect(try await save(receipt, scene, ["currency": "CHF", "total": "CHF 1.79"], anna).status == .seeOther)
            #expect(try currency(receipt, scene) == "CHF")
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 179)
        }
    }

    @Test(.database, arguments: [[:], ["currency": "JPY"]] as [KeyValuePairs<String, String>])
    func `a form without a currency, or with an unknown currency, leaves the currency unchanged`(
        fields: KeyValuePairs<String, String>
    )
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            try await harness.change(receipt, #"{"currency": "CHF"}"#, by: anna)
            #expect(try await save(receipt, scene, fields, anna).status == .seeOther)
            #expect(try currency(receipt, scene) == "CHF")
        }
    }

    @Test(.database) func `a changed currency is stored together with another member's change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            // Both forms are for this revision.
            _ = try await save(receipt, scene, [:], anna)
            let start = try scene.revision(receipt)
            _ = try await save(receipt, scene, ["time": "10:15"], ben, revision: start)
            #expect(try await save(receipt, scene, ["currency": "CHF"], anna, revision: start).status == .seeOther)
            #expect(try currency(receipt, scene) == "CHF")
            #expect(try scene.text("SELECT purchase_time::text FROM receipt WHERE id = \(receipt)") == "10:15:00")
        }
    }

    @Test(.database) func `a receipt in another currency has prices in that currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            _ = try await save(receipt, scene, [:], anna, to: "confirmation")
            _ = try await anna.post("/matching/new-products")
            #expect(try scene.text("SELECT DISTINCT currency FROM price") == "EUR")
            _ = try await save(receipt, scene, ["currency": "CHF"], anna, to: "confirmation")
            #expect(try scene.text("SELECT DISTINCT currency FROM price") == "CHF")
            #expect(try scene.count("SELECT count(*) FROM spending_month") == 0)
        }
    }

    @Test(.database) func `the plausibility of an amount is checked only with prices in its currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let earlierReceipt = try scene.receipt([("MILCH", 100)], head: .init(day: "2026-10-05"))
            try await harness.confirm(earlierReceipt, by: anna)
            _ = try await anna.post("/matching/new-products")
            let receipt = try scene.receipt([("MILCH", 2000)])
            let total = "total-\(try scene.keys(receipt)[0])"
            let euros = try await save(receipt, scene, ["total": "20", total: "20"], anna, to: "confirmation")
            #expect(euros.status == .unprocessableContent)
            let francs: KeyValuePairs = ["currency": "CHF", "total": "20", total: "20"]
            #expect(try await save(receipt, scene, francs, anna).status == .seeOther)
            #expect(try await save(receipt, scene, francs, anna, to: "confirmation").status == .seeOther)
        }
    }
}
