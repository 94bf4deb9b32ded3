import Domain
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

    @Test(.database) func `the deletion of a branch is refused if the result of the conflict is refused`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (couch, scene) = (try await CouchClient(harness, anna), SyncScene(harness, anna))
            let conflict = try await ConflictScene.make(scene)
            let id = conflict.key.description
            var result = conflict.before
            result["name"] = ""
            let refusals = try await couch.push([
                CouchClient.revision(id, try ConflictScene.child(of: conflict.server, "dddd"), [:], deleted: true),
                CouchClient.revision(id, try ConflictScene.child(of: conflict.replica, "cccc"), .object(result)),
            ])
            #expect(refusals.count == 2 && refusals.allSatisfy { $0["error"] == "forbidden" }, "\(refusals)")
            #expect(try await scene.body(conflict.key)?["name"] == "Kaufladen")
        }
    }
}
