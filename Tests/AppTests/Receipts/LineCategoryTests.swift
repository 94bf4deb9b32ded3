import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A line of a receipt can have its own category, which takes precedence over the category of its product.
@Suite(.timeLimit(.minutes(5))) struct LineCategoryTests {
    private static let day = "2026-11-02"

    private struct Receipt {
        let scene: ReceiptScene
        let id: ReceiptID
        let lines: [ReceiptLineID]
        let household: CategoryID

        init(_ harness: AppHarness, _ anna: Browser) async throws {
            scene = try harness.scene(anna)
            id = try await scene.receiptInChangeLog(
                harness, [("MILCH", 150), ("WASCHMITTEL", 600)],
                head: .init(day: LineCategoryTests.day, total: .printed(750)))
            lines = try scene.keys(id)
            household = try scene.owner.category("household")
        }

        /// Sends the form of the review page with a category for the detergent.
        func send(_ category: String?, to path: String = "confirmation", by browser: Browser) async throws -> Answer {
            let page = try await browser.get("/receipts/\(id)/review")
            var fields = [
                ("csrf", try #require(page.token)), ("revision", String(try scene.revision(id))), ("store", "HOFER"),
                ("day", LineCategoryTests.day), ("total", "7,50"),
            ]
            for (line, name, total) in [(lines[0], "MILCH", "1,50"), (lines[1], "WASCHMITTEL", "6,00")] {
                fields += [("line", "\(line)"), ("name-\(line)", name), ("total-\(line)", total)]
            }
            if let category { fields.append(("category-\(lines[1])", category)) }
            let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
                .joined(separator: "&")
            return try await browser.send(
                .post, "/receipts/\(id)/\(path)", type: "application/x-www-form-urlencoded", Array(body.utf8))
        }

        func spentAmount(_ table: SQL) throws -> Int64 {
            try scene.count(
                "SELECT coalesce(sum(amount_minor), 0)::bigint FROM \(table) WHERE category_id = \(household)")
        }
    }

    @Test(.database) func `the category chosen in the review counts in the sums, and can be cleared`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            #expect(try await receipt.send("haushalt", by: anna).status == .seeOther)
            #expect(try receipt.spentAmount("spending_day") == 600)
            #expect(try receipt.spentAmount("expense_month") == 600)
            let page = try await anna.get("/receipts/\(receipt.id)/review")
            #expect(page.attribute("value", after: "name=\"category-\(receipt.lines[1])\"") == "Haushalt")
            // A form without the field keeps the category; an empty field removes it.
            #expect(try await receipt.send(nil, to: "review", by: anna).status == .seeOther)
            #expect(try receipt.spentAmount("spending_day") == 600)
            #expect(try await receipt.send("", to: "review", by: anna).status == .seeOther)
            #expect(try receipt.spentAmount("spending_day") == 0)
            #expect(try receipt.spentAmount("expense_month") == 0)
            #expect(try await anna.get("/receipts/\(receipt.id)/history").text.contains("Haushalt"))
        }
    }

    @Test(.database) func `a form with the name of the stored category keeps it if another category has the same name`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            let categories = [(CategoryID.new(), "Tierfutter"), (CategoryID.new(), "tierfutter")]
            for (id, name) in categories {
                try receipt.scene.owner.query(
                    "INSERT INTO category (household_id, id, name) VALUES (\(anna.household), \(id), \(name))")
            }
            for (id, name) in categories {
                try receipt.scene.owner.query(
                    "UPDATE receipt_line SET category_id = \(id) WHERE id = \(receipt.lines[1])")
                #expect(try await receipt.send(name, to: "review", by: anna).status == .seeOther)
                let storedCategory = try receipt.scene.text(
                    "SELECT category_id::text FROM receipt_line WHERE id = \(receipt.lines[1])")
                #expect(storedCategory == id.description, "\(name)")
            }
        }
    }

    @Test(.database) func `an unknown category is refused at its field`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            let refusal = try await receipt.send("Haushalte", by: anna)
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("Diese Kategorie gibt es nicht"))
            #expect(refusal.attribute("value", after: "name=\"category-\(receipt.lines[1])\"") == "Haushalte")
        }
    }

    @Test(.database) func `choosing only a category keeps the receipt proven`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            try receipt.scene.owner.query("UPDATE receipt SET verdict = 'proven' WHERE id = \(receipt.id)")
            try await harness.change(
                receipt.id,
                """
                {"lines": [{"id": "\(receipt.lines[0])"}, {"id": "\(receipt.lines[1])",
                    "category_id": "\(receipt.household)"}]}
                """, by: anna)
            #expect(try receipt.scene.text("SELECT verdict FROM receipt WHERE id = \(receipt.id)") == "proven")
        }
    }

    @Test(.database) func `the API returns and changes the category of a line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            try await harness.confirm(receipt.id, by: anna)
            let caller = try await harness.caller(anna)
            func patch(_ category: String) async throws -> Answer {
                try await caller.change(
                    .patch, "/api/v1/receipts/\(receipt.id)/lines/\(receipt.lines[1])",
                    "{\"category_id\": \(category)}", "*")
            }
            let changeAnswer = try await patch("\"\(receipt.household)\"")
            #expect(try changeAnswer.json["lines"]?.array?[1]["category_id"]?.string == "\(receipt.household)")
            #expect(try receipt.spentAmount("spending_day") == 600)
            #expect(try await patch("\"\(CategoryID.new())\"").status == .unprocessableContent)
            #expect(try await patch("null").status == .ok)
            #expect(try receipt.spentAmount("spending_day") == 0)
        }
    }

    @Test(.database) func `a sync client changes the category of a line in the document of the receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            try await harness.confirm(receipt.id, by: anna)
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.receipt, receipt.id.relabelled())
            func set(_ category: CategoryID) async throws {
                try await sync.edit(key) { body in
                    var lines = body["lines"]?.array ?? []
                    guard var line = lines.last?.object else { return }
                    line["category"] = .string(DocumentKey(.category, category.relabelled()).description)
                    lines[lines.count - 1] = .object(line)
                    body["lines"] = .array(lines)
                }
            }
            try await set(receipt.household)
            #expect(try receipt.spentAmount("spending_day") == 600)
            await #expect(throws: DocumentFault.self) { try await set(.new()) }
        }
    }

    @Test(.database) func `undoing a change after the category was removed leaves the line without a category`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            let key = SyncScene.key(.category)
            let sync = SyncScene(harness, anna)
            try await sync.edit(key) { $0 = ["type": "category", "name": "Putzmittel"] }
            #expect(try await receipt.send("Putzmittel", to: "review", by: anna).status == .seeOther)
            #expect(try await receipt.send("", to: "review", by: anna).status == .seeOther)
            try await sync.delete(key)
            let change = try receipt.scene.count("SELECT max(seq) FROM change_log WHERE document_type = 'receipt'")
            let page = try await anna.get("/receipts/\(receipt.id)/history")
            let undone = try await anna.post("/receipts/\(receipt.id)/history/\(change)/undo", on: page)
            #expect(undone.status == .seeOther)
            #expect(
                try receipt.scene.count(
                    "SELECT count(*) FROM receipt_line WHERE receipt_id = \(receipt.id) AND category_id IS NOT NULL")
                    == 0)
        }
    }
}
