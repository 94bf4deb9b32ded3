import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents written by clients.
@Suite(.timeLimit(.minutes(5))) struct SyncEditsTests {
    /// The type of a document, the document, and the field that the reason for its refusal names.
    private static let brokenDocuments: [(String, JSONValue, String)] = [
        ("store", ["type": "store", "name": ""], "name"),
        ("store", ["type": "receipt", "name": "Laden"], "type"),
        ("product", ["type": "product", "chain": "x", "name": "Milch", "category": "category:1"], "category"),
        (
            "product", ["type": "product", "chain": "x", "name": "Milch", "packages": [["valid_from": "heute"]]],
            "packages[0]"
        ),
        ("receipt", ["type": "receipt", "stage": "eaten"], "stage"),
        ("receipt", ["type": "receipt", "stage": "confirmed", "lines": []], "day"),
        ("receipt", ["type": "receipt", "stage": "review", "day": "2999-01-01"], "day"),
        ("category", ["type": "category", "name": "a\u{0}b"], "texts"),
    ]

    @Test(.database) func `a receipt that is pushed as confirmed has prices`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let key = SyncScene.key(.receipt)
            try await sync.edit(key) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)], stage: "confirmed") }
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT count(*) FROM spending_month") == 1)
            let storedDocument = try #require(try await sync.body(key))
            #expect(storedDocument["stage"] == "confirmed")
            #expect(storedDocument["store_id"]?.string?.hasPrefix("store:") == true)
            // A child of the client's revision contains the fields that the server sets.
            #expect(try await sync.winner(key)?.generation == 2)

            // When the name is matched to a product, the prices are added.
            let (product, alias) = (SyncScene.key(.product), SyncScene.key(.alias))
            let chain = try #require(
                try scene.owner.query("SELECT chain FROM store").first(String.self))
            try await sync.edit(product) { $0 = ["type": "product", "chain": .string(chain), "name": "Milch"] }
            try await sync.edit(alias) {
                $0 = [
                    "type": "alias", "chain": .string(chain), "printed_name": "MILCH",
                    "product": .string(product.description),
                ]
            }
            #expect(try scene.count("SELECT count(*) FROM price WHERE product_id = \(product.id)") == 1)
            #expect(try await sync.body(key)?["lines"]?.array?.first?["product"] == .string(product.description))
        }
    }

    @Test(.database, arguments: [false, true])
    func `a name that is pushed or moved to a product adds the package size that it contains`(isMoved: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            try await sync.edit(SyncScene.key(.receipt)) {
                $0 = SyncScene.receipt([SyncScene.line("KEKSE 400G", 200)], stage: "confirmed")
            }
            let owner = try harness.owner()
            let chain = try #require(try owner.query("SELECT chain FROM store").first(String.self))
            let (product, other, alias) = (SyncScene.key(.product), SyncScene.key(.product), SyncScene.key(.alias))
            try await sync.edit(product) {
                $0 = [
                    "type": "product", "chain": .string(chain), "name": "Kekse",
                    "packages": [["valid_from": "2000-01-01", "amount_thousandths": 500, "unit": "kg"]],
                ]
            }
            try await sync.edit(other) { $0 = ["type": "product", "chain": .string(chain), "name": "Waffeln"] }
            try await sync.edit(alias) {
                $0 = [
                    "type": "alias", "chain": .string(chain), "printed_name": "KEKSE 400G",
                    "product": .string((isMoved ? other : product).description),
                ]
            }
            if isMoved { try await sync.edit(alias) { $0["product"] = .string(product.description) } }
            // 2,00 € for 400 g.
            #expect(try owner.query("SELECT base_thousandths FROM price").decode(Int64.self) == [500_000])
        }
    }

    @Test(.database) func `a reference to a deleted category is removed, and the other changes are stored`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let (category, receipt, line) = (SyncScene.key(.category), SyncScene.key(.receipt), ReceiptLineID.new())
            try await sync.edit(category) { $0 = ["type": "category", "name": "Kaviar"] }
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129, id: line)]) }
            try await sync.delete(category)
            func assign(_ key: DocumentKey) async throws {
                try await sync.edit(receipt) {
                    var object = $0["lines"]?.array?.first?.object ?? JSONObject()
                    object["category"] = .string(key.description)
                    $0["lines"] = .array([.object(object)])
                    $0["time"] = "12:30:00"
                }
            }
            try await assign(category)
            let storedReceipt = try #require(try await sync.body(receipt))
            #expect(storedReceipt["time"] == "12:30:00")
            #expect(storedReceipt["lines"]?.array?.count == 1)
            #expect(storedReceipt["lines"]?.array?.first?["category"]?.string == nil)
            let lost = try await sync.lostValues(receipt)
            #expect(lost == ["lines/\(line)/category": .string(category.description)])
            let authors = try harness.scene(anna).count(
                "SELECT count(*) FROM lost_value WHERE person_id = \(anna.person)")
            #expect(authors == 1)
            // A reference to a category that never existed is refused.
            await #expect(throws: DocumentFault.self) { try await assign(SyncScene.key(.category)) }
        }
    }

    @Test(.database) func `a write loads the newest revision and the common ancestor, not the whole history`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let key = SyncScene.key(.store)
            func store(_ name: String, _ street: String, _ town: String) -> JSONObject {
                ["type": "store", "name": .string(name), "street": .string(street), "town": .string(town)]
            }
            let first = try await sync.replicate(key, "1-a", store("Laden", "", ""))
            let second = try await sync.replicate(key, "2-b", after: [first], store("Laden", "Hauptplatz", ""))
            try await harness.database.write(anna.household, by: anna.person) { changes in
                let storedDocument = try await StoredDocument.load(key, changes)
                let winner = try #require(storedDocument.winner)
                #expect(storedDocument.tree[winner]?.body?["street"] == "Hauptplatz")
                #expect(winner == second || storedDocument.tree[second]?.body?.isEmpty == true)
                #expect(storedDocument.tree[first]?.body?.isEmpty == true)
            }
            // The ancestor shows that both sides changed different fields.
            try await sync.replicate(key, "2-c", after: [first], store("Laden", "", "Krems"))
            let mergedDocument = try #require(try await sync.body(key))
            #expect(mergedDocument["street"] == "Hauptplatz" && mergedDocument["town"] == "Krems")
            #expect(try await sync.lostValues(key).isEmpty)
        }
    }

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

    @Test(.database) func `a deletion takes effect if only the server has changed the document since`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            // The client deletes the store before it has pulled the chain, which the server adds.
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

    @Test(.database) func `the deletion of a document that others refer to is reverted`() async throws {
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

    @Test(.database) func `unknown fields of newer clients are kept, and changes of the server's fields are reverted`()
        async throws
    {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let key = SyncScene.key(.receipt)
            var line = try #require(SyncScene.line("MILCH", 129).object)
            line["scent"] = "fresh"
            try await sync.edit(key) {
                $0 = SyncScene.receipt([.object(line)])
                $0["mood"] = ["happy": true]
                $0["verdict"] = "proven"
                $0["source"] = "nowhere"
            }
            let storedDocument = try #require(try await sync.body(key))
            #expect(
                storedDocument["mood"] == ["happy": true] && storedDocument["verdict"] == "review"
                    && storedDocument["source"] == "manual")
            #expect(storedDocument["lines"]?.array?.first?["scent"] == "fresh")
            // An edit on the server also keeps unknown fields.
            try await sync.edit(key) { $0["total_minor"] = 130 }
            #expect(try await sync.body(key)?["mood"] == ["happy": true])
        }
    }

    @Test(.database, arguments: brokenDocuments)
    func `a document that violates a rule is refused, and the reason names the field`(
        _ type: String, _ body: JSONValue, _ field: String
    ) async throws {
        try await AppHarness.run { harness in
            let sync = SyncScene(harness, try await harness.signUp())
            let key = SyncScene.key(try #require(DocumentType(rawValue: type)))
            let fault = await #expect(throws: DocumentFault.self) {
                try await sync.edit(key) { $0 = body.object ?? JSONObject() }
            }
            #expect(fault?.reason.hasPrefix(field) == true, "\(fault?.reason ?? "")")
            #expect(try await sync.leaves(key).isEmpty)
        }
    }

    @Test(.database) func `a client cannot change a document that is visible to another person only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = SyncScene(harness, try await harness.join(anna, as: .member), role: .member)
            let key = DocumentKey(.preferences, anna.person.relabelled())
            let sync = SyncScene(harness, anna)
            await #expect(throws: DocumentFault.self) {
                try await ben.edit(key) { $0 = ["type": "preferences", "language": "en"] }
            }
            try await sync.edit(key) { $0["language"] = "en" }
            #expect(try await sync.body(key)?["language"] == "en")
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT count(*) FROM person WHERE language = 'en' AND id = \(anna.person)") == 1)
        }
    }

    @Test(.database) func `deleting a receipt deletes its prices and its spending`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let key = SyncScene.key(.receipt)
            try await sync.edit(key) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)], stage: "confirmed") }
            try await sync.delete(key)
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 0)
            #expect(try scene.count("SELECT count(*) FROM spending_month") == 0)
            #expect(try await sync.body(key) == nil)
        }
    }
}
