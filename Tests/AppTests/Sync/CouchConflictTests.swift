import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Conflicts that a replica has resolved before it pushes: one revision is the result, and deletions end the other
/// branches.
@Suite(.timeLimit(.minutes(5))) struct CouchConflictTests {
    /// A store that the server and a replica have changed.
    private struct ConflictScene {
        let key: DocumentKey
        /// The document before both changes.
        let before: JSONObject
        /// The revisions of the server and of the replica, from new to old.
        let server: [String]
        let replica: [String]

        static func make(_ scene: SyncScene) async throws -> ConflictScene {
            let key = SyncScene.key(.store)
            try await scene.edit(key) { $0 = ["type": "store", "name": "Laden", "town": "Wien"] }
            let base = try #require(try await scene.winner(key))
            let before = try #require(try await scene.body(key))
            var changed = before
            changed["name"] = "Kaufladen"
            changed["street"] = "Gasse 1"
            let sent = try await scene.replicate(key, "\(base.generation + 1)-aaaa", after: [base], changed)
            let newest = try #require(try await scene.winner(key))
            let server = newest == sent ? [sent, base] : [newest, sent, base]
            return ConflictScene(
                key: key, before: before, server: server.map(\.description),
                replica: ["\(base.generation + 1)-bbbb", base.description])
        }

        /// Returns a child of the first revision, and its ancestors.
        static func child(of path: [String], _ hash: String) throws -> [String] {
            let parent = try #require(RevisionID(path[0]))
            return ["\(parent.generation + 1)-\(hash)"] + path
        }
    }

    @Test(.database, arguments: [true, false])
    func `the result of a resolved conflict is stored without a merge`(continuesServer: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            let (kept, ended) =
                continuesServer ? (conflict.server, conflict.replica) : (conflict.replica, conflict.server)
            var result = conflict.before
            result["name"] = "Markt"
            let batch = [
                CouchClient.revision(id, try ConflictScene.child(of: ended, "dddd"), [:], deleted: true),
                CouchClient.revision(id, try ConflictScene.child(of: kept, "cccc"), .object(result)),
            ]
            #expect(try await couch.push(batch) == [])
            let stored = try #require(try await scene.body(conflict.key))
            #expect(stored["name"] == "Markt" && stored["street"] == conflict.before["street"], "\(stored)")
            #expect(try await scene.lostValues(conflict.key).isEmpty)
            for leaf in try await scene.leaves(conflict.key).dropFirst() {
                #expect(try await couch.get("/\(id)?rev=\(leaf)").json["_deleted"] == true)
            }
            // A repeated push changes nothing.
            let leaves = try await scene.leaves(conflict.key)
            #expect(try await couch.push(batch) == [])
            #expect(try await scene.leaves(conflict.key) == leaves)
        }
    }

    /// Another replica adds a change to the branch of the server.
    @Test(.database, arguments: ["cccc", "ffff"])
    func `changes that the client has not received are merged into the result`(hash: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            var changed = try #require(try await scene.body(conflict.key))
            changed["town"] = "Graz"
            let next = try ConflictScene.child(of: conflict.server, "eeee")
            try await scene.replicate(
                conflict.key, next[0], after: conflict.server.compactMap { RevisionID($0) }, changed)
            var result = conflict.before
            result["name"] = "Markt"
            let batch = [
                CouchClient.revision(id, try ConflictScene.child(of: conflict.server, "dddd"), [:], deleted: true),
                CouchClient.revision(id, try ConflictScene.child(of: conflict.replica, hash), .object(result)),
            ]
            #expect(try await couch.push(batch) == [])
            let stored = try #require(try await scene.body(conflict.key))
            #expect(stored["name"] == "Markt" && stored["town"] == "Graz", "\(stored)")
            #expect(stored["street"] == conflict.before["street"], "\(stored)")
            #expect(try await scene.lostValues(conflict.key).isEmpty)
            for leaf in try await scene.leaves(conflict.key).dropFirst() {
                #expect(try await couch.get("/\(id)?rev=\(leaf)").json["_deleted"] == true)
            }
        }
    }

    @Test(.database) func `a result replaces a branch that the client has edited and then ended`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            // The result has a smaller hash than the revision of the server.
            let generation = try #require(RevisionID(conflict.replica[0])).generation
            let live: [String] = ["\(generation)-0000"] + conflict.replica.dropFirst()
            let edited = try ConflictScene.child(of: conflict.server, "eeee")
            var result = conflict.before
            result["name"] = "Markt"
            let batch = [
                CouchClient.revision(id, try ConflictScene.child(of: edited, "dddd"), [:], deleted: true),
                CouchClient.revision(id, live, .object(result)),
            ]
            #expect(try await couch.push(batch) == [])
            #expect(try await scene.body(conflict.key)?["name"] == "Markt")
            #expect(try await scene.lostValues(conflict.key).isEmpty)
        }
    }

    @Test(.database) func `the deletions of the other branches are stored together with the result`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            let names = try ConflictScene.child(of: conflict.server, "dddd")
            let end = try names.map { try #require(RevisionID($0)) }
            let live = try ConflictScene.child(of: conflict.replica, "cccc").map { try #require(RevisionID($0)) }
            // The result equals the document before both changes.
            var document = IncomingDocument(
                key: conflict.key, origin: .replica(live[0], ancestors: Array(live.dropFirst())), isDeleted: false,
                body: conflict.before)
            document.branchEnds = [end[0]: Array(end.dropFirst())]
            // The server stops before it stores the next document of the batch.
            try await SyncEdits(database: harness.database).store(document, by: scene.member)
            let asked: JSONValue = [id: .array([.string(names[0])])]
            let missing = try await couch.post("/_revs_diff", asked).json
            #expect(missing == [:])
            // The client repeats the rest of the batch.
            #expect(try await couch.push([CouchClient.revision(id, names, [:], deleted: true)]) == [])
            #expect(try await scene.body(conflict.key)?["name"] == "Laden")
            #expect(try await scene.lostValues(conflict.key).isEmpty)
        }
    }

    @Test(.database) func `a batch with a revision and its own deletion deletes the document`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let key = SyncScene.key(.store)
            let batch = [
                CouchClient.revision(key.description, ["2-b", "1-a"], [:], deleted: true),
                CouchClient.revision(key.description, ["1-a"], ["type": "store", "name": "Laden"]),
            ]
            #expect(try await couch.push(batch) == [])
            #expect(try await couch.get("/\(key)").status == .notFound)
            #expect(try await scene.lostValues(key).isEmpty)
        }
    }

    /// The server refuses an empty name, and cannot read half an emoji.
    @Test(.database, arguments: ["", #"Markt \ud83d"#])
    func `the deletion of a branch is refused if the result of the conflict is refused`(name: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            var result = conflict.before
            result["name"] = "NAME"
            let documents = [
                CouchClient.revision(id, try ConflictScene.child(of: conflict.server, "dddd"), [:], deleted: true),
                CouchClient.revision(id, try ConflictScene.child(of: conflict.replica, "cccc"), .object(result)),
            ]
            let text = String(decoding: JSONValue.array(documents).bytes, as: UTF8.self)
            let answer = try await couch.caller.post(
                "\(couch.base)/_bulk_docs", "{\"docs\": \(text.replacing("NAME", with: name)), \"new_edits\": false}")
            #expect(answer.status == .created, "\(answer.text)")
            let refusals = try answer.json.array ?? []
            #expect(refusals.count == 2 && refusals.allSatisfy { $0["error"] == "forbidden" }, "\(refusals)")
            #expect(refusals.allSatisfy { $0["id"]?.string == id }, "\(refusals)")
            #expect(try await scene.body(conflict.key)?["name"] == "Kaufladen")
        }
    }
}
