import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Concurrent changes of one document by several clients.
@Suite(.timeLimit(.minutes(5))) struct SyncConflictsTests {
    @Test(.database) func `two members confirm a receipt on two phones, and it counts once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let ben = SyncScene(harness, try await harness.join(anna, as: .member), role: .member)
            let key = SyncScene.key(.receipt)
            try await sync.edit(key) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
            let base = try #require(try await sync.winner(key))
            var confirmed = try #require(try await sync.body(key))
            confirmed["stage"] = "confirmed"
            try await sync.replicate(key, "\(base.generation + 1)-aaaa", after: [base], confirmed)
            try await ben.replicate(key, "\(base.generation + 1)-bbbb", after: [base], confirmed)
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT sum(amount_minor)::bigint FROM spending_month") == 129)
            #expect(try await sync.body(key)?["stage"] == "confirmed")
            #expect(try await sync.lostValues(key).isEmpty)
        }
    }

    @Test(.database) func `concurrent edits of different fields are both kept`() async throws {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let key = SyncScene.key(.store)
            try await sync.edit(key) { $0 = ["type": "store", "name": "Laden", "town": "Wien"] }
            let base = try #require(try await sync.winner(key))
            let body = try #require(try await sync.body(key))
            var (one, two) = (body, body)
            one["name"] = "Kaufladen"
            two["street"] = "Gasse 1"
            try await sync.replicate(key, "\(base.generation + 1)-aaaa", after: [base], one)
            try await sync.replicate(key, "\(base.generation + 1)-bbbb", after: [base], two)
            let mergedDocument = try #require(try await sync.body(key))
            #expect(mergedDocument["name"] == "Kaufladen" && mergedDocument["street"] == "Gasse 1")
            #expect(try await sync.lostValues(key).isEmpty)
            // The merged document, a child of the winner, is the only live leaf. The other branch is deleted.
            let leaves = try await sync.leaves(key)
            #expect(leaves.count == 2 && leaves[0].generation == base.generation + 2)
        }
    }

    @Test(.database, arguments: [("aaaa", "Eins"), ("cccc", "Zwei")])
    func `the winner's value of a field is stored, and the other value is stored as lost`(
        _ second: String, _ winner: String
    ) async throws {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let key = SyncScene.key(.store)
            try await sync.edit(key) { $0 = ["type": "store", "name": "Laden"] }
            let base = try #require(try await sync.winner(key))
            let body = try #require(try await sync.body(key))
            var (one, two) = (body, body)
            (one["name"], two["name"]) = ("Eins", "Zwei")
            try await sync.replicate(key, "\(base.generation + 1)-bbbb", after: [base], one)
            try await sync.replicate(key, "\(base.generation + 1)-\(second)", after: [base], two)
            #expect(try await sync.body(key)?["name"]?.string == winner)
            #expect(try await sync.lostValues(key)["name"]?.string == (winner == "Eins" ? "Zwei" : "Eins"))
            // A repeated push changes nothing.
            let leaves = try await sync.leaves(key)
            try await sync.replicate(key, "\(base.generation + 1)-\(second)", after: [base], two)
            #expect(try await sync.leaves(key) == leaves)
        }
    }

    @Test(.database) func `an edit takes precedence over a deletion, whichever arrives first`() async throws {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            for isDeletedFirst in [true, false] {
                let key = SyncScene.key(.store)
                try await sync.edit(key) { $0 = ["type": "store", "name": .string("Laden \(isDeletedFirst)")] }
                let base = try #require(try await sync.winner(key))
                var body = try #require(try await sync.body(key))
                body["street"] = "Gasse 1"
                for isDeletion in [isDeletedFirst, !isDeletedFirst] {
                    let revision = "\(base.generation + 1)-\(isDeletion ? "dddd" : "aaaa")"
                    try await sync.replicate(
                        key, revision, after: [base], deleted: isDeletion, isDeletion ? JSONObject() : body)
                }
                #expect(try await sync.body(key)?["street"] == "Gasse 1", "deleted first: \(isDeletedFirst)")
            }
        }
    }

    @Test(.database)
    func `a deletion takes effect if only the server, not a member, has changed the document in the meantime`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            // The client deletes the store before it has pulled the chain that the server adds.
            let store = SyncScene.key(.store)
            let first = try await sync.replicate(store, "1-a", ["type": "store", "name": "Laden"])
            #expect(try await sync.winner(store)?.generation == 2)
            let end = try await sync.replicate(store, "2-b", after: [first], deleted: true)
            #expect(try await sync.body(store) == nil)
            let leaves = try await sync.leaves(store)
            #expect(leaves.count == 2 && leaves == leaves.sorted(by: >) && leaves.contains(end))
            #expect(try await sync.lostValues(store).isEmpty)
            try await sync.replicate(store, "2-b", after: [first], deleted: true)
            #expect(try await sync.leaves(store) == leaves)

            // The server adds a product to a line of the receipt.
            let (receipt, product, alias) = (SyncScene.key(.receipt), SyncScene.key(.product), SyncScene.key(.alias))
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)], stage: "confirmed") }
            let base = try #require(try await sync.winner(receipt))
            let chain = try #require(
                try harness.scene(anna).owner.query("SELECT chain FROM store").first(String.self))
            try await sync.edit(product) { $0 = ["type": "product", "chain": .string(chain), "name": "Milch"] }
            try await sync.edit(alias) {
                $0 = [
                    "type": "alias", "chain": .string(chain), "printed_name": "MILCH",
                    "product": .string(product.description),
                ]
            }
            #expect(try await sync.winner(receipt) != base)
            try await sync.replicate(receipt, "\(base.generation + 1)-dddd", after: [base], deleted: true)
            #expect(try await sync.body(receipt) == nil)
        }
    }

    @Test(
        .database,
        arguments: [
            (.expense, ["type": "expense", "what": "Kino", "amount_minor": 900, "day": "2026-03-05"]),
            (
                .budget,
                [
                    "type": "budget", "name": "Kino", "period": "month", "starts_on": "2026-03-01",
                    "limits": [["valid_from": "2026-03-01", "limit_minor": 5000]],
                ]
            ),
            (.expenseRule, ["type": "expense_rule", "contains": "kino"]),
            (
                .recurringExpense,
                [
                    "type": "recurring_expense", "name": "Kino", "interval": "month", "starts_on": "2026-03-01",
                    "amount_minor": 900,
                ]
            ),
        ] as [(DocumentType, JSONObject)])
    func `the deletion of a category is reverted if an expense, budget or rule refers to it`(
        type: DocumentType, body: JSONObject
    )
        async throws
    {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let category = SyncScene.key(.category)
            try await sync.edit(category) { $0 = ["type": "category", "name": "Unterhaltung"] }
            try await sync.edit(SyncScene.key(type)) {
                $0 = body
                $0["category"] = .string(category.description)
            }
            try await sync.delete(category)
            #expect(try await sync.body(category)?["name"] == "Unterhaltung")
        }
    }

    @Test(.database) func `the deletion of a document is reverted if other documents refer to it`() async throws {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let (category, product) = (SyncScene.key(.category), SyncScene.key(.product))
            try await sync.edit(category) { $0 = ["type": "category", "name": "Milchiges"] }
            try await sync.edit(product) {
                $0 = ["type": "product", "chain": "x", "name": "Milch", "category": .string(category.description)]
            }
            let base = try await sync.delete(category)
            #expect(try await sync.body(category)?["name"] == "Milchiges")
            #expect(try await sync.winner(category)?.generation == base.generation + 2)
        }
    }
}
