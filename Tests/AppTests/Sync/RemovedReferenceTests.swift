import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// References to a deleted document that are stored again after the document was created again.
@Suite(.timeLimit(.minutes(5))) struct RemovedReferenceTests {
    /// Creates a category and deletes it.
    private func deletedCategory(_ scene: SyncScene) async throws -> DocumentKey {
        let key = SyncScene.key(.category)
        try await scene.edit(key) { $0 = ["type": "category", "name": "Luxus"] }
        try await scene.delete(key)
        return key
    }

    private func waitingFields(_ harness: AppHarness) throws -> [String] {
        try harness.owner().query("SELECT field FROM lost_value WHERE settled_at IS NULL").decode(String.self)
    }

    @Test(.database)
    func `a reference whose field has another value is not restored, but the receipt's other references are`()
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let (category, other) = (try await deletedCategory(scene), SyncScene.key(.category))
            let receipt = SyncScene.key(.receipt)
            try await scene.edit(other) { $0 = ["type": "category", "name": "Alltag"] }
            let ids = [ReceiptLineID.new(), ReceiptLineID.new()]
            let fields = ids.map { "lines/\($0)/category" }
            let paths = fields.map { FieldPath($0, of: DocumentSchema[.receipt]) }
            let lines = try ids.map { id in
                var line = try #require(SyncScene.line("KAVIAR", 1_290, id: id).object)
                line["category"] = .string(category.description)
                return JSONValue.object(line)
            }
            try await scene.edit(receipt) { $0 = SyncScene.receipt(lines) }
            #expect(try Set(waitingFields(harness)) == Set(fields))
            try await scene.edit(receipt) { $0 = paths[1].setting(.string(other.description), in: $0) ?? $0 }
            try await scene.edit(category) { $0 = ["type": "category", "name": "Feinkost"] }
            let body = try #require(try await scene.body(receipt))
            #expect(paths[0].value(in: body).string == category.description)
            #expect(paths[1].value(in: body).string == other.description)
            #expect(try waitingFields(harness) == [fields[1]])
            // The reference is not restored even after the member has removed the other value.
            try await scene.edit(receipt) { $0 = paths[1].setting(.null, in: $0) ?? $0 }
            try await scene.edit(receipt) { $0["store"] = "Anderswo" }
            let changed = try #require(try await scene.body(receipt))
            #expect(paths[1].value(in: changed).string == nil)
            #expect(try waitingFields(harness) == [fields[1]])
        }
    }

    @Test(.database)
    func `the next edit of a document restores a reference if the batch that should restore it was interrupted`()
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let (parent, child) = (try await deletedCategory(scene), SyncScene.key(.category))
            let name = JSONValue.string(parent.description)
            try await scene.edit(child) { $0 = ["type": "category", "name": "Kaviar", "parent": name] }
            // The server stops before it stores the second document of the batch.
            try await SyncEdits(database: harness.database).store(
                IncomingDocument(
                    key: parent, origin: .edit(of: try await scene.winner(parent)), isDeleted: false,
                    body: ["type": "category", "name": "Feinkost"]),
                by: scene.member, deferred: [child])
            #expect(try await scene.body(child)?["parent"]?.string == nil)
            // The client repeats the batch. Its first document is already stored.
            try await scene.edit(child) { $0["name"] = "Kaviar rot" }
            let body = try #require(try await scene.body(child))
            #expect(body["name"] == "Kaviar rot" && body["parent"] == name)
            #expect(try waitingFields(harness).isEmpty)
        }
    }

    @Test(.database, arguments: [false, true])
    func `a form restores the category of the product that it changes, unless it sets another category`(setsOther: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let (category, other) = (try await deletedCategory(scene), SyncScene.key(.category))
            let product = SyncScene.key(.product)
            try await scene.edit(other) { $0 = ["type": "category", "name": "Alltag"] }
            try await scene.edit(product) {
                $0 = ["type": "product", "chain": "spar", "name": "Kaviar", "category": .string(category.description)]
            }
            // The server stops before it restores the reference.
            try await SyncEdits(database: harness.database).store(
                IncomingDocument(
                    key: category, origin: .edit(of: try await scene.winner(category)), isDeleted: false,
                    body: ["type": "category", "name": "Feinkost"]),
                by: scene.member, deferred: [product])
            #expect(try await scene.body(product)?["category"]?.string == nil)
            let revision = try #require(try harness.owner().query("SELECT revision FROM product").first(Int64.self))
            let fields: KeyValuePairs = [
                "revision": "\(revision)", "name": "Kaviar rot", "category": setsOther ? other.id.description : "",
            ]
            let answer = try await anna.post("/products/\(product.id)", fields)
            #expect(answer.location != nil, "\(answer.text)")
            let body = try #require(try await scene.body(product))
            #expect(body["name"] == "Kaviar rot")
            #expect(body["category"]?.string == (setsOther ? other : category).description)
            #expect(try waitingFields(harness) == (setsOther ? ["category"] : []))
        }
    }

    @Test(.database) func `only the owner of a personal expense restores its references`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            let (category, expense) = (try await deletedCategory(scene), SyncScene.key(.expense))
            try await scene.edit(expense) {
                $0 = [
                    "type": "expense", "what": "Ring", "amount_minor": 5_000, "day": "2026-03-05", "is_personal": true,
                    "category": .string(category.description),
                ]
            }
            // The server stops before it restores the reference.
            try await SyncEdits(database: harness.database).store(
                IncomingDocument(
                    key: category, origin: .edit(of: try await scene.winner(category)), isDeleted: false,
                    body: ["type": "category", "name": "Feinkost"]),
                by: scene.member, deferred: [expense])
            #expect(try waitingFields(harness) == ["category"])
            for (person, count) in [(ben.person, 0), (anna.person, 1)] {
                try await harness.database.write(anna.household, by: person) { changes in
                    let query = try #require(
                        RestorableDocument.query([.expense: [expense.id]], anna.household, by: person))
                    let rows = try await changes.query(query)
                    #expect(rows.count == count)
                }
            }
        }
    }
}
