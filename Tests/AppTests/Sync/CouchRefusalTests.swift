import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Invalid documents are refused one by one, so that PouchDB replicates the other documents of the batch.
@Suite(.timeLimit(.minutes(5))) struct CouchRefusalTests {
    /// JSON members that make a document unreadable for the server.
    private static func members(_ kind: String) -> String {
        switch kind {
        case "half an emoji": #""name": "Laden \ud83d""#
        case "depth": #""name": "Laden", "x": "# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        case "number": #""name": "Laden", "x": 1e999"#
        case "names": #""name": "Laden", "name": "Markt""#
        default: #""name": "Laden", "x": ""# + String(repeating: "x", count: ArrivingDocument.maximumText) + "\""
        }
    }

    @Test(.database, arguments: ["half an emoji", "depth", "number", "names", "size"])
    func `the refusal of an unreadable document names its identifier`(kind: String) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (good, bad) = (SyncScene.key(.store).description, SyncScene.key(.store).description)
            // PouchDB writes the identifier after the other members.
            let unreadable = "{\(Self.members(kind)), \"type\": \"store\", \"_id\": \"\(bad)\", \"_rev\": \"1-a\"}"
            let readable = CouchClient.revision(good, ["1-a"], ["type": "store", "name": "Markt"])
            let documents = "[\(unreadable), \(String(decoding: readable.bytes, as: UTF8.self))]"
            let answer = try await couch.caller.post(
                "\(couch.base)/_bulk_docs", "{\"docs\": \(documents), \"new_edits\": false}")
            #expect(answer.status == .created, "\(answer.text)")
            let refusals = try answer.json.array ?? []
            #expect(refusals.map { $0["id"]?.string } == [bad])
            #expect(refusals.first?["error"] == "forbidden")
            #expect(try await couch.get("/\(good)").status == .ok)
            #expect(try await couch.get("/\(bad)").status == .notFound)
        }
    }

    @Test(.database) func `a name of an attachment that cannot be stored is refused`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (image, store) = (SyncScene.key(.image).description, SyncScene.key(.store).description)
            let refusals = try await couch.push([
                CouchClient.revision(image, ["1-a"], ["type": "image", "_attachments": ["a\u{0}.png": Self.file]]),
                CouchClient.revision(store, ["1-a"], ["type": "store", "name": "Laden"]),
            ])
            #expect(refusals.map { $0["id"]?.string } == [image])
            #expect(refusals.first?["error"] == "forbidden")
            #expect(try await couch.get("/\(store)").status == .ok)
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `only images have attachments`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let receipt = SyncScene.key(.receipt).description
            let body: JSONValue = ["type": "receipt", "stage": "review", "_attachments": ["bon.png": Self.file]]
            let refusals = try await couch.push([CouchClient.revision(receipt, ["1-a"], body)])
            #expect(refusals.first?["error"] == "forbidden")
            #expect(refusals.first?["reason"]?.string?.hasPrefix("_attachments") == true, "\(refusals)")
            #expect(try await couch.get("/\(receipt)").status == .notFound)
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }

    @Test(.database, arguments: [("_DSC1.png", "DSC1.png"), ("a\\b/c.png", "a_b_c.png"), ("..", "original")])
    func `an attachment has a name that clients accept`(name: String, accepted: String) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let image = SyncScene.key(.image).description
            var files = JSONObject()
            files[name] = Self.file
            let body: JSONValue = ["type": "image", "_attachments": .object(files)]
            #expect(try await couch.push([CouchClient.revision(image, ["1-a"], body)]) == [])
            let stored = try await couch.get("/\(image)").json["_attachments"]?.object
            #expect(stored?.names == [accepted])
            #expect(try await couch.get("/\(image)/\(accepted)").status == .ok)
        }
    }

    @Test(arguments: [("bon.jpg", "bon.jpg"), ("__\u{301}x", "\u{301}x"), ("\u{1}a\u{7F}", "a_"), ("", "original")])
    func `replaces only the characters that clients and paths do not allow`(name: String, accepted: String) {
        #expect(AttachmentName.accepted(name).utf8.elementsEqual(accepted.utf8))
    }

    private static let file: JSONValue = [
        "content_type": "image/png",
        "data": .string(
            Base64Bytes.encode(HostilePictures.png(width: 100, height: 300, rest: Array(repeating: 7, count: 3_000)))),
    ]
}
