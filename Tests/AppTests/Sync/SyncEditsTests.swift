import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents written by clients.
@Suite(.timeLimit(.minutes(5))) struct SyncEditsTests {
    /// The type of a document, the document, and the field that the refusal names.
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
