import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Rows that native clients pull.
@Suite(.timeLimit(.minutes(5))) struct SyncPullTests {
    @Test(.database, arguments: [("tables", "created"), ("columns", "updated")])
    func `a client that has added a table or columns gets all rows of the table`(
        member: String, list: String
    ) async throws {
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

    /// A document is written after this text of the answer was sent: before the rows of the table, or after its
    /// first rows.
    @Test(.database, arguments: ["{\"changes\"", "Laden"])
    func `a document that is written during a pull is sent as it was at the timestamp`(_ text: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            // Ben pulls: the author of a row gets it as updated, never as created.
            let ben = SyncScene(harness, try await harness.join(anna, as: .member), role: .member)
            let (store, added) = (SyncScene.key(.store), SyncScene.key(.store))
            try await scene.edit(store) { $0 = ["type": "store", "name": "Laden", "chain": "testladen"] }
            let answer = InterruptedAnswer(after: text) {
                try await scene.edit(store) { $0["name"] = "Markt" }
                try await scene.edit(added) { $0 = ["type": "store", "name": "Neu", "chain": "testladen"] }
            }
            try await SyncPull(database: harness.database, member: ben.member, since: 0).write(to: answer)
            #expect(answer.hasWritten)
            let pulled = try JSONValue(reading: answer.bytes)
            let stores = pulled["changes"]?["stores"]
            #expect(Self.names(stores?["created"]) == ["Laden"])
            #expect(stores?["updated"] == [] && stores?["deleted"] == [])
            // The next pull sends the changes.
            let number = try #require(pulled["timestamp"]?.integer)
            let next = InterruptedAnswer(after: "nothing") {}
            try await SyncPull(database: harness.database, member: ben.member, since: number).write(to: next)
            let changes = try JSONValue(reading: next.bytes)["changes"]?["stores"]
            #expect(Self.names(changes?["created"]) == ["Neu"])
            #expect(Self.names(changes?["updated"]) == ["Markt"])
        }
    }

    @Test(.database, arguments: [0, 1 << 20])
    func `updated rows that exceed the buffer are sent in several parts, each once`(maximumBuffered: Int) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = SyncScene(harness, try await harness.join(anna, as: .member), role: .member)
            let caller = try await harness.caller(anna, scopes: [.sync])
            let ids = (0..<250).map { _ in Identifier<Void>.new().description }
            let rows = ids.map { #"{"id": "\#($0)", "name": "Laden \#($0)", "chain": "testladen"}"# }
            let path = "/api/v1/households/\(anna.household)/sync"
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=\(number)", #"{"stores": {"created": [\#(rows.joined(separator: ","))]}}"#)
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            let timestampBefore = try #require(try await caller.get(path).json["timestamp"]?.integer)
            let deleted = try await caller.post(
                "\(path)?last_pulled_at=\(timestampBefore)", #"{"stores": {"deleted": ["\#(ids[0])"]}}"#)
            #expect(deleted.status == .ok, "\(deleted.text)")
            let addedStore = SyncScene.key(.store)
            try await SyncScene(harness, anna).edit(addedStore) {
                $0 = ["type": "store", "name": "Neu", "chain": "testladen"]
            }
            let answer = InterruptedAnswer(after: "nothing") {}
            var pull = SyncPull(
                database: harness.database, member: ben.member, since: timestampBefore, widenedTables: ["stores"])
            pull.maximumBuffered = maximumBuffered
            try await pull.write(to: answer)
            let stores = try JSONValue(reading: answer.bytes)["changes"]?["stores"]
            let updated = (stores?["updated"]?.array ?? []).compactMap { $0["id"]?.string }
            #expect(updated.sorted() == ids.dropFirst().sorted())
            #expect(stores?["deleted"] == [.string(ids[0])])
            #expect(Self.names(stores?["created"]) == ["Neu"])
            let parts = answer.parts.filter { String(decoding: $0, as: UTF8.self).contains("Laden") }
            #expect(parts.count == (maximumBuffered == 0 ? 2 : 1))
        }
    }

    @Test(.database) func `a row that is pushed and then deleted before the next pull is deleted on the server`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let path = "/api/v1/households/\(anna.household)/sync"
            let (caller, other) = (
                try await harness.caller(anna, scopes: [.sync]), try await harness.caller(ben, scopes: [.sync])
            )
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            let (store, row) = (SyncScene.key(.store), #""name": "Laden", "chain": "testladen""#)
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=\(number)", #"{"stores": {"created": [{"id": "\#(store.id)", \#(row)}]}}"#)
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            // The row is sent as updated. WatermelonDB drops its own deletion of a row that it receives as created.
            let pulled = try await caller.get("\(path)?last_pulled_at=\(number)").json
            #expect(pulled["changes"]?["stores"]?["created"] == [])
            #expect(pulled["changes"]?["stores"]?["updated"]?.array?.count == 1)
            let theirs = try await other.get("\(path)?last_pulled_at=\(number)").json["changes"]?["stores"]
            #expect(theirs?["created"]?.array?.count == 1 && theirs?["updated"] == [])
            let next = try #require(pulled["timestamp"]?.integer)
            let deleted = try await caller.post(
                "\(path)?last_pulled_at=\(next)", #"{"stores": {"deleted": ["\#(store.id)"]}}"#)
            #expect(deleted.status == .ok, "\(deleted.text)")
            #expect(try await SyncScene(harness, anna).body(store) == nil)
        }
    }

    @Test(.database) func `the images of a receipt that becomes hidden are deleted for other members`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("RING", 9_900)], person: anna.person)
            let image = try #require(
                try scene.text("SELECT id::text FROM receipt_file WHERE receipt_id = \(receipt)"))
            let path = "/api/v1/households/\(anna.household)/sync"
            let (own, other) = (
                try await harness.caller(anna, scopes: [.sync]), try await harness.caller(ben, scopes: [.sync])
            )
            let pulled = try await other.get(path).json
            #expect(pulled["changes"]?["images"]?["created"]?.array?.map { $0["id"]?.string } == [image])
            let number = try #require(pulled["timestamp"]?.integer)
            try await harness.hide(receipt, by: anna)
            let theirs = try await other.get("\(path)?last_pulled_at=\(number)").json["changes"]?["images"]
            #expect(theirs?["deleted"] == [.string(image)] && theirs?["updated"] == [] && theirs?["created"] == [])
            let mine = try await own.get("\(path)?last_pulled_at=\(number)").json["changes"]?["images"]
            #expect(mine?["deleted"] == [] && mine?["updated"]?.array?.count == 1)
            // The next pull does not repeat the deletion.
            let next = try #require(try await other.get("\(path)?last_pulled_at=\(number)").json["timestamp"]?.integer)
            let laterChanges = try await other.get("\(path)?last_pulled_at=\(next)").json["changes"]?["images"]
            #expect(laterChanges?["deleted"] == [])
        }
    }

    @Test(.database) func `a receipt and its image that one push deletes are deleted on all clients`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 129)], person: anna.person)
            let image = try #require(
                try scene.text("SELECT id::text FROM receipt_file WHERE receipt_id = \(receipt)"))
            let path = "/api/v1/households/\(anna.household)/sync"
            let own = try await harness.caller(anna, scopes: [.sync])
            let other = try await harness.caller(ben, scopes: [.sync])
            let number = try #require(try await other.get(path).json["timestamp"]?.integer)
            let pushAnswer = try await own.post(
                "\(path)?last_pulled_at=\(number)",
                #"{"images": {"deleted": ["\#(image)"]}, "receipts": {"deleted": ["\#(receipt)"]}}"#)
            #expect(try pushAnswer.status == .ok && pushAnswer.json == [:], "\(pushAnswer.text)")
            let pulled = try await other.get("\(path)?last_pulled_at=\(number)").json["changes"]
            #expect(pulled?["receipts"]?["deleted"] == [.string(receipt.description)])
            #expect(pulled?["images"]?["deleted"] == [.string(image)])
        }
    }

    @Test(.database) func `a discarded receipt that the server has erased is deleted with its image`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 129)], person: anna.person)
            let image = try #require(
                try scene.text("SELECT id::text FROM receipt_file WHERE receipt_id = \(receipt)"))
            try await harness.discard(receipt, by: anna)
            let path = "/api/v1/households/\(anna.household)/sync"
            let caller = try await harness.caller(anna, scopes: [.sync])
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            try scene.owner.query("UPDATE receipt SET discarded_at = now() - interval '1 year' WHERE id = \(receipt)")
            try await Sweeper.run(harness.database)
            let pulled = try await caller.get("\(path)?last_pulled_at=\(number)").json
            #expect(pulled["changes"]?["receipts"]?["deleted"] == [.string(receipt.description)])
            #expect(pulled["changes"]?["images"]?["deleted"] == [.string(image)])
            // A client that never had the receipt gets no deletion.
            let fresh = try await caller.get(path).json
            #expect(fresh["changes"]?["receipts"]?["deleted"] == [])
            let next = try #require(pulled["timestamp"]?.integer)
            let laterPull = try await caller.get("\(path)?last_pulled_at=\(next)").json
            #expect(laterPull["changes"]?["receipts"]?["deleted"] == [])
        }
    }

    @Test(.database) func `a document that becomes private is deleted for other members, unless it was private before`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            let (shared, secret) = (SyncScene.key(.expense), SyncScene.key(.expense))
            let receipt = SyncScene.key(.receipt)
            for key in [shared, secret] {
                try await scene.edit(key) {
                    $0 = [
                        "type": "expense", "what": "Kino", "amount_minor": .integer(900), "currency": "EUR",
                        "day": "2026-03-05",
                    ]
                    if key == secret { $0["is_personal"] = true }
                }
            }
            try await scene.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("RING", 9900)]) }
            let path = "/api/v1/households/\(anna.household)/sync"
            let caller = try await harness.caller(ben, scopes: [.sync])
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            try await scene.edit(shared) { $0["is_personal"] = true }
            try await scene.edit(secret) { $0["what"] = "Oper" }
            try await scene.edit(receipt) { $0["hidden_until"] = .string(WallClock.today().adding(days: 9).iso) }
            let changes = try await caller.get("\(path)?last_pulled_at=\(number)").json["changes"]
            let expenses = changes?["expenses"]
            #expect(expenses?["deleted"] == [.string(shared.id.description)])
            #expect(expenses?["created"] == [] && expenses?["updated"] == [])
            #expect(changes?["receipts"]?["deleted"] == [.string(receipt.id.description)])
            #expect(changes?["receipts"]?["updated"] == [])
            #expect(changes?["receipt_lines"]?["deleted"]?.array?.count == 1)
            let own = try await harness.caller(anna, scopes: [.sync])
            let mine = try await own.get("\(path)?last_pulled_at=\(number)").json["changes"]?["expenses"]
            #expect(mine?["deleted"] == [] && mine?["updated"]?.array?.count == 2)
        }
    }

    private static func names(_ rows: JSONValue?) -> [String] { (rows?.array ?? []).compactMap { $0["name"]?.string } }

    /// Collects an answer, and calls a function once a text has been sent.
    private final class InterruptedAnswer: ResponseWriter, @unchecked Sendable {
        // Safe to share: only the task of the test uses it.
        private(set) var parts: [[UInt8]] = []
        private(set) var hasWritten = false
        private let text: String
        private let write: () async throws -> Void

        init(after text: String, _ write: @escaping () async throws -> Void) {
            self.text = text
            self.write = write
        }

        var bytes: [UInt8] { Array(parts.joined()) }

        func send(_ bytes: [UInt8]) async throws(Disconnected) {
            parts.append(bytes)
            guard !hasWritten, String(decoding: bytes, as: UTF8.self).contains(text) else { return }
            hasWritten = true
            do {
                try await write()
            } catch {
                throw Disconnected()
            }
        }
    }
}
