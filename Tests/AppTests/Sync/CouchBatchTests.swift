import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Batches of documents.
@Suite(.timeLimit(.minutes(5))) struct CouchBatchTests {
    @Test(.database, arguments: [false, true], [false, true])
    func `a batch creates an image and its receipt in any order`(imageFirst: Bool, isEdit: Bool) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (image, receipt) = (SyncScene.key(.image).description, SyncScene.key(.receipt).description)
            let picture = HostilePictures.receipt
            var photo: JSONObject = [
                "_id": .string(image), "type": "image", "receipt": .string(receipt),
                "_attachments": [
                    "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                ],
            ]
            var paper: JSONObject = [
                "_id": .string(receipt), "type": "receipt", "stage": "review", "store": "Greissler",
                "images": [.string(image)],
            ]
            if !isEdit { (photo["_rev"], paper["_rev"]) = ("1-a", "1-a") }
            let documents: [JSONValue] =
                imageFirst ? [.object(photo), .object(paper)] : [.object(paper), .object(photo)]
            let answer = try await couch.post(
                "/_bulk_docs", ["docs": .array(documents), "new_edits": .bool(isEdit)])
            let outcomes = try answer.json.array ?? []
            #expect(outcomes.allSatisfy { $0["error"] == nil }, "\(answer.text)")
            let storedReceipt = try await couch.get("/\(receipt)").json
            #expect(
                storedReceipt["images"] == [.string(image)] && storedReceipt["store"] == "Greissler", "\(storedReceipt)"
            )
            #expect(storedReceipt["stage"] == "reading")
            #expect(try harness.owner().query("SELECT count(*) FROM job").first(Int64.self) == 1)
            if isEdit {
                // The answer names the stored revision, so that the client can edit the receipt.
                let revision = outcomes.first { $0["id"]?.string == receipt }?["rev"]
                #expect(revision == storedReceipt["_rev"])
            }
        }
    }

    @Test(.database, arguments: [false, true])
    func `a document with too many or malformed attachments is refused, and nothing of it is kept`(
        isBatch: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let picture = HostilePictures.receipt
            let file: JSONValue = ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
            var many = JSONObject()
            for n in 0...20 { many["\(n).png"] = file }
            let broken: JSONObject = ["a.png": file, "b.png": ["content_type": "image/png", "data": "?"]]
            for (attachments, reason) in [(many, "more than 20 attachments"), (broken, "Invalid attachment data")] {
                let image = SyncScene.key(.image).description
                let document: JSONValue = [
                    "_id": .string(image), "type": "image", "receipt": .string(SyncScene.key(.receipt).description),
                    "_attachments": .object(attachments),
                ]
                let answer =
                    isBatch
                    ? try await couch.post("/_bulk_docs", ["docs": [document]])
                    : try await couch.put("/\(image)", document)
                #expect(answer.text.contains(reason), "\(answer.text)")
            }
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a batch whose order cannot be determined keeps no attachments`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let picture = HostilePictures.receipt
            let image: JSONValue = [
                "_id": .string(SyncScene.key(.image).description), "type": "image",
                "receipt": .string(SyncScene.key(.receipt).description),
                "_attachments": [
                    "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                ],
            ]
            // The order of deleted categories is read from the database.
            let deleted = (0..<2).map { _ in
                JSONValue.object(["_id": .string(SyncScene.key(.category).description), "_deleted": true])
            }
            let owner = try harness.owner()
            try owner.query("ALTER TABLE category RENAME TO category_away")
            let answer = try await couch.post("/_bulk_docs", ["docs": .array([image] + deleted)])
            #expect(answer.status == .internalServerError, "\(answer.text)")
            try owner.query("ALTER TABLE category_away RENAME TO category")
            #expect(try owner.query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `compares the revisions of many documents in one request`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let knownStore = SyncScene.key(.store).description
            let pushed = try await couch.push([
                CouchClient.revision(knownStore, ["1-a"], ["type": "store", "name": "Laden"])
            ])
            #expect(pushed.isEmpty)
            var asked = JSONObject()
            for _ in 0..<300 { asked[SyncScene.key(.store).description] = ["1-b"] }
            asked[knownStore] = ["1-a"]
            for _ in 0..<150 { asked[SyncScene.key(.store).description] = ["1-b"] }
            let foundRevisions = try #require(try await couch.post("/_revs_diff", .object(asked)).json.object)
            #expect(foundRevisions.names == asked.names.filter { $0 != knownStore })
            #expect(foundRevisions.members.allSatisfy { $0.value == ["missing": ["1-b"]] })
        }
    }

    @Test(.database, arguments: [true, false], [true, false])
    func `a batch deletes a category and its subcategory in any order`(parentFirst: Bool, isEdit: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let (parent, child) = (SyncScene.key(.category), SyncScene.key(.category))
            try await scene.edit(parent) { $0 = ["type": "category", "name": "Luxus"] }
            try await scene.edit(child) {
                $0 = ["type": "category", "name": "Kaviar", "parent": .string(parent.description)]
            }
            var deletions: [JSONValue] = []
            for key in parentFirst ? [parent, child] : [child, parent] {
                let base = try #require(try await scene.winner(key))
                deletions.append(
                    isEdit
                        ? ["_id": .string(key.description), "_rev": .string(base.description), "_deleted": true]
                        : CouchClient.revision(
                            key.description, ["\(base.generation + 1)-d", base.description], [:], deleted: true))
            }
            let answer = try await couch.post("/_bulk_docs", ["docs": .array(deletions), "new_edits": .bool(isEdit)])
            #expect(answer.status == .created, "\(answer.text)")
            #expect(try await scene.body(parent) == nil)
            #expect(try await scene.body(child) == nil)
        }
    }

    @Test(.database) func `a batch deletes a receipt and its image in any order`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            for imageFirst in [false, true] {
                let (image, receipt) = (SyncScene.key(.image).description, SyncScene.key(.receipt).description)
                let picture = HostilePictures.receipt
                let photo: JSONValue = [
                    "_id": .string(image), "type": "image", "receipt": .string(receipt),
                    "_attachments": [
                        "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                    ],
                ]
                let creationAnswer = try await couch.post("/_bulk_docs", ["docs": [photo]])
                #expect(try creationAnswer.json.array?.first?["ok"] == true, "\(creationAnswer.text)")
                var deletions: [JSONValue] = []
                for id in imageFirst ? [image, receipt] : [receipt, image] {
                    let revision = try await couch.get("/\(id)").json["_rev"] ?? .null
                    deletions.append(["_id": .string(id), "_rev": revision, "_deleted": true])
                }
                let answer = try await couch.post("/_bulk_docs", ["docs": .array(deletions)])
                #expect(try await couch.get("/\(receipt)").status == .notFound, "\(answer.text)")
                #expect(try await couch.get("/\(image)").status == .notFound, "\(answer.text)")
            }
        }
    }

    @Test(.database) func `a member has a limited number of checkpoints, and the oldest are deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            try harness.owner().query(
                """
                INSERT INTO sync_checkpoint (household_id, person_id, id, body, revision, written_at)
                SELECT \(anna.household), \(anna.person), 'client' || n, '{}', 1, now() - n * interval '1 hour'
                FROM generate_series(1, \(SyncLimits.checkpoints)) AS n
                """)
            #expect(try await couch.put("/_local/new", ["last_seq": 1]).status == .created)
            #expect(try await couch.get("/_local/client\(SyncLimits.checkpoints)").status == .notFound)
            for id in ["new", "client1", "client\(SyncLimits.checkpoints - 1)"] {
                #expect(try await couch.get("/_local/\(id)").status == .ok, "\(id)")
            }
        }
    }

    @Test(.database, arguments: [BulkBody.maximumOthers, BulkBody.maximumOthers + 1])
    func `a batch may have a limited number of unknown members`(count: Int) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let others = (0..<count).map { "\"x\($0)\": \($0)" }.joined(separator: ", ")
            let answer = try await couch.caller.post("\(couch.base)/_bulk_docs", "{\(others), \"docs\": []}")
            #expect(answer.status == (count > BulkBody.maximumOthers ? .badRequest : .created), "\(answer.text)")
        }
    }
}
