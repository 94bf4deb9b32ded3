import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents that CouchDB clients of some members must not receive.
@Suite(.timeLimit(.minutes(5))) struct CouchVisibilityTests {
    @Test(.database) func `a photo of another member's receipt is only in its sender's feed until it is read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let (receipt, image) = (SyncScene.key(.receipt), SyncScene.key(.image).description)
            try await scene.edit(receipt) { $0 = SyncScene.receipt([]) }
            let picture = HostilePictures.receipt
            let pushAnswer = try await ben.put(
                "/\(image)",
                [
                    "type": "image", "receipt": .string(receipt.description),
                    "_attachments": [
                        "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                    ],
                ])
            #expect(pushAnswer.status == .created, "\(pushAnswer.text)")
            #expect(try await ben.get("/\(image)/bon.png").bytes == picture)
            let own = try await CouchClient(harness, anna)
            #expect(try await own.changes()[image] == nil)
            #expect(try await own.get("/\(image)/bon.png").status == .notFound)
        }
    }

    @Test(.database) func `a hidden receipt is only in its uploader's feed until it is published`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let key = SyncScene.key(.receipt)
            var body = SyncScene.receipt([SyncScene.line("RING", 9900)], stage: "confirmed")
            body["hidden_until"] = "2999-01-01"
            #expect(try await couch.push([CouchClient.revision(key.description, ["1-a"], .object(body))]).isEmpty)
            #expect(try await couch.changes()[key.description] != nil)
            #expect(try await ben.changes()[key.description] == nil)
            #expect(try await ben.get("/\(key)").status == .notFound)
            let refusals = try await ben.push([CouchClient.revision(key.description, ["2-b", "1-a"], .object(body))])
            #expect(refusals.first?["error"] == "forbidden")
            try await SyncScene(harness, anna).edit(key) { $0["hidden_until"] = .null }
            #expect(try await ben.get("/\(key)").json["total_minor"] == 9900)
        }
    }

    @Test(.database) func `a store with only a hidden receipt is only in its uploader's feed until it is published`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (own, other) = (
                try await CouchClient(harness, anna),
                try await CouchClient(harness, try await harness.join(anna, as: .member))
            )
            func knows(_ store: String, _ client: CouchClient) async throws -> Bool {
                let rows = try await client.get("/_changes?include_docs=true").json["results"]?.array ?? []
                return rows.contains {
                    $0["doc"]?["type"] == "store" && $0["doc"]?["name"]?.string?.contains(store) == true
                }
            }
            let (gift, usual) = (SyncScene.key(.receipt), SyncScene.key(.receipt))
            let sync = SyncScene(harness, anna)
            try await sync.edit(gift) {
                $0 = SyncScene.receipt([SyncScene.line("RING", 9_900)], store: "Geheimladen", stage: "confirmed")
                $0["hidden_until"] = "2999-01-01"
            }
            try await sync.edit(usual) {
                $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)], store: "Alltagsladen", stage: "confirmed")
            }
            #expect(try await knows("Geheimladen", own))
            #expect(try await knows("Alltagsladen", other))
            #expect(try await !knows("Geheimladen", other))
            // A visible receipt makes its store visible. Without a visible receipt, the store is hidden again.
            try await sync.edit(gift) { $0["hidden_until"] = .null }
            #expect(try await knows("Geheimladen", other))
            try await sync.edit(gift) { $0["hidden_until"] = "2999-01-01" }
            #expect(try await knows("Geheimladen", own))
            #expect(try await !knows("Geheimladen", other))
        }
    }
}
