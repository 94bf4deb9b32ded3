import Crypto
import Domain
import EventLoop
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The replication interface for CouchDB clients, operation by operation.
@Suite(.timeLimit(.minutes(5))) struct CouchTests {
    private static func store(_ name: String) -> JSONValue { ["type": "store", "name": .string(name)] }

    @Test(.database) func `the root and the database answer the first requests of a replicator`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            let root = try await couch.caller.get("/api/v1/couch/")
            #expect(try root.json["couchdb"] == "Welcome" && root.json["uuid"]?.string?.count == 32)
            let info = try await couch.get("/")
            #expect(try info.json["db_name"]?.string == anna.household.description)
            #expect(try info.json["instance_start_time"] == "0" && info.json["update_seq"]?.integer ?? 0 > 0)
            #expect(try await couch.caller.send(.head, couch.base).status == .ok)
            #expect(try await couch.put("", [:]).status == .preconditionFailed)
            #expect(try await couch.post("/_ensure_full_commit", [:]).status == .created)
            let otherAnswer = try await couch.caller.get("/api/v1/couch/\(HouseholdID.new())")
            #expect(otherAnswer.status == .notFound)
            #expect(try otherAnswer.json["reason"] == "Database does not exist.")
            // PouchDB then tries to create the database, and repeats this request unless it is forbidden.
            let creation = try await couch.caller.send(.put, "/api/v1/couch/\(HouseholdID.new())/")
            #expect(creation.status == .forbidden)
            #expect(try creation.json["error"] == "forbidden")
        }
    }

    @Test(.database) func `a checkpoint is stored for its member only, and an outdated checkpoint is a conflict`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            #expect(try await couch.get("/_local/abc%3D%3D").status == .notFound)
            let firstAnswer = try await couch.put("/_local/abc%3D%3D", ["last_seq": 7])
            #expect(firstAnswer.status == .created)
            #expect(try firstAnswer.json["rev"] == "0-1" && firstAnswer.json["id"] == "_local/abc==")
            let storedDocument = try await couch.get("/_local/abc%3D%3D").json
            #expect(
                storedDocument["last_seq"] == 7 && storedDocument["_rev"] == "0-1"
                    && storedDocument["_id"] == "_local/abc==")
            #expect(try await couch.put("/_local/abc%3D%3D", ["last_seq": 8]).status == .conflict)
            #expect(try await couch.put("/_local/abc%3D%3D", ["last_seq": 8, "_rev": "0-1"]).json["rev"] == "0-2")
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            #expect(try await ben.get("/_local/abc%3D%3D").status == .notFound)
            #expect(try await couch.changes().keys.allSatisfy { !$0.hasPrefix("_local") })
            #expect(try await couch.delete("/_local/abc%3D%3D").status == .ok)
        }
    }

    @Test(.database) func `pushed revisions are stored once and can be read`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let id = SyncScene.key(.store).description
            let asked: JSONValue = .object([id: ["2-b", "1-a"]])
            #expect(try await couch.post("/_revs_diff", asked).json[id]?["missing"] == ["2-b", "1-a"])
            let document = CouchClient.revision(id, ["2-b", "1-a"], Self.store("Laden"))
            #expect(try await couch.push([document]).isEmpty)
            #expect(try await couch.post("/_revs_diff", asked).json == [:])
            let row = try #require(try await couch.changes()[id])
            #expect(try await couch.push([document]).isEmpty)
            #expect(try await couch.changes()[id] == row)

            let readDocument = try await couch.get("/\(id)?rev=2-b&revs=true").json
            #expect(readDocument["name"] == "Laden" && readDocument["_revisions"] == ["start": 2, "ids": ["b", "a"]])
            let newest = try #require(row["changes"]?.array?.first?["rev"]?.string)
            let bulk = try await couch.post(
                "/_bulk_get?revs=true&latest=true", ["docs": [["id": .string(id), "rev": "2-b"], ["id": "store:x"]]])
            let results = try #require(try bulk.json["results"]?.array)
            let ok = try #require(results[0]["docs"]?.array?.first?["ok"])
            #expect(ok["_rev"]?.string == newest && ok["chain"] != nil)
            #expect(ok["_revisions"]?["ids"]?.array?.suffix(2) == ["b", "a"])
            #expect(results[1]["docs"]?.array?.first?["error"]?["error"] == "not_found")
            let open = try await couch.get("/\(id)?open_revs=%5B%222-b%22%2C%229-z%22%5D").json
            #expect(open.array?.first?["ok"]?["_rev"] == "2-b" && open.array?.last?["missing"] == "9-z")
        }
    }

    @Test(.database) func `a refused document is reported with the reason, and the other documents are stored`()
        async throws
    {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (good, bad) = (SyncScene.key(.store).description, SyncScene.key(.store).description)
            let refusals = try await couch.push([
                CouchClient.revision(bad, ["1-a"], ["type": "store", "name": ""]),
                CouchClient.revision("nonsense", ["1-a"], [:]),
                CouchClient.revision(good, ["1-a"], Self.store("Laden")),
            ])
            #expect(refusals.map { $0["id"]?.string } == [bad, "nonsense"])
            #expect(refusals.allSatisfy { $0["error"] == "forbidden" })
            #expect(refusals[0]["reason"]?.string?.hasPrefix("name") == true)
            #expect(try await couch.get("/\(good)").status == .ok)
        }
    }

    @Test(.database) func `an edit must name the newest revision`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let id = SyncScene.key(.category).description
            let firstAnswer = try await couch.put("/\(id)", ["type": "category", "name": "Kaviar"])
            #expect(firstAnswer.status == .created, "\(firstAnswer.text)")
            let revision = try #require(try firstAnswer.json["rev"]?.string)
            #expect(try await couch.put("/\(id)", ["type": "category", "name": "Trüffel"]).status == .conflict)
            let answer = try await couch.post(
                "/_bulk_docs",
                ["docs": [["_id": .string(id), "_rev": .string(revision), "type": "category", "name": "Trüffel"]]])
            let second = try #require(try answer.json.array?.first?["rev"]?.string)
            #expect(try await couch.get("/\(id)").json["name"] == "Trüffel")
            #expect(try await couch.delete("/\(id)?rev=\(revision)").status == .conflict)
            #expect(try await couch.delete("/\(id)?rev=\(second)").status == .ok)
            #expect(try await couch.get("/\(id)").json["reason"] == "deleted")
            #expect(try await couch.changes()[id]?["deleted"] == true)
            // A deleted document can be created again.
            #expect(try await couch.put("/\(id)", ["type": "category", "name": "Nüsse"]).status == .created)
        }
    }

    @Test(.database) func `two replicas that edit the same field get the same value`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let id = SyncScene.key(.comparisonGroup).description
            func group(_ name: String) -> JSONValue {
                ["type": "comparison_group", "name": .string(name), "base_unit": "l"]
            }
            _ = try await couch.push([CouchClient.revision(id, ["1-a"], group("Milch"))])
            _ = try await couch.push([CouchClient.revision(id, ["2-b", "1-a"], group("Vollmilch"))])
            _ = try await couch.push([CouchClient.revision(id, ["2-c", "1-a"], group("Magermilch"))])
            let leaves = try #require(try await couch.changes()[id]?["changes"]?.array).compactMap { $0["rev"]?.string }
            #expect(leaves.count >= 2)
            let winner = try await couch.get("/\(id)").json
            #expect(winner["_rev"]?.string == leaves[0])
            #expect(["Vollmilch", "Magermilch"].contains(winner["name"]?.string))
            for leaf in leaves.dropFirst() {
                #expect(try await couch.get("/\(id)?rev=\(leaf)").json["_deleted"] == true)
            }
        }
    }

    @Test(.database) func `the changes feed supports pages, filters and documents`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let all = try await couch.get("/_changes").json
            let rows = try #require(all["results"]?.array)
            #expect(rows.count > 5 && all["pending"] == 0)
            #expect(rows.compactMap { $0["seq"]?.integer } == rows.compactMap { $0["seq"]?.integer }.sorted())
            var (since, seen): (Int64, [String]) = (0, [])
            while true {
                let page = try await couch.get("/_changes?since=\(since)&limit=3").json
                let ids = (page["results"]?.array ?? []).compactMap { $0["id"]?.string }
                seen += ids
                since = try #require(page["last_seq"]?.integer)
                if ids.isEmpty {
                    #expect(page["pending"] == 0)
                    break
                }
            }
            #expect(seen == rows.compactMap { $0["id"]?.string })
            #expect(try await couch.get("/_changes?since=now").json["results"] == [])
            // A sequence number of another installation, higher than the last sequence number of this household.
            for feed in ["normal", "longpoll"] {
                let foreign = try await couch.get("/_changes?since=\(since + 1)&feed=\(feed)&timeout=50").json
                #expect(foreign["results"] == all["results"] && foreign["last_seq"] == all["last_seq"])
            }
            let id = seen[1]
            let namedChanges = try await couch.post("/_changes?filter=_doc_ids", ["doc_ids": [.string(id), "x"]]).json
            #expect(namedChanges["results"]?.array?.compactMap { $0["id"]?.string } == [id])
            let selected =
                try await couch.post(
                    "/_changes?filter=_selector&include_docs=true",
                    ["selector": ["type": "preferences", "language": ["$in": ["de"]]]]
                ).json["results"]?.array ?? []
            #expect(selected.count == 1 && selected[0]["doc"]?["language"] == "de")
            #expect(try await couch.get("/_changes?filter=app/mine").status == .notFound)
            let listed = try await couch.post("/_all_docs", ["keys": [.string(id), "store:x"], "include_docs": true])
                .json
            #expect(listed["rows"]?.array?[0]["doc"]?["_id"]?.string == id)
            #expect(listed["rows"]?.array?[1]["error"] == "not_found")
            let every = try await couch.get("/_all_docs?limit=2").json
            #expect(every["rows"]?.array?.count == 2 && every["total_rows"]?.integer == Int64(rows.count))
        }
    }

    @Test(.database) func `a feed of one document type has only the deletions of this type`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let keys = [SyncScene.key(.store), SyncScene.key(.comparisonGroup)]
            let bodies: [JSONValue] = [
                ["type": "store", "name": "Laden"], ["type": "comparison_group", "name": "Milch", "base_unit": "l"],
            ]
            for (key, body) in zip(keys, bodies) {
                let id = key.description
                #expect(try await couch.put("/\(id)", body).status == .created)
                let revision = try await couch.get("/\(id)").json["_rev"]?.string ?? ""
                #expect(try await couch.delete("/\(id)?rev=\(revision)").status == .ok)
            }
            let selected = try await couch.post("/_changes?filter=_selector", ["selector": ["type": "store"]]).json
            let rows = selected["results"]?.array ?? []
            #expect(rows.compactMap { $0["id"]?.string } == [keys[0].description] && rows.first?["deleted"] == true)
        }
    }

    @Test(.database) func `a long poll ends at the next change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            let since = try #require(try await couch.get("/").json["update_seq"]?.integer)
            let empty = try await couch.get("/_changes?feed=longpoll&since=\(since)&timeout=50")
            #expect(try empty.json["results"] == [] && empty.json["last_seq"]?.integer == since)
            let (key, scene, signal) = (SyncScene.key(.store), SyncScene(harness, anna), harness.database.signal)
            let edit = try #require(EventLoop.current).spawn {
                while signal.waitingCount == 0 { await Task.yield() }
                _ = try? await scene.edit(key) { $0 = ["type": "store", "name": "Laden"] }
            }
            let poll = try await couch.get("/_changes?feed=longpoll&since=\(since)&heartbeat=200")
            await edit.value
            #expect(try poll.json["results"]?.array?.first?["id"]?.string == key.description)
            let continuous = try await couch.get("/_changes?feed=continuous&since=0&limit=2")
            let lines = continuous.text.split(separator: "\n")
            #expect(lines.count == 3 && lines[2].contains("last_seq"))
        }
    }

    @Test(.database) func `a viewer can pull but not push`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, try await harness.join(anna, as: .viewer))
            #expect(try await couch.changes().isEmpty == false)
            #expect(try await couch.put("/_local/x", [:]).status == .created)
            let pushAnswer = try await couch.post("/_bulk_docs", ["docs": [], "new_edits": false])
            #expect(pushAnswer.status == .forbidden)
            #expect(try pushAnswer.json["error"] == "forbidden")
            let reader = try await harness.caller(anna, scopes: [.read])
            #expect(try await reader.get(couch.base + "/_changes").status == .forbidden)
        }
    }
}
