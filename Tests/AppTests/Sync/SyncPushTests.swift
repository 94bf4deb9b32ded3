import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Rows that native clients push.
@Suite(.timeLimit(.minutes(5))) struct SyncPushTests {
    @Test(.database) func `rows that break a rule are skipped with a reason, and the other rows are stored`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let path = "/api/v1/households/\(anna.household)/sync"
            let ids = (0..<5).map { _ in SyncScene.key(.store).id.description }
            // An empty name, a name that is taken, and a name that is too long.
            let names = ["Laden", "", "Laden", "Markt", String(repeating: "x", count: 1_000)]
            let rows = zip(ids, names).map { id, name -> JSONValue in
                ["id": .string(id), "name": .string(name), "chain": "testladen"]
            }
            let body: JSONValue = ["stores": ["created": .array(rows), "updated": [], "deleted": []]]
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=0", String(decoding: body.bytes, as: UTF8.self))
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            let rejected = try pushAnswer.json["experimentalRejectedIds"]?["stores"]?.array ?? []
            #expect(rejected.count == 3 && rejected.contains(.string(ids[1])) && rejected.contains(.string(ids[4])))
            let reasons = try #require(try pushAnswer.json["reasons"]?.object)
            #expect(reasons.members.count == 3)
            #expect(reasons["store:\(ids[1])"]?.string?.hasPrefix("name: ") == true)
            let pulled = try await caller.get(path).json["changes"]?["stores"]?["created"]?.array ?? []
            #expect(pulled.compactMap { $0["name"]?.string }.sorted() == ["Laden", "Markt"])
            // The change log does not contain the rejected rows.
            let loggedCount = try harness.owner().query(
                "SELECT count(*) FROM change_log WHERE household_id = \(anna.household) AND document_type = 'store'"
            ).first(Int64.self)
            #expect(loggedCount == 2)
        }
    }

    @Test(.database, arguments: [([], 422), (Array("Milch".utf8), 415)] as [([UInt8], Int)])
    func `a file that the reader cannot read is refused, and a picture is stored once`(
        bytes: [UInt8], status: Int
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (caller, scene) = (try await harness.caller(anna, scopes: [.sync]), try harness.scene(anna))
            let path = "/api/v1/households/\(anna.household)/images/\(SyncScene.key(.image).id)"
            func put(_ bytes: [UInt8]) async throws -> Answer {
                try await caller.send(
                    .put, "\(path)?receipt_id=\(SyncScene.key(.receipt).id)", type: "image/png", bytes)
            }
            let refusal = try await put(bytes)
            #expect(refusal.status.code == status && refusal.problem != nil, "\(refusal.text)")
            #expect(try scene.count("SELECT count(*) FROM blob") == 0)
            let picture = HostilePictures.receipt
            #expect(try await put(picture).status == .created)
            #expect(try await put(picture).status == .noContent)
            #expect(try scene.count("SELECT count(*) FROM receipt_file") == 1)
            #expect(try scene.count("SELECT size FROM blob") == Int64(picture.count))
        }
    }

    @Test(.database) func `lines have the order of their positions, whatever the order of the pushed rows`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let receipt = SyncScene.key(.receipt)
            let names = ["MILCH", "BROT", "SEIFE", "REIS"]
            let lines = names.enumerated().reversed().map { position, name -> JSONValue in
                [
                    "id": .string(SyncScene.key(.receipt).id.description), "position": .integer(Int64(position)),
                    "receipt_id": .string(receipt.id.description), "kind": "item", "name": .string(name),
                    "total_minor": 100,
                ]
            }
            let row: JSONValue = [
                "id": .string(receipt.id.description), "stage": "review", "day": "2026-03-05", "total_minor": 400,
            ]
            let body: JSONValue = ["receipts": ["created": [row]], "receipt_lines": ["created": .array(lines)]]
            let path = "/api/v1/households/\(anna.household)/sync"
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=0", String(decoding: body.bytes, as: UTF8.self))
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            let storedReceipt = try #require(try await SyncScene(harness, anna).body(receipt))
            #expect(storedReceipt["lines"]?.array?.compactMap { $0["name"]?.string } == names)
        }
    }

    @Test(.database, arguments: [true, false])
    func `a category and its subcategory are created and deleted in one push`(parentHasLowerID: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (caller, scene) = (try await harness.caller(anna, scopes: [.sync]), SyncScene(harness, anna))
            let keys = [SyncScene.key(.category), SyncScene.key(.category)].sorted {
                $0.id.description < $1.id.description
            }
            let (parent, child) = parentHasLowerID ? (keys[0], keys[1]) : (keys[1], keys[0])
            let path = "/api/v1/households/\(anna.household)/sync"
            func push(_ lists: String) async throws {
                let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
                let pushAnswer = try await caller.post(
                    "\(path)?last_pulled_at=\(number)", #"{"categories": \#(lists)}"#)
                #expect(try pushAnswer.status == .ok && pushAnswer.json == [:], "\(pushAnswer.text)")
            }
            let rows = [
                #"{"id": "\#(child.id)", "name": "Kaviar", "parent_id": "\#(parent.id)"}"#,
                #"{"id": "\#(parent.id)", "name": "Luxus"}"#,
            ]
            try await push(#"{"created": [\#(rows.joined(separator: ", "))]}"#)
            #expect(try await scene.body(child)?["parent"]?.string == parent.description)
            try await push(#"{"deleted": ["\#(parent.id)", "\#(child.id)"]}"#)
            #expect(try await scene.body(child) == nil)
            #expect(try await scene.body(parent) == nil)
        }
    }

    @Test(.database) func `a push that creates a category again and renames its subcategory restores the relation`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (caller, scene) = (try await harness.caller(anna, scopes: [.sync]), SyncScene(harness, anna))
            let (parent, child) = (SyncScene.key(.category), SyncScene.key(.category))
            let path = "/api/v1/households/\(anna.household)/sync"
            func push(_ lists: String) async throws {
                let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
                let pushAnswer = try await caller.post(
                    "\(path)?last_pulled_at=\(number)", #"{"categories": \#(lists)}"#)
                #expect(try pushAnswer.status == .ok && pushAnswer.json == [:], "\(pushAnswer.text)")
            }
            try await push(#"{"created": [{"id": "\#(parent.id)", "name": "Luxus"}]}"#)
            try await push(#"{"deleted": ["\#(parent.id)"]}"#)
            let row = #"{"id": "\#(child.id)", "name": "Kaviar", "parent_id": "\#(parent.id)"}"#
            try await push(#"{"created": [\#(row)]}"#)
            #expect(try await scene.body(child)?["parent"]?.string == nil)
            let renamed = #"{"id": "\#(child.id)", "name": "Kaviar rot", "parent_id": null}"#
            try await push(#"{"created": [{"id": "\#(parent.id)", "name": "Luxus"}], "updated": [\#(renamed)]}"#)
            let body = try #require(try await scene.body(child))
            #expect(body["name"] == "Kaviar rot" && body["parent"]?.string == parent.description)
        }
    }

    @Test(.database) func `pushing pulled rows without a change creates no revision`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (caller, scene) = (try await harness.caller(anna, scopes: [.sync]), SyncScene(harness, anna))
            try await scene.edit(SyncScene.key(.receipt)) {
                $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)], stage: "confirmed")
            }
            try await scene.edit(SyncScene.key(.expense)) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            let path = "/api/v1/households/\(anna.household)/sync"
            let pulled = try await caller.get(path).json
            let number = try #require(pulled["timestamp"]?.integer)
            for table in ["categories", "stores", "receipts", "receipt_lines", "expenses", "preferences"] {
                let rows = try #require(pulled["changes"]?[table]?["created"])
                #expect(rows.array?.isEmpty == false, "\(table)")
                let body: JSONValue = .object([table: ["updated": rows]])
                let pushAnswer = try await caller.post(
                    "\(path)?last_pulled_at=\(number)", String(decoding: body.bytes, as: UTF8.self))
                #expect(try pushAnswer.status == .ok && pushAnswer.json == [:], "\(table): \(pushAnswer.text)")
                #expect(try await caller.get(path).json["timestamp"]?.integer == number, "\(table)")
            }
        }
    }

    @Test(.database) func `the position of a category is stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let category = SyncScene.key(.category)
            let row = #"{"id": "\#(category.id)", "name": "Kaviar", "position": 7}"#
            let pushAnswer = try await caller.post(
                "/api/v1/households/\(anna.household)/sync?last_pulled_at=0",
                #"{"categories": {"created": [\#(row)]}}"#)
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            #expect(try await SyncScene(harness, anna).body(category)?["position"] == 7)
        }
    }

    @Test(.database) func `a deleted element of an unknown document is ignored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let path = "/api/v1/households/\(anna.household)/sync"
            let number = try #require(try await caller.get(path).json["timestamp"]?.integer)
            let element = "\(SyncScene.key(.expense).id):person:\(anna.person)"
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=\(number)", #"{"expense_shares": {"deleted": ["\#(element)"]}}"#)
            #expect(try pushAnswer.status == .ok && pushAnswer.json == [:], "\(pushAnswer.text)")
        }
    }

    @Test(.database) func `a client with a timestamp from before a restore must pull everything before it pushes`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let path = "/api/v1/households/\(anna.household)/sync"
            let (number, store) = (1_000_000, SyncScene.key(.store))
            let row = #"{"stores": {"created": [{"id": "\#(store.id)", "name": "Laden", "chain": "testladen"}]}}"#
            #expect(try await caller.post("\(path)?last_pulled_at=\(number)", row).status == .conflict)
            let pulled = try await caller.get("\(path)?last_pulled_at=\(number)").json
            #expect(pulled["changes"]?["categories"]?["created"]?.array?.isEmpty == false)
            let next = try #require(pulled["timestamp"]?.integer)
            #expect(next < number)
            #expect(try await caller.post("\(path)?last_pulled_at=\(next)", row).status == .ok)
        }
    }

    @Test(.database) func `a push of too many documents is refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.sync])
            let stores = (0...SyncLimits.documents).map { _ in JSONValue.string(SyncScene.key(.store).id.description) }
            let body: JSONValue = ["stores": ["created": [], "updated": [], "deleted": .array(stores)]]
            let pushAnswer = try await caller.post(
                "/api/v1/households/\(anna.household)/sync?last_pulled_at=0",
                String(decoding: body.bytes, as: UTF8.self))
            #expect(pushAnswer.status == .contentTooLarge && pushAnswer.problem == "problem-too-large")
        }
    }
}
