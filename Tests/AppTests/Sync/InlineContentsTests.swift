import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Pictures inside documents that clients request with `attachments=true`.
@Suite(.timeLimit(.minutes(5))) struct InlineContentsTests {
    @Test(.database, arguments: ["get", "open", "bulk", "changes", "all"])
    func `a picture of several chunks is sent inside its document, in parts of the size of a chunk`(
        _ way: String
    ) async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let rest = (0..<2 * UploadLimits.chunkBytes).map { UInt8(truncatingIfNeeded: $0 * 31) }
            let picture = HostilePictures.png(width: 100, height: 300, rest: rest)
            let (image, store) = (SyncScene.key(.image).description, SyncScene.key(.store).description)
            let put = try await couch.caller.send(
                .put, "\(couch.base)/\(image)/bon.png", type: "image/png", picture)
            try #require(put.status == .created, "\(put.text)")
            // The server writes a random mark in place of the contents of each picture, and replaces it when sending. A
            // text that looks like the beginning of a mark is sent unchanged.
            let name = "00000000000000000000000000000000:\(BlobID.new())"
            _ = try await couch.push([
                CouchClient.revision(store, ["1-a"], ["type": "store", "name": .string(name)])
            ])
            let asked: JSONValue = ["docs": [["id": .string(image)], ["id": .string(store)]]]
            let answer =
                switch way {
                case "get": try await couch.get("/\(image)?attachments=true")
                case "open": try await couch.get("/\(image)?open_revs=all&attachments=true")
                case "bulk": try await couch.post("/_bulk_get?attachments=true", asked)
                case "changes": try await couch.get("/_changes?include_docs=true&attachments=true")
                default: try await couch.get("/_all_docs?include_docs=true&attachments=true")
                }
            #expect(answer.status == .ok)
            let json = try JSONValue(reading: answer.bytes, limits: JSONLimits(size: 4 << 20))
            let documents: [JSONValue?] =
                switch way {
                case "get": [json]
                case "open": [json.array?.first?["ok"]]
                case "bulk": (json["results"]?.array ?? []).map { $0["docs"]?.array?.first?["ok"] }
                case "changes": (json["results"]?.array ?? []).map { $0["doc"] }
                default: (json["rows"]?.array ?? []).map { $0["doc"] }
                }
            let foundDocument = documents.first { $0?["_id"]?.string == image } ?? nil
            let file = foundDocument?["_attachments"]?["bon.png"]
            #expect(file?["data"]?.string == Base64Bytes.encode(picture))
            if way != "get", way != "open" { #expect(documents.contains { $0?["name"]?.string == name }) }
            #expect(answer.largestPart < UploadLimits.chunkBytes * 3 / 2)
        }
    }

    @Test(arguments: 1...5) func `encoding pieces of any size gives the Base64 of the whole contents`(size: Int)
        async throws
    {
        let bytes = (0..<20).map { UInt8($0 * 12) }
        for count in 0...20 {
            let collected = CollectedAnswer()
            let writer = Base64Writer(collected)
            for start in stride(from: 0, to: count, by: size) {
                try await writer.send(Array(bytes[start..<min(start + size, count)]))
            }
            try await writer.finish()
            #expect(String(decoding: collected.bytes, as: UTF8.self) == Base64Bytes.encode(Array(bytes.prefix(count))))
        }
    }

    private final class CollectedAnswer: ResponseWriter, @unchecked Sendable {
        // Safe to share: only the task of the test uses it.
        private(set) var bytes: [UInt8] = []

        func send(_ bytes: [UInt8]) async throws(Disconnected) { self.bytes += bytes }
    }
}
