import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents that refer to other documents that arrive later or were deleted.
@Suite(.timeLimit(.minutes(5))) struct CouchReferenceTests {
    @Test(.database) func `a category that arrives before its parent is stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            let keys = (0..<3).map { _ in SyncScene.key(.category) }
            // The parent of each category is the next category.
            let documents = keys.indices.map { index in
                var body: JSONObject = ["type": "category", "name": .string("Ebene \(index)")]
                if index < 2 { body["parent"] = .string(keys[index + 1].description) }
                return CouchClient.revision(keys[index].description, ["1-a"], .object(body))
            }
            #expect(try await couch.push(documents) == [])
            let first = try await SyncScene(harness, anna).body(keys[0])
            #expect(first?["parent"]?.string == keys[1].description)
            // A category whose parent does not exist is still refused.
            let lost: JSONValue = [
                "type": "category", "name": "Waise", "parent": .string(SyncScene.key(.category).description),
            ]
            let refusals = try await couch.push([
                CouchClient.revision(SyncScene.key(.category).description, ["1-a"], lost)
            ])
            #expect(refusals.first?["error"] == "forbidden")
        }
    }

    @Test(.database) func `a category keeps its deleted parent if the parent is created again later in the same batch`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let (parent, child) = (SyncScene.key(.category), SyncScene.key(.category))
            try await scene.edit(parent) { $0 = ["type": "category", "name": "Luxus"] }
            let base = try await scene.delete(parent)
            // The replica has renamed the parent before it received the deletion.
            let added: JSONValue = ["type": "category", "name": "Kaviar", "parent": .string(parent.description)]
            let renamed: JSONValue = ["type": "category", "name": "Feinkost"]
            let refusals = try await couch.push([
                CouchClient.revision(child.description, ["1-a"], added),
                CouchClient.revision(
                    parent.description, ["\(base.generation + 1)-aaaa", base.description], renamed),
            ])
            #expect(refusals == [])
            #expect(try await scene.body(parent)?["name"] == "Feinkost")
            #expect(try await scene.body(child)?["parent"]?.string == parent.description)
        }
    }

    @Test(.database)
    func `documents that lost their deleted category refer to it again after a later batch creates it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let (parent, child) = (SyncScene.key(.category), SyncScene.key(.category))
            let (changed, other) = (SyncScene.key(.category), SyncScene.key(.category))
            let (product, receipt) = (SyncScene.key(.product), SyncScene.key(.receipt))
            try await scene.edit(parent) { $0 = ["type": "category", "name": "Luxus"] }
            try await scene.edit(other) { $0 = ["type": "category", "name": "Alltag"] }
            let base = try await scene.delete(parent)
            let name = JSONValue.string(parent.description)
            var line = try #require(SyncScene.line("KAVIAR", 1_290).object)
            line["category"] = name
            let documents: [(DocumentKey, JSONObject)] = [
                (child, ["type": "category", "name": "Kaviar", "parent": name]),
                (changed, ["type": "category", "name": "Brot", "parent": name]),
                (product, ["type": "product", "chain": "Testladen", "name": "Kaviar", "category": name]),
                (receipt, SyncScene.receipt([.object(line)])),
            ]
            let refusals = try await couch.push(
                documents.map { CouchClient.revision($0.0.description, ["1-a"], .object($0.1)) })
            #expect(refusals == [])
            for (key, _) in documents { #expect(try await scene.lostValues(key).values.contains(name), "\(key)") }
            #expect(try await scene.body(child)?["parent"]?.string == nil)
            try await scene.edit(changed) { $0["parent"] = .string(other.description) }
            // The replica has renamed the parent before it received the deletion.
            let renamed = CouchClient.revision(
                parent.description, ["\(base.generation + 1)-aaaa", base.description],
                ["type": "category", "name": "Feinkost"])
            #expect(try await couch.push([renamed]) == [])
            #expect(try await scene.body(child)?["parent"] == name)
            #expect(try await scene.body(changed)?["parent"]?.string == other.description)
            #expect(try await scene.body(product)?["category"] == name)
            #expect(try await scene.body(receipt)?["lines"]?.array?.first?["category"] == name)
            // The replica pulls the documents with their category.
            let pulled = try await couch.get("/\(child)").json
            #expect(pulled["parent"] == name && pulled["_rev"]?.string?.hasPrefix("1-") == false, "\(pulled)")
            #expect(try await couch.get("/\(child)?conflicts=true").json["_conflicts"] == nil)
            let waitingCount = try harness.owner().query("SELECT count(*) FROM lost_value WHERE settled_at IS NULL")
            #expect(try waitingCount.first(Int64.self) == 1)
        }
    }

    @Test(.database) func `a batch of edits creates a deleted category again and edits its subcategory`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let (parent, child) = (SyncScene.key(.category), SyncScene.key(.category))
            try await scene.edit(parent) { $0 = ["type": "category", "name": "Luxus"] }
            try await scene.delete(parent)
            let name = JSONValue.string(parent.description)
            try await scene.edit(child) { $0 = ["type": "category", "name": "Kaviar", "parent": name] }
            #expect(try await scene.body(child)?["parent"]?.string == nil)
            let revision = JSONValue.string(try #require(try await scene.winner(child)).description)
            let documents: [JSONValue] = [
                ["_id": name, "type": "category", "name": "Feinkost"],
                ["_id": .string(child.description), "_rev": revision, "type": "category", "name": "Kaviar rot"],
            ]
            let answer = try await couch.post("/_bulk_docs", ["docs": .array(documents)])
            let outcomes = try answer.json.array ?? []
            #expect(outcomes.count == 2 && outcomes.allSatisfy { $0["ok"] == true }, "\(answer.text)")
            let stored = try await couch.get("/\(child)").json
            #expect(stored["name"] == "Kaviar rot" && stored["parent"] == name, "\(stored)")
            // The answer names the revision with the restored reference.
            #expect(outcomes.last?["rev"] == stored["_rev"], "\(answer.text)")
        }
    }

    @Test(.database, arguments: ["0000", "ffff"])
    func `a reference that a merge removed because its category was deleted is restored with the category`(hash: String)
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let (category, product) = (SyncScene.key(.category), SyncScene.key(.product))
            try await scene.edit(category) { $0 = ["type": "category", "name": "Luxus"] }
            try await scene.edit(product) { $0 = ["type": "product", "chain": "spar", "name": "Kaviar"] }
            try await scene.delete(category)
            let base = try #require(try await scene.winner(product))
            var body = try #require(try await scene.body(product))
            try await scene.edit(product) { $0["name"] = "Kaviar rot" }
            body["category"] = .string(category.description)
            try await scene.replicate(product, "\(base.generation + 1)-\(hash)", after: [base], body)
            #expect(try await scene.body(product)?["category"]?.string == nil)
            try await scene.edit(category) { $0 = ["type": "category", "name": "Luxus"] }
            let restoredProduct = try await scene.body(product)
            #expect(
                restoredProduct?["category"]?.string == category.description && restoredProduct?["name"] == "Kaviar rot"
            )
        }
    }

    @Test(.database) func `a reference that lost a merge is not restored when its category is created again`()
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let (category, other) = (SyncScene.key(.category), SyncScene.key(.category))
            let product = SyncScene.key(.product)
            try await scene.edit(category) { $0 = ["type": "category", "name": "Luxus"] }
            try await scene.edit(other) { $0 = ["type": "category", "name": "Alltag"] }
            try await scene.edit(product) {
                $0 = ["type": "product", "chain": "spar", "name": "Kaviar", "category": .string(other.description)]
            }
            let base = try #require(try await scene.winner(product))
            var body = try #require(try await scene.body(product))
            body["category"] = .string(category.description)
            try await scene.replicate(product, "\(base.generation + 1)-aaaa", after: [base], body)
            body["category"] = .null
            try await scene.replicate(product, "\(base.generation + 1)-bbbb", after: [base], body)
            #expect(try await scene.lostValues(product)["category"]?.string == category.description)
            try await scene.delete(category)
            #expect(try await scene.body(category) == nil)
            try await scene.edit(category) { $0 = ["type": "category", "name": "Luxus"] }
            #expect(try await scene.body(product)?["category"]?.string == nil)
        }
    }
}
