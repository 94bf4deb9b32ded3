import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Rows that native clients pull.
@Suite(.timeLimit(.minutes(5))) struct SyncPullTests {
    @Test(.database, arguments: [("tables", "created"), ("columns", "updated")])
    func `a client that is new to a table or to its columns gets all rows`(member: String, list: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let scene = SyncScene(harness, anna)
            let store = SyncScene.key(.store)
            try await scene.edit(store) { $0 = ["type": "store", "name": "Laden", "chain": "testladen"] }
            let path = "/api/v1/households/\(anna.household)/sync"
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            func rows(_ query: String, _ table: String) async throws -> [String: Int] {
                let changes = try await caller.get("\(path)?last_pulled_at=\(number)\(query)").json["changes"]
                let lists = ["created", "updated", "deleted"]
                return lists.reduce(into: [:]) { $0[$1] = changes?[table]?[$1]?.array?.count }
            }
            let none = ["created": 0, "updated": 0, "deleted": 0]
            #expect(try await rows("", "stores") == none)
            #expect(try await rows("&migration=null", "stores") == none)
            let element = member == "tables" ? #""stores""# : #"{"table": "stores", "columns": ["town"]}"#
            let migration = PercentCoding.encode(#"{"from": 1, "\#(member)": [\#(element)]}"#)
            #expect(try await rows("&migration=\(migration)", "stores") == none.merging([list: 1]) { $1 })
            #expect(try await rows("&migration=\(migration)", "categories") == none)
        }
    }
}
