import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The page with the category, the payer and the labels of a confirmed receipt.
@Suite(.timeLimit(.minutes(5))) struct ReceiptExpenseTests {
    @Test(.database) func `category, payer and labels of a receipt are changed, and the sums follow`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("Menü", 1_900)])
            let path = "/receipts/\(receipt)/expense"
            #expect(try await anna.get(path).location == "/receipts/\(receipt)")
            try await harness.confirm(receipt, by: anna)
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("href=\"\(path)\""))
            let category = try scene.owner.category("leisure")
            let page = try await anna.get(path).text
            let revision = try #require(page.firstMatch(of: #/name="revision" value="([0-9]+)"/#)).output.1
            func save(_ labels: String, revision: String) async throws -> Answer {
                try await anna.post(
                    path,
                    [
                        "category": "\(category)", "paid-by": "\(paul.person)", "labels": labels,
                        "revision": revision,
                    ])
            }
            let long = String(repeating: "x", count: 41)
            let refusal = try await save(long, revision: String(revision))
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("labels-error"))
            #expect(try await save("Wien, Freunde", revision: String(revision)).location == "/receipts/\(receipt)")
            #expect(try await save("Graz", revision: String(revision)).status == .conflict)
            let sums = try scene.owner.query("SELECT category_id, paid_by, amount_minor FROM expense_day").decode(
                (CategoryID, PersonID, Int64).self)
            #expect(sums.map(\.0) == [category] && sums.map(\.1) == [paul.person] && sums.map(\.2) == [1_900])
            let list = try await anna.get("/expenses/list?label=Wien").text
            #expect(list.contains("#Freunde") && list.contains("Paul Huber"))
        }
    }

    @Test(.database) func `values of receipts and expenses are changed together, and the changes are undone`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("Menü", 1_900)], person: anna.person)
            try await harness.confirm(receipt, by: anna)
            let expense = try await anna.expense("30", "Kino", [("category", "none")])
            let category = try scene.owner.category("leisure")
            let page = try await anna.get("/expenses/list").text
            #expect(page.contains("name=\"receipt\" value=\"\(receipt)\""))
            func change(_ action: String, _ value: (String, String)) async throws -> String {
                let answer = try await anna.post(
                    "/expenses/changes",
                    pairs: [("expense", "\(expense)"), ("receipt", "\(receipt)"), ("action", action), value])
                try #require(answer.status == .seeOther, "\(answer.text)")
                let page = try await anna.get("/expenses/list").text
                #expect(page.contains("Geänderte Ausgaben und Belege: 2"), "\(action)")
                let undo = page.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/changes\/removal\?revision=\d+)"/#)
                return String(try #require(undo).output.1)
            }
            func storedValues<Value: PostgresValue>(_ column: String, _: Value.Type) throws -> [Value] {
                try scene.owner.query(
                    SQL(uncheckedText: "SELECT \(column) FROM expense ORDER BY receipt_id IS NULL")
                ).decode(Value.self)
            }
            let categorised = try await change("category", ("category", "\(category)"))
            let labelled = try await change("label", ("labels", "Wien"))
            let paid = try await change("payer", ("paid-by", "\(paul.person)"))
            #expect(try storedValues("category_id", CategoryID?.self) == [category, category])
            #expect(try storedValues("array_to_string(labels, ' ')", String.self) == ["Wien", "Wien"])
            #expect(try storedValues("paid_by", PersonID?.self) == [paul.person, paul.person])
            let sums = try scene.owner.query(
                "SELECT category_id, paid_by, sum(amount_minor)::bigint FROM expense_day GROUP BY 1, 2"
            ).decode((CategoryID, PersonID, Int64).self)
            #expect(sums.map(\.0) == [category] && sums.map(\.1) == [paul.person] && sums.map(\.2) == [4_900])
            for undo in [categorised, labelled, paid] { _ = try await anna.post(undo) }
            #expect(try storedValues("category_id", CategoryID?.self) == [nil, nil])
            #expect(try storedValues("array_to_string(labels, ' ')", String.self) == ["", ""])
            #expect(try storedValues("paid_by", PersonID?.self) == [nil, anna.person])
            let payers = try scene.owner.query("SELECT DISTINCT paid_by FROM expense_day").decode(PersonID.self)
            #expect(payers == [anna.person])
        }
    }

    @Test(.database, arguments: [false, true])
    func `changing a receipt restores its expense that a sync client has deleted`(isBulk: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("Menü", 1_900)], stage: "confirmed", person: anna.person)
            func save(_ labels: String, revision: Int) async throws -> Status {
                try await anna.post(
                    "/receipts/\(receipt)/expense",
                    ["category": "none", "paid-by": "\(anna.person)", "labels": labels, "revision": "\(revision)"]
                ).status
            }
            #expect(try await save("Wien", revision: 0) == .seeOther)
            try scene.owner.query("UPDATE expense SET discarded_at = now() - interval '40 days'")
            if isBulk {
                _ = try await anna.post(
                    "/expenses/changes", ["receipt": "\(receipt)", "labels": "Graz", "action": "label"])
            } else {
                #expect(try await save("Wien, Graz", revision: 1) == .seeOther)
            }
            #expect(try await ExpenseBulkEdits.deleteDiscarded(anna.household, atMost: 10, harness.database) == 0)
            #expect(try scene.owner.query("SELECT labels FROM expense").first([String].self) == ["Wien", "Graz"])
        }
    }

    @Test(.database) func `several receipts are changed only by members who may see them, and are not deleted`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("Menü", 1_900)], stage: "confirmed", person: anna.person)
            let gift = try scene.receipt([("VASE", 900)], stage: "confirmed", person: anna.person)
            try scene.owner.query(
                "UPDATE receipt SET hidden_until = \(WallClock.today().adding(days: 9)) WHERE id = \(gift)")
            func label(_ receipt: ReceiptID, _ browser: Browser, _ action: String = "label") async throws -> Answer {
                try await browser.post(
                    "/expenses/changes", ["receipt": "\(receipt)", "labels": "Wien", "action": action])
            }
            #expect(try await label(gift, paul).status == .notFound)
            #expect(try await label(receipt, stranger).status == .notFound)
            #expect(try scene.owner.query("SELECT 1 FROM expense").isEmpty)
            #expect(try await label(gift, anna).status == .seeOther)
            let page = try await anna.get("/expenses/list").text
            let undo = try #require(
                page.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/changes\/removal\?revision=\d+)"/#))
            #expect(try await paul.post(String(undo.output.1)).status == .notFound)
            #expect(try await label(receipt, anna, "remove").status == .seeOther)
            #expect(try await anna.get("/expenses/list").text.contains("Gelöschte Ausgaben: 0. Nicht verworfen"))
            #expect(try scene.owner.query("SELECT 1 FROM receipt WHERE discarded_at IS NULL").count == 2)
            let payer = try await anna.post(
                "/expenses/changes",
                ["receipt": "\(receipt)", "paid-by": "\(stranger.person)", "action": "payer"])
            #expect(payer.status == .badRequest)
        }
    }

    @Test(.database) func `lists show the categories of a receipt's lines, even if the receipt itself gets a category`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            func importReceipt(_ lines: [String], _ day: String) async throws {
                let table = (["Name;Price;Category;Shop;Datum"] + lines.map { "\($0);SPAR;\(day)" })
                    .joined(separator: "\n")
                let preview = try #require(try await anna.importFile(table + "\n").location)
                _ = try await anna.post("\(preview)/confirmation")
            }
            try await importReceipt(["Reis;2,00;Alpha", "Linsen;1,50;Alpha"], "2026-03-02")
            try await importReceipt(["Hemd;39,90;Alpha", "Tee;3,00;Beta"], "2026-03-01")
            func category(_ condition: SQL) throws -> CategoryID {
                try #require(try scene.owner.query("SELECT id FROM category WHERE \(condition)").first(CategoryID.self))
            }
            /// The categories in the rows of the list, newest first.
            func shown(_ query: String = "") async throws -> [String] {
                try await anna.get("/expenses/list\(query)").text
                    .matches(of: #/ · ([^·<]+)<\/span><\/span><span class="end">/#).map { String($0.output.1) }
            }
            func assign(_ category: CategoryID, to receipt: ReceiptID) async throws {
                let answer = try await anna.post(
                    "/receipts/\(receipt)/expense",
                    [
                        "category": "\(category)", "paid-by": "\(anna.person)", "labels": "", "revision": "0",
                    ])
                try #require(answer.status == .seeOther, "\(answer.text)")
            }
            #expect(try await shown() == ["Alpha", "Mehrere Kategorien"])
            let leisure = try category("key = 'leisure'")
            let receipts = try scene.owner.query("SELECT id FROM receipt").decode(ReceiptID.self)
            try #require(receipts.count == 2)
            for receipt in receipts { try await assign(leisure, to: receipt) }
            #expect(try await shown() == ["Alpha", "Mehrere Kategorien"])
            let alpha = try category("name = 'Alpha'")
            let beta = try category("name = 'Beta'")
            #expect(try await shown("?category=\(alpha)") == ["Alpha", "Alpha"])
            let shownForBeta = try await shown("?category=\(beta)")
            #expect(shownForBeta == ["Beta"])
            let firefly = try await anna.get("/expenses/export?format=firefly").text
            #expect(firefly.ranges(of: ",Alpha,").count == 2)
            // The category of a receipt applies to lines without a category.
            let menu = try scene.receipt([("Menü", 1_900)], stage: "confirmed", person: anna.person)
            try await assign(beta, to: menu)
            #expect(try await shown().contains("Beta"))
        }
    }

    @Test(.database)
    func `a receipt is listed under groceries, and under the subcategory if the list is filtered by it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("ÄPFEL", 300), ("SAFT", 200)], stage: "confirmed", person: anna.person)
            for (name, key) in [("ÄPFEL", "produce"), ("SAFT", "drinks")] {
                try scene.owner.query(
                    """
                    UPDATE receipt_line SET category_id = (SELECT c.id FROM category c WHERE c.key = \(key))
                    WHERE receipt_id = \(receipt) AND printed_name = \(name)
                    """)
            }
            let choices = try Categories(scene.owner.query(Categories.query(anna.household)))
            func category(_ key: String) throws -> CategoryID {
                try #require(choices.all.first { $0.key == key }).id
            }
            /// The icon and the category in the only row of the list.
            func shown(_ query: String = "") async throws -> [String] {
                let page = try await anna.get("/expenses/list\(query)").text
                let pattern = #/entry-icon.*?#([a-z-]+)".*? · ([^·<]+)<\/span><\/span><span class="end">/#
                return page.matches(of: pattern.dotMatchesNewlines()).flatMap { match in
                    [String(match.output.1), String(match.output.2)]
                }
            }
            let groceries = try category("groceries")
            #expect(try await shown() == [choices.icon(groceries), "Lebensmittel"])
            let drinks = try category("drinks")
            let name = try #require(choices.all.first { $0.id == drinks }).name
            #expect(try await shown("?category=\(drinks)") == [choices.icon(drinks), name])
        }
    }

    @Test(.database) func `the API and sync clients change the category, payer and labels of a receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("Menü", 1_900)])
            try await harness.confirm(receipt, by: anna)
            let category = try scene.owner.category("leisure")
            let caller = try await harness.caller(anna)
            func patch(_ body: String) async throws -> Answer {
                try await caller.change(.patch, "/api/v1/expenses/\(receipt)", body, "*")
            }
            let first = try await patch(#"{"category_id": "\#(category)", "labels": ["Wien"]}"#).json
            #expect(first["category_id"]?.string == "\(category)" && first["labels"]?.array?.count == 1)
            // Values that are missing in the body stay.
            let second = try await patch(#"{"paid_by": "\#(anna.person)"}"#).json
            #expect(second["category_id"]?.string == "\(category)" && second["paid_by"]?.string == "\(anna.person)")
            for wrong in [#"{}"#, #"{"stated_minor": 500}"#, #"{"paid_by": "\#(PersonID.new())"}"#] {
                #expect(try await patch(wrong).status == .unprocessableContent, "\(wrong)")
            }
            #expect(try scene.owner.query("SELECT category_id FROM expense_day").first(CategoryID.self) == category)
        }
    }

    @Test(.database) func `a stranger cannot be the payer of a receipt, and a viewer cannot change it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            let viewer = try await harness.join(anna, as: .viewer)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("Menü", 1_900)], stage: "confirmed", person: anna.person)
            func save(_ browser: Browser, _ payer: Browser) async throws -> Status {
                try await browser.post(
                    "/receipts/\(receipt)/expense",
                    ["category": "none", "paid-by": "\(payer.person)", "labels": "", "revision": "0"]
                ).status
            }
            #expect(try await save(anna, stranger) == .badRequest)
            #expect(try await save(viewer, anna) == .forbidden)
            #expect(try await save(stranger, stranger) == .notFound)
            #expect(try scene.owner.query("SELECT 1 FROM expense").isEmpty)
            #expect(try await save(anna, anna) == .seeOther)
            // No payer is stored, because the person who uploaded the receipt is its payer by default.
            #expect(try scene.owner.query("SELECT paid_by FROM expense").first(PersonID?.self) == .some(nil))
        }
    }
}
