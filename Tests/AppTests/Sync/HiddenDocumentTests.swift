import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents that become private after other members have received them.
@Suite(.timeLimit(.minutes(5))) struct HiddenDocumentTests {
    @Test(.database) func `a document that becomes private is deleted on other replicas until it is published`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let own = try await CouchClient(harness, anna)
            let scene = SyncScene(harness, anna)
            let (receipt, expense) = (SyncScene.key(.receipt), SyncScene.key(.expense))
            try await scene.edit(receipt) {
                $0 = SyncScene.receipt([SyncScene.line("RING", 9_900)], stage: "confirmed")
            }
            try await scene.edit(expense) {
                $0 = ["type": "expense", "receipt": .string(receipt.description), "labels": ["geheim"]]
            }
            let keys = [receipt, expense]
            var (known, deletions): ([DocumentKey: RevisionID], [DocumentKey: String]) = ([:], [:])
            for key in keys { known[key] = try await scene.winner(key) }
            let since = try #require(try await ben.get("/").json["update_seq"]?.integer)
            try await scene.edit(receipt) { $0["hidden_until"] = "2999-01-01" }
            for key in keys {
                let (id, last) = (key.description, try #require(known[key]))
                let row = try #require(try await ben.changes("&since=\(since)")[id])
                #expect(row["deleted"] == true && row["changes"]?.array?.count == 1, "\(id)")
                let deletion = try #require(row["changes"]?.array?.first?["rev"]?.string)
                deletions[key] = deletion
                let asked: JSONValue = ["docs": [["id": .string(id), "rev": .string(deletion)]]]
                let foundDocument = try await ben.post("/_bulk_get?revs=true&latest=true", asked).json["results"]?
                    .array?.first
                let sentDocument = try #require(foundDocument?["docs"]?.array?.first?["ok"])
                #expect(sentDocument["_deleted"] == true && sentDocument["type"] == nil, "\(id)")
                // The replica has an ancestor of the deletion, so the deletion replaces its document.
                #expect(sentDocument["_revisions"]?["ids"]?.array?.contains(.string(last.hash)) == true, "\(id)")
                #expect(try await ben.get("/\(id)").json["reason"] == "deleted", "\(id)")
                let secret = try #require(try await scene.winner(key))
                #expect(try await ben.get("/\(id)?rev=\(secret)").status == .notFound, "\(id)")
                #expect(try await ben.get("/\(id)?rev=\(last)").status == .notFound, "\(id)")
                let both: JSONValue = .object([id: [.string(deletion), .string(last.description)]])
                #expect(try await ben.post("/_revs_diff", both).json == [:], "\(id)")
                #expect(try await !ben.get("/_all_docs").text.contains(id), "\(id)")
                #expect(try await own.changes("&since=\(since)")[id]?["deleted"] == nil, "\(id)")
                #expect(try await own.get("/\(id)").status == .ok, "\(id)")
            }
            // An edit of the deletion is forbidden. After a conflict, the client would merge it and send it again.
            var edited = SyncScene.receipt([SyncScene.line("KETTE", 900)])
            edited["_rev"] = .string(try #require(deletions[receipt]))
            let refusal = try await ben.put("/\(receipt.description)", .object(edited))
            #expect(refusal.status == .forbidden, "\(refusal.text)")
            // A change of the hidden document sends the same deletion.
            try await scene.edit(receipt) { $0["time"] = "12:30:00" }
            let secondRevision = try await ben.changes()[receipt.description]?["changes"]?.array?.first?["rev"]?.string
            #expect(secondRevision == deletions[receipt])
            try await scene.edit(receipt) { $0["hidden_until"] = .null }
            for key in keys {
                let (id, last) = (key.description, try #require(known[key]))
                #expect(try await ben.changes()[id]?["deleted"] == nil, "\(id)")
                let document = try await ben.get("/\(id)?revs=true").json
                let ids = document["_revisions"]?["ids"]?.array ?? []
                // The published revision descends from the last revision of the replica, not from the deletion.
                let deletion = try #require(deletions[key].flatMap { RevisionID($0) })
                #expect(ids.contains(.string(last.hash)) && !ids.contains(.string(deletion.hash)), "\(id)")
                #expect(document["_rev"]?.string != last.description, "\(id)")
                let pushed: JSONValue = .object([id: [.string(deletion.description)]])
                #expect(try await ben.post("/_revs_diff", pushed).json == [:], "\(id)")
            }
        }
    }

    @Test(.database) func `if an expense becomes personal in a merge, other members get deletions of both revisions`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let other = try await harness.join(anna, as: .member)
            let ben = try await CouchClient(harness, other)
            let (scene, benScene) = (SyncScene(harness, anna), SyncScene(harness, other, role: .member))
            let expense = SyncScene.key(.expense)
            try await scene.edit(expense) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            var body = try #require(try await scene.body(expense))
            let base = try #require(try await scene.winner(expense))
            try await benScene.edit(expense) { $0["note"] = "zu zweit" }
            let theirs = try #require(try await scene.winner(expense))
            // A client that does not have this edit sends a longer branch, so its branch wins.
            body["is_personal"] = true
            let between = try (base.generation + 1...theirs.generation).reversed().map {
                try #require(RevisionID("\($0)-eeee"))
            }
            try await scene.replicate(expense, "\(theirs.generation + 1)-ffff", after: between + [base], body)
            let row = try #require(try await ben.changes()[expense.description])
            #expect(row["deleted"] == true)
            let revisions = (row["changes"]?.array ?? []).compactMap { $0["rev"]?.string }
            #expect(revisions.count == 2 && revisions.last == StoredDocument.end(of: theirs).description)
            for revision in revisions {
                let asked: JSONValue = ["docs": [["id": .string(expense.description), "rev": .string(revision)]]]
                let foundDocument = try await ben.post("/_bulk_get", asked).json["results"]?.array?.first
                let sentDocument = try #require(foundDocument?["docs"]?.array?.first?["ok"])
                #expect(sentDocument["_deleted"] == true && sentDocument["what"] == nil, "\(revision)")
            }
        }
    }

    @Test(.database) func `the deletion of a hidden document is kept after any number of private revisions`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let (scene, stored) = (SyncScene(harness, anna), try harness.scene(anna))
            let expense = SyncScene.key(.expense)
            try await scene.edit(expense) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            let knownRevision = try #require(try await scene.winner(expense))
            try await scene.edit(expense) { $0["is_personal"] = true }
            let newest = try #require(try await scene.winner(expense))
            let unseen = RevisionID(generation: newest.generation + 1_010, hash: "cccc")
            let body = try #require(try await scene.body(expense))
            try await scene.replicate(expense, "\(unseen.generation + 1)-dddd", after: [unseen, newest], body)
            try await Sweeper.run(harness.database)
            let row = try #require(try await ben.changes()[expense.description])
            let deletion = try #require(row["changes"]?.array?.first?["rev"]?.string)
            let sentDocument = try await ben.get("/\(expense.description)?rev=\(deletion)&revs=true").json
            #expect(row["deleted"] == true && sentDocument["_deleted"] == true && sentDocument["what"] == nil)
            #expect(sentDocument["_revisions"]?["ids"]?.array?.contains(.string(knownRevision.hash)) == true)
            // Private revisions after the deletion are compacted.
            let last = try #require(try await scene.winner(expense))
            let next = RevisionID(generation: last.generation + 1_010, hash: "eeee")
            try await scene.replicate(expense, "\(next.generation + 1)-ffff", after: [next, last], body)
            try await Sweeper.run(harness.database)
            #expect(
                try stored.count(
                    "SELECT count(*) FROM document_revision WHERE document_id = \(expense.id) AND hash IN ('cccc', 'dddd')"
                )
                    == 0)
            #expect(try await ben.get("/\(expense.description)?rev=\(deletion)").json["_deleted"] == true)
        }
    }

    @Test(.database) func `a member who joins later gets no deletion of a document that was hidden before`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let gift = SyncScene.key(.receipt)
            try await scene.edit(gift) {
                $0 = SyncScene.receipt([SyncScene.line("RING", 9_900)], stage: "confirmed")
            }
            try await scene.edit(gift) { $0["hidden_until"] = "2999-01-01" }
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            #expect(try await ben.changes()[gift.description] == nil)
            #expect(try await ben.get("/").json["doc_del_count"] == 0)
            #expect(try await ben.get("/\(gift.description)").json["reason"] == "missing")
            let path = "/api/v1/households/\(anna.household)/sync"
            let pulled = try await ben.caller.get("\(path)?last_pulled_at=1").json["changes"]
            #expect(pulled?["receipts"]?["deleted"] == [] && pulled?["receipt_lines"]?["deleted"] == [])
            // After the member has received the document, hiding it again sends a deletion.
            try await scene.edit(gift) { $0["hidden_until"] = .null }
            #expect(try await ben.get("/\(gift.description)").status == .ok)
            try await scene.edit(gift) { $0["hidden_until"] = "2999-01-01" }
            #expect(try await ben.changes()[gift.description]?["deleted"] == true)
        }
    }

    @Test(.database)
    func `an offline edit of a hidden receipt is deleted on the replica and kept in the history`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let (scene, receipt) = (SyncScene(harness, anna), SyncScene.key(.receipt))
            let id = receipt.description
            try await scene.edit(receipt) {
                $0 = SyncScene.receipt([SyncScene.line("RING", 9_900)], stage: "confirmed")
            }
            let knownRevision = try #require(try await scene.winner(receipt))
            var edited = try #require(try await scene.body(receipt))
            edited["time"] = "12:30:00"
            try await scene.edit(receipt) { $0["hidden_until"] = "2999-01-01" }
            let revisionBefore = try #require(try await scene.winner(receipt))
            let deletion = try #require(try await ben.changes()[id]?["changes"]?.array?.first?["rev"]?.string)
            let names = [
                "\(knownRevision.generation + 2)-cccc", "\(knownRevision.generation + 1)-bbbb",
                knownRevision.description,
            ]
            for place in [1, 0] {
                let sentDocument = CouchClient.revision(id, Array(names[place...]), .object(edited))
                #expect(try await ben.push([sentDocument]) == [], "\(place)")
                // The replica receives a deletion of its revision. If it sends the revision again, it receives the same
                // deletion.
                #expect(try await ben.push([sentDocument]) == [], "\(place)")
                let row = try #require(try await ben.changes()[id])
                let end = StoredDocument.end(of: try #require(RevisionID(names[place]))).description
                let revisions = (row["changes"]?.array ?? []).compactMap { $0["rev"]?.string }
                #expect(row["deleted"] == true && revisions.first == deletion && revisions.contains(end), "\(place)")
                for revision in revisions {
                    let foundDocument = try await ben.get("/\(id)?rev=\(revision)").json
                    #expect(foundDocument["_deleted"] == true && foundDocument["lines"] == nil, "\(revision)")
                }
                #expect(try await ben.get("/\(id)?rev=\(names[place])").status == .notFound)
            }
            #expect(try await scene.winner(receipt) == revisionBefore)
            #expect(try await scene.body(receipt)?["time"]?.string == nil)
            #expect(try await scene.lostValues(receipt)["time"] == "12:30:00")
            // A replica that has the deletion cannot create the document again.
            let parent = try #require(RevisionID(deletion))
            let created = ["\(parent.generation + 1)-dddd", deletion]
            let refusals = try await ben.push([CouchClient.revision(id, created, .object(edited))])
            #expect(refusals.first?["error"] == "forbidden")
        }
    }

    @Test(.database)
    func `a hidden image gets a new revision when it is published, although its contents are unchanged`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("RING", 9_900)], person: anna.person)
            let file = try #require(
                try scene.text("SELECT id::text FROM receipt_file WHERE receipt_id = \(receipt)"))
            let image = "image:\(file)"
            let first = try #require(try await ben.get("/\(image)").json["_rev"]?.string)
            try await harness.hide(receipt, by: anna)
            let row = try await ben.changes()[image]
            #expect(row?["deleted"] == true)
            let revisions = (row?["changes"]?.array ?? []).compactMap { $0["rev"]?.string }
            #expect(revisions.count == 1 && revisions != [first])
            try await harness.change(receipt, #"{"hidden_until": null}"#, by: anna)
            let published = try await ben.get("/\(image)").json
            #expect(published["_rev"] != nil && published["_rev"]?.string != first)
            #expect(try await ben.changes()[image]?["deleted"] == nil)
        }
    }

    @Test func `a deletion that only other members get does not count as another branch`() throws {
        let names = try ["1-a", "2-b", "3-c", "3-d", "2-e", "3-f"].map { try #require(RevisionID($0)) }
        func node(_ parent: Int?, deleted: Bool = false, at time: Int64) -> RevisionTree.Node {
            RevisionTree.Node(
                parent: parent.map { names[$0] }, isDeleted: deleted, body: deleted ? nil : JSONObject(),
                storedAt: time)
        }
        // A client sent 2-b. The server added 3-c, and the deletion 3-d for members who may not read the document now.
        var nodes = [names[0]: node(nil, at: 1), names[1]: node(0, at: 2), names[2]: node(1, at: 2)]
        nodes[names[3]] = node(1, deleted: true, at: 2)
        #expect(RevisionTree(nodes).isCompletion(names[2], of: names[1]))
        nodes[names[4]] = node(0, at: 1)
        nodes[names[5]] = node(4, deleted: true, at: 2)
        #expect(!RevisionTree(nodes).isCompletion(names[2], of: names[1]))
    }

    @Test(.database) func `a store that only hidden receipts have is deleted for other members who pull rows`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(try await harness.join(anna, as: .member), scopes: [.sync])
            let scene = SyncScene(harness, anna)
            let gift = SyncScene.key(.receipt)
            try await scene.edit(gift) {
                $0 = SyncScene.receipt([SyncScene.line("RING", 9_900)], store: "Juwelier", stage: "confirmed")
            }
            let path = "/api/v1/households/\(anna.household)/sync"
            let pulled = try await caller.get(path).json
            let store = try #require(pulled["changes"]?["stores"]?["created"]?.array?.first?["id"]?.string)
            let number = try #require(pulled["timestamp"]?.integer)
            try await scene.edit(gift) { $0["hidden_until"] = "2999-01-01" }
            let next = try await caller.get("\(path)?last_pulled_at=\(number)").json
            #expect(next["changes"]?["stores"]?["deleted"] == [.string(store)])
            #expect(next["changes"]?["receipts"]?["deleted"] == [.string(gift.id.description)])
            // The following pull does not repeat the deletion, although the document changes again.
            let laterTimestamp = try #require(next["timestamp"]?.integer)
            try await scene.edit(gift) { $0["time"] = "12:30:00" }
            let last = try await caller.get("\(path)?last_pulled_at=\(laterTimestamp)").json["changes"]
            #expect(last?["stores"]?["deleted"] == [] && last?["receipts"]?["deleted"] == [])
            // A pushed row of the hidden document is rejected, even if it equals the stored row.
            let row = #"{"receipts": {"updated": [{"id": "\#(gift.id)", "total_minor": 9900}]}}"#
            let pushAnswer = try await caller.post("\(path)?last_pulled_at=\(laterTimestamp)", row)
            #expect(try pushAnswer.json["experimentalRejectedIds"]?["receipts"] == [.string(gift.id.description)])
        }
    }
}
