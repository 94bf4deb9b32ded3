import Crypto
import Domain
import EventLoop
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Pictures of receipts in the replication interface for CouchDB clients.
@Suite(.timeLimit(.minutes(5))) struct CouchPicturesTests {
    @Test(.database) func `documents with pictures are sent one at a time`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let picture = HostilePictures.png(width: 100, height: 300, rest: Array(repeating: 7, count: 100_000))
            let data = JSONValue.string(Base64Bytes.encode(picture))
            let images = (0..<4).map { _ in SyncScene.key(.image).description }
            for image in images {
                let body: JSONValue = [
                    "type": "image", "receipt": .string(SyncScene.key(.receipt).description),
                    "_attachments": ["bon.png": ["content_type": "image/png", "data": data]],
                ]
                #expect(try await couch.push([CouchClient.revision(image, ["1-a"], body)]).isEmpty)
            }
            let keys: JSONValue = ["keys": .array(images.map { .string($0) })]
            let listed = try await couch.post("/_all_docs?include_docs=true&attachments=true", keys)
            let rows = try #require(try listed.json["rows"]?.array)
            #expect(rows.count == 4 && rows.allSatisfy { $0["doc"]?["_attachments"]?["bon.png"]?["data"] == data })
            let asked: JSONValue = ["docs": .array(images.map { ["id": .string($0)] })]
            let bulk = try await couch.post("/_bulk_get?attachments=true", asked)
            #expect(try bulk.json["results"]?.array?.count == 4 && bulk.bytes.count > 4 * picture.count)
            let feed = try await couch.get("/_changes?include_docs=true&attachments=true")
            let sentChanges = (try feed.json["results"]?.array ?? []).filter { images.contains($0["id"]?.string ?? "") }
            #expect(
                sentChanges.count == 4
                    && sentChanges.allSatisfy { $0["doc"]?["_attachments"]?["bon.png"]?["data"] == data })
            #expect(max(listed.largestPart, bulk.largestPart, feed.largestPart) < 2 * picture.count)
        }
    }

    @Test(.database, arguments: ["inline", "related", "put"])
    func `a photo is pushed with its document, and its receipt waits for the reader`(_ method: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let couch = try await CouchClient(harness, anna)
            let (image, receipt) = (SyncScene.key(.image).description, SyncScene.key(.receipt).description)
            let picture = HostilePictures.receipt
            let body: JSONValue = ["type": "image", "receipt": .string(receipt)]
            switch method {
            case "inline":
                var document = try #require(CouchClient.revision(image, ["1-a"], body).object)
                document["_attachments"] = [
                    "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                ]
                #expect(try await couch.push([.object(document)]).isEmpty)
            case "related":
                var document = try #require(body.object)
                document["_attachments"] = [
                    "bon.png": ["content_type": "image/png", "follows": true, "length": .integer(picture.count)]
                ]
                let related =
                    Array("--x\r\nContent-Type: application/json\r\n\r\n".utf8) + JSONValue.object(document).bytes
                    + Array("\r\n--x\r\nContent-Type: image/png\r\n\r\n".utf8) + picture + Array("\r\n--x--".utf8)
                let answer = try await couch.caller.send(
                    .put, "\(couch.base)/\(image)", type: "multipart/related; boundary=\"x\"", related)
                #expect(answer.status == .created, "\(answer.text)")
            default:
                let answer = try await couch.caller.send(
                    .put, "\(couch.base)/\(image)/bon.png", type: "image/png", picture)
                #expect(answer.status == .created, "\(answer.text)")
            }
            let storedImage = try await couch.get("/\(image)").json
            let file = try #require(storedImage["_attachments"]?["bon.png"])
            #expect(file["digest"]?.string == "md5-\(Base64Bytes.encode(md5(picture)))")
            #expect(file["stub"] == true && file["length"]?.integer == Int64(picture.count))
            let bytes = try await couch.get("/\(image)/bon.png")
            #expect(bytes.bytes == picture && bytes.headers["Content-Security-Policy"] != nil)
            #expect(try await couch.get("/\(image)/other.png").status == .notFound)
            if method != "put" {
                #expect(try await couch.get("/\(receipt)").json["stage"] == "reading")
                #expect(try await couch.get("/\(receipt)").json["images"] == [.string(image)])
                let jobs = try harness.owner().query("SELECT count(*) FROM job").first(Int64.self)
                #expect(jobs == 1)
            }
            // Other members get the photo after the reader has made a picture of it.
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            #expect(try await ben.get("/\(image)").status == .notFound)
            #expect(try await ben.get("/\(image)/bon.png").status == .notFound)
        }
    }

    @Test(.database) func `a receipt that was pushed before its images is read when they arrive`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (image, receipt) = (SyncScene.key(.image).description, SyncScene.key(.receipt).description)
            let named: JSONValue = ["type": "receipt", "stage": "review", "images": [.string(image)]]
            #expect(try await couch.push([CouchClient.revision(receipt, ["1-a"], named)]).isEmpty)
            let answer = try await couch.caller.send(
                .put, "\(couch.base)/\(image)/bon.png", type: "image/png",
                HostilePictures.receipt)
            #expect(answer.status == .created, "\(answer.text)")
            #expect(try await couch.get("/\(receipt)").json["stage"] == "reading")
        }
    }
}
