import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Default splits of categories: proposed for new expenses, and stored with an expense only when somebody saves it.
@Suite(.timeLimit(.minutes(5))) struct CategorySplitTests {
    private static func category(_ harness: AppHarness) throws -> CategoryID {
        try #require(
            try harness.owner().query("SELECT id FROM category ORDER BY position, id LIMIT 1").first(CategoryID.self))
    }

    private static func method(_ category: CategoryID, _ harness: AppHarness) throws -> String? {
        try harness.owner().query("SELECT split FROM category WHERE id = \(category)").first(String.self)
    }

    private static func count(_ table: String, _ harness: AppHarness) throws -> Int64? {
        try harness.owner().query(SQL(uncheckedText: "SELECT count(*) FROM \(table)")).first(Int64.self)
    }

    @Test(.database) func `the default split of a category is proposed for new expenses and can be replaced`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let eva = try await harness.join(anna, as: .member, name: "Eva Gruber")
            let category = try Self.category(harness)
            let past = try await anna.expense("10", "Altes", [("category", "\(category)")])
            let first = try await anna.expense("30", "Pizza", [("category", "\(category)")])
            let saveAnswer = try await anna.post(
                "/expenses/\(first)/split",
                pairs: [
                    ("method", "shares"), ("with-\(anna.person)", "1"), ("value-\(anna.person)", "2"),
                    ("with-\(paul.person)", "1"), ("value-\(paul.person)", "1"), ("default", "1"), ("revision", "1"),
                ])
            #expect(saveAnswer.location == "/balances")
            let additionAnswer = try await anna.post(
                "/expenses",
                pairs: [("amount", "12"), ("what", "Bistro"), ("category", "\(category)"), ("split", "1")])
            let path = try #require(additionAnswer.location)
            #expect(path.hasPrefix("/expenses/") && path.hasSuffix("/split"))
            let page = try await anna.get(path)
            #expect(page.text.contains("<option value=\"shares\" selected>"))
            #expect(page.text.contains("name=\"value-\(anna.person)\" value=\"2\""))
            #expect(page.text.contains("name=\"with-\(paul.person)\" value=\"1\" checked>"))
            #expect(page.text.contains("name=\"with-\(eva.person)\" value=\"1\">"))
            // Neither the new nor the earlier expense has shares.
            #expect(try Self.count("expense_share", harness) == 2)
            let otherAnswer = try await anna.post(
                path, pairs: [("method", "equal"), ("with-\(eva.person)", "1"), ("revision", "1")])
            #expect(otherAnswer.location == "/balances")
            #expect(try Self.count("expense_share", harness) == 3)
            #expect(try Self.method(category, harness) == "shares")
            #expect(try Self.count("category_share", harness) == 2)
            let storedSplit = try harness.owner().query("SELECT split FROM expense WHERE id = \(past)").first(
                String.self)
            #expect(storedSplit == "")
            // An expense of another category has no proposal.
            let plain = try await anna.expense("5", "Sonstiges", [("category", TypedExpense.none)])
            #expect(try await anna.get("/expenses/\(plain)/split").text.contains("<option value=\"equal\" selected>"))
        }
    }

    @Test(.database) func `exact amounts cannot be a default split, and a default split can be removed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.join(anna, as: .member)
            let category = try Self.category(harness)
            let id = try await anna.expense("10", "Pizza", [("category", "\(category)")])
            let mine = [("with-\(anna.person)", "1"), ("value-\(anna.person)", "10"), ("default", "1")]
            let refusal = try await anna.post(
                "/expenses/\(id)/split", pairs: mine + [("method", "exact"), ("revision", "1")])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Anteile und Prozent"))
            #expect(try Self.count("expense_share", harness) == 0)
            _ = try await anna.post("/expenses/\(id)/split", pairs: mine + [("method", "equal"), ("revision", "1")])
            #expect(try Self.method(category, harness) == "equal")
            let removalAnswer = try await anna.post(
                "/expenses/\(id)/split", pairs: [("action", "remove-default"), ("revision", "2")])
            #expect(removalAnswer.location == "/expenses/\(id)/split")
            #expect(try Self.method(category, harness) == "")
            #expect(try Self.count("category_share", harness) == 0)
            #expect(try Self.count("expense_share", harness) == 1)
        }
    }

    @Test(.database) func `the page of a category shows its default split and removes it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let viewer = try await harness.join(anna, as: .viewer, name: "Vera Viel")
            let category = try Self.category(harness)
            let path = "/settings/categories/\(category)"
            #expect(try await !anna.get(path).text.contains("Vorschlag beim Teilen"))
            let id = try await anna.expense("30", "Pizza", [("category", "\(category)")])
            _ = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [
                    ("method", "percent"), ("with-\(anna.person)", "1"), ("value-\(anna.person)", "62,5"),
                    ("with-\(paul.person)", "1"), ("value-\(paul.person)", "37,5"), ("default", "1"), ("revision", "1"),
                ])
            let page = try await anna.get(path).text
            #expect(page.contains("Vorschlag beim Teilen") && page.contains("in Prozent"))
            #expect(page.contains(": 62,5 %</li>") && page.contains(": 37,5 %</li>"))
            #expect(try await !viewer.get(path).text.contains("\(path)/split/removal"))
            #expect(try await anna.get("/expenses/\(id)/split").text.contains("href=\"\(path)\""))
            #expect(try await anna.post("\(path)/split/removal").location == path)
            #expect(try await !anna.get(path).text.contains("Vorschlag beim Teilen"))
            #expect(try Self.count("category_share", harness) == 0)
            #expect(try Self.count("expense_share", harness) == 2)
        }
    }

    @Test(.database) func `removing a member removes the default splits in which the member takes part`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let category = try Self.category(harness)
            let id = try await anna.expense("10", "Pizza", [("category", "\(category)")])
            let bothPeople = [anna, paul].map { ("with-\($0.person)", "1") }
            _ = try await anna.post(
                "/expenses/\(id)/split", pairs: bothPeople + [("method", "equal"), ("default", "1"), ("revision", "1")])
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.category, category.relabelled())
            #expect(try await sync.body(key)?["shares"]?.array?.count == 2)
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            #expect(try await sync.body(key)?["split"] == nil)
            #expect(try Self.method(category, harness) == "")
            #expect(try Self.count("category_share", harness) == 0)
            #expect(try Self.count("expense_share", harness) == 2)
        }
    }

    @Test(.database, arguments: [false, true])
    func `merging a category moves its default split, unless the other category already has a default split`(
        hasOwn: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let paul = try await harness.join(anna, as: .member)
            let categories = try owner.query(
                "SELECT id FROM category WHERE parent_id IS NULL AND key <> 'deposit' ORDER BY position, id LIMIT 2"
            ).decode(CategoryID.self)
            func setDefault(_ category: CategoryID, _ people: [Browser]) async throws {
                let id = try await anna.expense("10", "Pizza", [("category", "\(category)")])
                _ = try await anna.post(
                    "/expenses/\(id)/split",
                    pairs: people.map { ("with-\($0.person)", "1") } + [
                        ("method", "equal"), ("default", "1"), ("revision", "1"),
                    ])
            }
            try await setDefault(categories[0], [anna, paul])
            if hasOwn { try await setDefault(categories[1], [anna]) }
            let storedRevision = try owner.query("SELECT revision FROM category WHERE id = \(categories[0])")
            let revision = try #require(try storedRevision.first(Int64.self))
            let mergeAnswer = try await anna.post(
                "/settings/categories/\(categories[0])/removal",
                ["revision": "\(revision)", "other-category": "\(categories[1])"])
            #expect(mergeAnswer.location == "/settings/stores-and-categories")
            #expect(try Self.method(categories[1], harness) == "equal")
            let people = try owner.query(
                "SELECT person_id FROM category_share WHERE category_id = \(categories[1])"
            ).decode(PersonID.self)
            #expect(Set(people) == (hasOwn ? [anna.person] : [anna.person, paul.person]))
            let key = DocumentKey(.category, categories[1].relabelled())
            #expect(try await SyncScene(harness, anna).body(key)?["shares"]?.array?.count == people.count)
        }
    }

    @Test(.database) func `sync clients set, receive and remove the default split of a category`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let sync = SyncScene(harness, anna)
            let key = SyncScene.key(.category)
            let shares = [anna, paul].map {
                JSONValue.object(["person": .string("person:\($0.person)"), "weight": 1])
            }
            try await sync.edit(key) {
                $0 = ["type": "category", "name": "Unterhaltung", "split": "equal", "shares": .array(shares)]
            }
            #expect(try await sync.body(key)?["shares"]?.array?.count == 2)
            let caller = try await harness.caller(anna)
            let currentCategory = try await caller.get("/api/v1/categories/\(key.id)").json
            #expect(currentCategory["split"] == "equal" && currentCategory["shares"]?.array?.count == 2)
            try await sync.edit(key) { $0["split"] = .null }
            #expect(try await sync.body(key)?["split"] == nil)
            #expect(try Self.count("category_share", harness) == 0)
            try await sync.edit(key) {
                $0["split"] = "percent"
                $0["shares"] = .array(shares)
            }
            let stranger = JSONValue.object(["person": .string("person:\(PersonID.new())"), "weight": 1])
            await #expect(throws: DocumentFault.self) {
                try await sync.edit(key) { $0["shares"] = [stranger] }
            }
            // The shares are deleted together with the category.
            try await sync.delete(key)
            #expect(try await sync.body(key) == nil)
            #expect(try Self.count("category_share", harness) == 0)
        }
    }

    @Test(.database) func `programs make the split of an expense the default split of the expense's category`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let category = try Self.category(harness)
            let id = try await anna.expense("10", "Pizza", [("category", "\(category)")])
            let plain = try await anna.expense("5", "Sonstiges", [("category", TypedExpense.none)])
            let caller = try await harness.caller(anna)
            func split(_ id: ExpenseID, _ method: String, isDefault: Bool) async throws -> Status {
                let shares = #"[{"person_id": "\#(anna.person)", "weight": 1000}]"#
                let json = #"{"method": "\#(method)", "shares": \#(shares), "is_default": \#(isDefault)}"#
                return try await caller.change(.put, "/api/v1/expenses/\(id)/split", json, "*").status
            }
            #expect(try await split(id, "exact", isDefault: true) == .unprocessableContent)
            #expect(try await split(plain, "equal", isDefault: true) == .unprocessableContent)
            #expect(try await split(id, "shares", isDefault: true) == .ok)
            #expect(try await caller.get("/api/v1/categories/\(category)").json["split"] == "shares")
            #expect(try await split(id, "equal", isDefault: false) == .ok)
            #expect(try await caller.get("/api/v1/categories/\(category)").json["split"] == nil)
            #expect(try Self.count("category_share", harness) == 0)
        }
    }

    @Test(.database) func `the default split of a receipt belongs to the category of the receipt, not of its line`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let assigned = try Self.category(harness)
            let ofItem = try #require(
                try scene.owner.query("SELECT id FROM category WHERE id <> \(assigned) ORDER BY id LIMIT 1").first(
                    CategoryID.self))
            let receipt = try scene.receipt([("Menü", 1_900)], stage: "confirmed", person: anna.person)
            try scene.owner.query("UPDATE receipt_line SET category_id = \(ofItem) WHERE receipt_id = \(receipt)")
            let answer = try await anna.post(
                "/receipts/\(receipt)/expense",
                ["category": "\(assigned)", "paid-by": "\(anna.person)", "labels": "", "revision": "0"])
            try #require(answer.status == .seeOther)
            let caller = try await harness.caller(anna)
            #expect(try await caller.get("/api/v1/expenses/\(receipt)").json["category_id"]?.string == "\(assigned)")
            let shares = #"[{"person_id": "\#(anna.person)", "weight": 1000}]"#
            let json = #"{"method": "shares", "shares": \#(shares), "is_default": true}"#
            let split = try await caller.change(.put, "/api/v1/expenses/\(receipt)/split", json, "*")
            #expect(split.status == .ok, "\(split.text)")
            #expect(try Self.method(assigned, harness) == "shares")
            #expect(try Self.method(ofItem, harness) == "")
        }
    }
}
