import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents of CouchDB clients that arrive in pieces. The contents of their attachments are never completely in
/// memory.
@Suite(.timeLimit(.minutes(5))) struct ArrivingDocumentTests {
    /// Splits bytes into pieces of a size.
    private static func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    @Test(arguments: 0...9) func `decodes Base64 with JSON escapes in pieces of any size`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 251 + $0 * 97) }
        let plain = Base64Bytes.encode(bytes)
        let escaped = plain.replacing("/", with: "\\/").replacing("+", with: "\\u002b").replacing("=", with: "\\u003D")
        for text in [plain, escaped] {
            for size in 1...9 {
                var decoder = Base64Contents()
                var decoded: [UInt8] = []
                var length = 0
                for piece in Self.pieces(Array("\(text)\"rest".utf8), size) where !decoder.isComplete {
                    let step = decoder.decode(piece[...])
                    decoded += step.bytes
                    length += step.length
                }
                #expect(decoder.isComplete && decoder.isValid && decoded == bytes)
                #expect(length == text.utf8.count + 1)
            }
        }
    }

    @Test(arguments: ["?", "QQ", "QQ=", "QQ===", "Q===", "QQ==QQ==", "QUJD\\n", "QUJ\\\"", "\\u00zz", "QUJDRA=="])
    func `refuses contents that are not Base64`(text: String) {
        var decoder = Base64Contents()
        let step = decoder.decode(Array("\(text)\"".utf8)[...])
        #expect(decoder.isComplete && step.length == text.utf8.count + 1)
        #expect(decoder.isValid == (text == "QUJDRA=="))
    }

    @Test(arguments: 1...40) func `finds the contents of attachments only where a document has them`(size: Int) {
        let before = #"{"data":"x","a":{"b":{"data":"y"}},"l":[{"_attachments":{"c":{"data":"z"}}}],"#
        let start = before + #""_attachments" : {"b \"}.png":{"n":["data",{"data":"w"}],"data" : ""#
        let end = #"","content_type":"data"}},"e":"_attachments"}"#
        var scan = ValueScan(isDocument: true)
        var (found, text): (Int, [UInt8]) = (0, [])
        var isAtEndOfContents = false
        for piece in Self.pieces(Array((start + end + ",{}]").utf8), size) {
            var rest = piece[...]
            while !rest.isEmpty, !scan.isComplete {
                // The contents are an empty string, so `rest` begins with its closing quotation mark.
                if isAtEndOfContents {
                    rest = rest.dropFirst()
                    isAtEndOfContents = false
                    scan.skipContents()
                    continue
                }
                let length = scan.length(of: rest)
                text += rest.prefix(length)
                rest = rest.dropFirst(length)
                guard scan.beginsContents else { continue }
                found += 1
                isAtEndOfContents = true
                #expect(String(decoding: text, as: UTF8.self) == start)
                text.append(UInt8(ascii: "\""))
            }
        }
        #expect(found == 1 && scan.isComplete)
        #expect(String(decoding: text, as: UTF8.self) == start + end)
    }

    @Test(.database, arguments: [7, 1_000, 100_000])
    func `stores the contents of attachments while the document arrives`(size: Int) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let parser = CouchDocumentParser(
                quarantine: Quarantine(database: harness.database), household: anna.household)
            let picture = HostilePictures.png(width: 100, height: 300, rest: Array(repeating: 7, count: 40_000))
            let file: JSONValue = ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
            let document: JSONValue = ["_id": "image:x", "type": "image", "_attachments": ["bon.png": file]]
            let inline = try await parser.read(
                BodyBytes(RequestBody(pieces: Self.pieces(document.bytes, size))), id: "image:y")
            #expect(inline.id == "image:y" && inline.refusal == nil)
            #expect(String(decoding: inline.text, as: UTF8.self) == #"{"type":"image"}"#)

            let follows: JSONValue = ["content_type": "image/png", "follows": true]
            let head: JSONValue = ["type": "image", "_attachments": ["bon.png": follows, "other.png": follows]]
            // The second picture contains the beginning of a delimiter.
            let rest = Array("\r\n--y\r\n".utf8) + Array(repeating: 9, count: 3_000)
            let other = HostilePictures.png(width: 100, height: 300, rest: rest)
            var related = Array("--x\r\nContent-Type: application/json\r\n\r\n".utf8) + head.bytes
            related += Array("\r\n--x\r\n\r\n".utf8) + picture
            related += Array("\r\n--x\r\nContent-Type: image/png\r\n\r\n".utf8) + other
            related += Array("\r\n--x--".utf8)
            let parts = try await RelatedDocument.read(
                RequestHead(method: .put, headers: ["Content-Type": "multipart/related; boundary=x"]),
                RequestBody(pieces: Self.pieces(related, size)), id: "image:z", parser)
            #expect(parts.attachments.map(\.name) == ["bon.png", "other.png"])
            #expect(parts.attachments.map(\.length) == [Int64(picture.count), Int64(other.count)])
            #expect(inline.attachments.first?.digest == parts.attachments.first?.digest)
        }
    }

    @Test(.database) func `a document that cannot be read is refused, and the parts after it are skipped`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let parser = CouchDocumentParser(
                quarantine: Quarantine(database: harness.database), household: anna.household)
            let document = #"{"type": "image", "name": "\ud83d", "_attachments": {"bon.png": {"follows": true}}}"#
            let related = "--x\r\n\r\n\(document)\r\n--x\r\n\r\nx\r\n--x--"
            let parsed = try await RelatedDocument.read(
                RequestHead(method: .put, headers: ["Content-Type": "multipart/related; boundary=x"]),
                RequestBody(pieces: [Array(related.utf8)]), id: "image:z", parser)
            #expect(parsed.id == "image:z" && parsed.refusal?.error == "forbidden")
        }
    }

    @Test(.database) func `the attachments of a request have a limit, and nothing of a larger request is kept`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let picture = HostilePictures.png(width: 100, height: 300, rest: Array(repeating: 7, count: 40_000))
            let parser = CouchDocumentParser(
                quarantine: Quarantine(database: harness.database), household: anna.household,
                total: AttachmentTotal(limit: 2 * picture.count))
            let file: JSONValue = ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
            let document: JSONValue = ["_id": "image:x", "type": "image", "_attachments": ["bon.png": file]]
            for _ in 0..<2 {
                let parsed = try await parser.read(BodyBytes(RequestBody(pieces: [document.bytes])))
                #expect(parsed.refusal == nil)
                await parser.discard(parsed.attachments)
            }
            let batch = await #expect(throws: CouchRefusal.self) {
                _ = try await parser.read(BodyBytes(RequestBody(pieces: [document.bytes])))
            }
            #expect(batch?.status == .contentTooLarge && batch?.error == "too_large")

            let follows: JSONValue = ["content_type": "image/png", "follows": true]
            let files: JSONValue = ["a.png": follows, "b.png": follows, "c.png": follows]
            let head: JSONValue = ["type": "image", "_attachments": files]
            var related = Array("--x\r\n\r\n".utf8) + head.bytes
            for _ in 0..<3 { related += Array("\r\n--x\r\n\r\n".utf8) + picture }
            related += Array("\r\n--x--".utf8)
            let parts = [related]
            var other = parser
            other.total = AttachmentTotal(limit: 2 * picture.count)
            let single = other
            let refusal = await #expect(throws: CouchRefusal.self) {
                _ = try await RelatedDocument.read(
                    RequestHead(method: .put, headers: ["Content-Type": "multipart/related; boundary=x"]),
                    RequestBody(pieces: parts), id: "image:z", single)
            }
            #expect(refusal?.status == .contentTooLarge)
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a document with a file of another type is refused alone, and the batch continues`()
        async throws
    {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let (image, store) = (SyncScene.key(.image).description, SyncScene.key(.store).description)
            let data = Base64Bytes.encode(Array(repeating: 7, count: 200_000))
            let file: JSONValue = ["content_type": "image/png", "data": .string(data)]
            let refusals = try await couch.push([
                CouchClient.revision(image, ["1-a"], ["type": "image", "_attachments": ["bon.png": file]]),
                CouchClient.revision(store, ["1-a"], ["type": "store", "name": "Laden"]),
            ])
            #expect(refusals.map { $0["id"]?.string } == [image])
            #expect(refusals.first?["reason"] == "attachment: unsupported")
            #expect(try await couch.get("/\(store)").status == .ok)
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 0)
        }
    }
}
