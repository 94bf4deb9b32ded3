import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Revisions as CouchDB's replicator requests them: as parts of one answer, with their attachments.
@Suite(.timeLimit(.minutes(5))) struct MixedRevisionsTests {
    @Test(.database) func `a revision with a picture is sent as parts, and a missing revision is reported`()
        async throws
    {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let image = SyncScene.key(.image).description
            let picture = HostilePictures.receipt
            let body: JSONValue = [
                "type": "image",
                "_attachments": [
                    "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                ],
            ]
            #expect(try await couch.push([CouchClient.revision(image, ["1-a"], body)]).isEmpty)
            let winner = try #require(try await couch.get("/\(image)").json["_rev"]?.string)
            let revisions = "%5B%221-a%22%2C%229-z%22%5D"
            let answer = try await couch.caller.get(
                "\(couch.base)/\(image)?revs=true&latest=true&open_revs=\(revisions)", ["Accept": "multipart/mixed"])
            #expect(answer.status == .ok)
            let type = try #require(answer.headers[.contentType].flatMap(MediaType.init))
            let outer = try #require(type["boundary"])
            #expect(type.essence == "multipart/mixed")
            let parts = Self.split(answer.bytes, outer)
            #expect(parts.count == 2)
            let (headers, content) = try #require(parts.first)
            let inner = try #require(headers.flatMap(MediaType.init)?["boundary"])
            let pieces = Self.split(content, inner)
            #expect(pieces.count == 2)
            let document = try JSONValue(reading: try #require(pieces.first).content)
            #expect(document["_id"]?.string == image && document["_rev"]?.string == winner)
            #expect(document["_revisions"]?["ids"]?.array?.last == "a")
            let file = try #require(document["_attachments"]?["bon.png"])
            #expect(file["follows"] == true && file["stub"] == nil)
            #expect(file["length"]?.integer == Int64(picture.count))
            #expect(try #require(pieces.last).content == picture)
            let missing = try #require(parts.last)
            #expect(missing.type == "application/json; error=\"true\"")
            #expect(try JSONValue(reading: missing.content)["missing"] == "9-z")
        }
    }

    @Test(.database) func `a revision without attachments is one JSON part, and other clients get JSON`() async throws {
        try await AppHarness.run { harness in
            let couch = try await CouchClient(harness, try await harness.signUp())
            let id = SyncScene.key(.store).description
            let store: JSONValue = ["type": "store", "name": "Laden"]
            #expect(try await couch.push([CouchClient.revision(id, ["1-a"], store)]).isEmpty)
            let path = "\(couch.base)/\(id)?open_revs=all"
            let mixed = try await couch.caller.get(path, ["Accept": "multipart/mixed"])
            let outer = try #require(mixed.headers[.contentType].flatMap(MediaType.init)?["boundary"])
            let part = try #require(Self.split(mixed.bytes, outer).first)
            #expect(part.type == "application/json")
            #expect(try JSONValue(reading: part.content)["name"] == "Laden")
            for accepted in ["application/json", "*/*", "application/json, multipart/mixed"] {
                let answer = try await couch.caller.get(path, ["Accept": accepted])
                #expect(answer.headers[.contentType] == "application/json")
                #expect(try answer.json.array?.first?["ok"]?["name"] == "Laden")
            }
        }
    }

    /// Splits a multipart body. Returns the media type and the content of each part.
    private static func split(_ bytes: [UInt8], _ boundary: String) -> [(type: String?, content: [UInt8])] {
        func offset(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
            bytes.indices.first { bytes[$0...].starts(with: pattern) }
        }
        var parts: [(type: String?, content: [UInt8])] = []
        let line = Array("\r\n--\(boundary)".utf8)
        var rest = bytes.dropFirst(boundary.utf8.count + 2)
        while rest.starts(with: [13, 10]), let end = offset(of: line, in: rest.dropFirst(2)) {
            let part = rest[(rest.startIndex + 2)..<end]
            guard let headers = offset(of: [13, 10, 13, 10], in: part) else { return [] }
            let lines = String(decoding: part[..<headers], as: UTF8.self).split(separator: "\r\n")
            let type = lines.first { $0.hasPrefix("Content-Type: ") }.map { String($0.dropFirst(14)) }
            parts.append((type: type, content: Array(part[(headers + 4)...])))
            rest = rest[(end + line.count)...]
        }
        // The last boundary has two more hyphens.
        return Array(rest) == Array("--".utf8) ? parts : []
    }
}
