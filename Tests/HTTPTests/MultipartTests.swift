import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct MultipartTests {
    private static let form =
        "--XX\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\ntoken\r\n"
        + "--XX\r\ncontent-disposition: form-data; name=\"file\"; filename=\"bon.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
        + "\r\n--X\r\r\n--XY--X data\r\n\r\n--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n"
        + "--XX--\r\nepilogue"

    private func reader(_ pieces: [[UInt8]], boundary: String = "XX", limit: Int = 1 << 20) throws -> MultipartReader {
        try MultipartReader(
            RequestHead(headers: ["Content-Type": "multipart/form-data; boundary=\"\(boundary)\""]),
            RequestBody(pieces: pieces), limit: limit)
    }

    /// Reads all parts, each as `name|file|type|content`.
    private func read(_ reader: MultipartReader) async throws(FormError) -> [String] {
        var parts: [String] = []
        while let part = try await reader.nextPart() {
            var content: [UInt8] = []
            while let chunk = try await reader.nextChunk() { content += chunk }
            parts.append(
                "\(part.name)|\(part.fileName ?? "-")|\(part.contentType ?? "-")|\(String(decoding: content, as: UTF8.self))"
            )
        }
        return parts
    }

    @Test("parses a form independently of how its bytes are split", arguments: [1, 2, 3, 7, 64, 100_000])
    func splits(_ size: Int) async throws {
        let bytes = Array(Self.form.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(
            try await read(reader(pieces)) == [
                "csrf|-|-|token", "file|bon.jpg|image/jpeg|\r\n--X\r\r\n--XY--X data\r\n", "file||-|",
            ])
    }

    @Test("skips a part that is not read")
    func skipping() async throws {
        let reader = try reader([Array(Self.form.utf8)])
        #expect(try await reader.nextPart()?.name == "csrf")
        #expect(try await reader.nextPart()?.fileName == "bon.jpg")
        #expect(try await reader.nextPart()?.fileName == "")
        #expect(try await reader.nextPart() == nil)
        #expect(try await reader.nextPart() == nil)
    }

    static let part = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"

    static let refusedBodies: [(body: String, error: FormError)] = [
        ("", FormError.malformed), ("junk" + part + "--XX--", .malformed), (part, .malformed),
        (part + "--XX", .malformed), (part + "--XXjunk", .malformed),
        ("--XX\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nContent-Type: text/plain\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nContent-Disposition: form-data; name=\"a\"\nX: y\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n1\r\n--XX--", .malformed),
        ("--XX\r\nX: " + String(repeating: "y", count: 1_000_000), .tooLarge),
        (String(repeating: part, count: 65) + "--XX--", .tooMany),
        (String(repeating: part, count: 50_000), .tooLarge),
    ]

    @Test("refuses malformed and too large multipart bodies", arguments: refusedBodies)
    func refusals(_ body: String, _ expected: FormError) async throws {
        let bytes = Array(body.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: 60_000).map {
            Array(bytes[$0..<min($0 + 60_000, bytes.count)])
        }
        do throws(FormError) {
            let reader = try MultipartReader(
                RequestHead(headers: ["Content-Type": "multipart/form-data; boundary=XX"]), RequestBody(pieces: pieces),
                limit: expected == .tooLarge ? 200_000 : 10_000_000)
            _ = try await read(reader)
            Issue.record("accepted")
        } catch {
            // A body that is too large may have too many parts, which the parser can find first.
            #expect(error == expected || (expected == .tooLarge && error == .tooMany))
        }
    }

    @Test("reads 64 parts")
    func partLimit() async throws {
        let body = String(repeating: Self.part, count: 64) + "--XX--"
        #expect(try await read(reader([Array(body.utf8)])).count == 64)
    }

    @Test("limits a field's value, and requires UTF-8 without NUL")
    func values() async throws {
        var reader = try reader([Array(Self.form.utf8)])
        _ = try await reader.nextPart()
        #expect(try await reader.value(limit: 5) == "token")
        reader = try self.reader([Array(Self.form.utf8)])
        _ = try await reader.nextPart()
        await #expect(throws: FormError.tooLarge) { try await reader.value(limit: 4) }
        let start = Array("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
        for bytes in [[0xFF], [0xC0, 0xAF], [0]] as [[UInt8]] {
            reader = try self.reader([start + bytes + Array("\r\n--XX--".utf8)])
            _ = try await reader.nextPart()
            await #expect(throws: FormError.malformed) { try await reader.value(limit: 100) }
        }
    }

    @Test(
        "refuses boundaries that are not 1 to 70 valid characters",
        arguments: ["", String(repeating: "x", count: 71), String(repeating: "x", count: 200), "ä", "a "])
    func boundaries(_ boundary: String) {
        #expect(throws: FormError.malformed) { try reader([], boundary: boundary) }
    }

    @Test("refuses other content types and too large lengths before reading")
    func refusedHeads() {
        #expect(throws: FormError.unsupported) {
            try MultipartReader(RequestHead(headers: ["Content-Type": "text/plain"]), RequestBody(), limit: 1)
        }
        #expect(throws: FormError.tooLarge) {
            try MultipartReader(
                RequestHead(headers: ["Content-Type": "multipart/form-data; boundary=x"]),
                RequestBody(declaredLength: 10_000_000_000, source: StoredBody([])), limit: 1 << 20)
        }
    }

    @Test(
        "reduces a file name to its last component",
        arguments: [
            ("../../etc/passwd", "passwd"), ("..\\..\\x", "x"), ("C:\\x", "x"), ("/abs", "abs"), ("con", "con"),
            ("a\u{0}.jpg", "a.jpg"), ("\u{202E}gpj.exe", "gpj.exe"), ("...", ""), ("..", ""), ("", ""), ("a/", ""),
            (String(repeating: "ä", count: 5000), String(repeating: "ä", count: 120)), ("bön.jpg", "bön.jpg"),
        ])
    func fileNames(_ name: String, _ expected: String) {
        #expect(MultipartPart.displayName(name) == expected)
    }

    @Test("removes controls from an extended file name, and refuses malformed ones")
    func extendedFileName() async throws {
        let body = { (value: String) in
            Array(
                "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename*=\(value)\r\n\r\n1\r\n--XX--".utf8)
        }
        #expect(try await reader([body("UTF-8''b%C3%B6n%0d%0aSet-Cookie")]).nextPart()?.fileName == "bönSet-Cookie")
        for value in ["UTF-8''%00%0d%0aSet-Cookie", "latin1''x", "UTF-8''%ff"] {
            await #expect(throws: FormError.malformed) { try await reader([body(value)]).nextPart() }
        }
    }
}
