import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Receipts without a readable date. The page asks for the date and does not propose one.
@Suite(.timeLimit(.minutes(5))) struct UndatedReceiptTests {
    private static func undatedReceipt(_ scene: ReceiptScene) throws -> ReceiptID {
        try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven, day: nil))
    }

    private static func post(
        _ browser: Browser, _ scene: ReceiptScene, _ receipt: ReceiptID, _ verb: String, day: String, on page: Answer,
        total: String = "1,50", revision: Int64? = nil, store: String = "HOFER"
    ) async throws -> Answer {
        let key = try scene.keys(receipt)[0]
        return try await browser.post(
            "/receipts/\(receipt)/\(verb)",
            [
                "action": "save", "revision": "\(try revision ?? scene.revision(receipt))", "store": store,
                "day": day,
                "total": "1,50", "line": "\(key)", "name-\(key)": "MILCH", "quantity-\(key)": "1",
                "unit-\(key)": "piece", "total-\(key)": total, "kind-\(key)": "item",
            ], on: page)
    }

    @Test(
        .database,
        arguments: [
            ("de", "nur das Datum fehlt noch", "Das Datum fehlt."),
            ("en", "only the date is missing", "The date is missing."),
        ])
    func `a proven receipt without a date is marked on its page and in the list`(
        language: String, notice: String, reason: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            _ = try await anna.post("/settings/language", ["language": language, "return": "/"])
            let scene = try harness.scene(anna)
            let receipt = try Self.undatedReceipt(scene)
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains(notice))
            #expect(page.attribute("value", after: "name=\"day\"") == "")
            #expect(!page.text.contains("class=\"balance good\""))
            #expect(!page.text.contains("Einmal tippen genügt") && !page.text.contains("One tap is enough"))
            for path in ["/receipts", "/"] { #expect(try await anna.get(path).text.contains(reason)) }
            // With a date, the receipt is proven.
            try scene.owner.query("UPDATE receipt SET purchase_day = '2026-11-02'")
            let dated = try await anna.get("/receipts/\(receipt)/review")
            #expect(!dated.text.contains(notice) && dated.text.contains("class=\"balance good\""))
            #expect(try await !anna.get("/receipts").text.contains(reason))
        }
    }

    @Test(.database) func `confirming a receipt asks for a missing date`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try Self.undatedReceipt(scene)
            let page = try await anna.get("/receipts/\(receipt)/review")
            let saveAnswer = try await Self.post(anna, scene, receipt, "review", day: "", on: page)
            #expect(saveAnswer.status == .seeOther)
            let secondPage = try await anna.get("/receipts/\(receipt)/review")
            let empty = try await Self.post(anna, scene, receipt, "confirmation", day: "", on: secondPage)
            #expect(empty.status == .unprocessableContent)
            #expect(
                empty.text.contains(
                    "name=\"day\" value=\"\" data-field=\"day\" data-doubtful aria-invalid=\"true\" autofocus"))
            let confirmationAnswer = try await Self.post(
                anna, scene, receipt, "confirmation", day: "2026-11-02", on: secondPage)
            #expect(confirmationAnswer.status == .seeOther)
            #expect(try scene.text("SELECT stage || ' ' || purchase_day::text FROM receipt") == "confirmed 2026-11-02")
        }
    }

    @Test(.database) func `confirming a receipt stores its date even if it was cleared in the meantime`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)])
            let undated = try await anna.get("/receipts/\(receipt)/review")
            _ = try await Self.post(anna, scene, receipt, "review", day: "2026-11-02", on: undated)
            let page = try await anna.get("/receipts/\(receipt)/review")
            let revision = try scene.revision(receipt)
            let emptied = try await Self.post(anna, scene, receipt, "review", day: "", on: page)
            #expect(emptied.status == .seeOther)
            #expect(try scene.text("SELECT coalesce(purchase_day::text, 'none') FROM receipt") == "none")
            let confirmationAnswer = try await Self.post(
                anna, scene, receipt, "confirmation", day: "2026-11-02", on: page, revision: revision)
            #expect(confirmationAnswer.status == .seeOther)
            #expect(try scene.text("SELECT stage || ' ' || purchase_day::text FROM receipt") == "confirmed 2026-11-02")
        }
    }

    @Test(.database, arguments: ["review", "confirmation"])
    func `the date and the store of a confirmed receipt can be changed but not cleared`(verb: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let page = try await anna.get("/receipts/\(receipt)/review")
            let confirmationAnswer = try await Self.post(
                anna, scene, receipt, "confirmation", day: "2026-11-02", on: page)
            #expect(confirmationAnswer.status == .seeOther)
            let secondPage = try await anna.get("/receipts/\(receipt)/review")
            for (day, store, field) in [("", "HOFER", "day"), ("2026-11-02", "", "store")] {
                let cleared = try await Self.post(anna, scene, receipt, verb, day: day, on: secondPage, store: store)
                #expect(cleared.status == .unprocessableContent)
                let input = try #require(cleared.text.components(separatedBy: "name=\"\(field)\"").dropFirst().first)
                #expect(input.prefix { $0 != ">" }.contains("aria-invalid=\"true\" autofocus"))
                #expect(cleared.text.contains("Bitte ausfüllen."))
            }
            #expect(try scene.text("SELECT booked_month::text FROM receipt") == "2026-11-01")
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE store_id IS NOT NULL") == 1)
            let changeAnswer = try await Self.post(
                anna, scene, receipt, verb, day: "2026-10-30", on: secondPage, store: "PENNY")
            #expect(changeAnswer.status == .seeOther)
            #expect(try scene.text("SELECT booked_month::text FROM receipt") == "2026-10-01")
        }
    }

    @Test(.database) func `a refused form has focus on its first invalid field and marks it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(!page.text.contains("autofocus") && !page.text.contains("aria-invalid"))
            let refusal = try await Self.post(
                anna, scene, receipt, "review", day: "2026-11-02", on: page, total: "zwei")
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.components(separatedBy: " autofocus").count == 2)
            let key = try scene.keys(receipt)[0]
            let field = try #require(refusal.text.components(separatedBy: "name=\"total-\(key)\"").dropFirst().first)
            #expect(field.prefix { $0 != ">" }.contains("aria-invalid=\"true\" autofocus"))
            #expect(refusal.text.contains("<span class=\"why wrong\" id=\"why-total-\(key)\">"))
        }
    }
}
