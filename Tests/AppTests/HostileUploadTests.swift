import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Uploads of files that are not receipts, and malformed bodies.
@Suite(.timeLimit(.minutes(5))) struct HostileUploadTests {
    /// Returns the number of rows in all tables that an upload writes.
    static func storedRowCount(_ connection: SynchronousConnection) throws -> Int64? {
        try connection.query(
            """
            SELECT (SELECT count(*) FROM blob) + (SELECT count(*) FROM blob_chunk) + (SELECT count(*) FROM receipt)
                + (SELECT count(*) FROM receipt_file) + (SELECT count(*) FROM job)
            """
        ).first(Int64.self)
    }

    static let refusedFiles: [(String, [UInt8], Int)] = [
        ("50,000 × 50,000 pixels", HostilePictures.png(width: 50_000, height: 50_000), 422),
        ("19,000 × 19,000 pixels", HostilePictures.png(width: 19_000, height: 19_000), 422),
        ("30,000 × 1 pixels", HostilePictures.png(width: 30_000, height: 1), 422),
        ("0 × 100 pixels", HostilePictures.png(width: 0, height: 100), 422),
        ("an empty file", [], 422),
        ("one byte", [0x89], 422),
        ("only the signature of a JPEG", [0xFF, 0xD8, 0xFF], 422),
        ("only the signature of a PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 422),
        (
            "an SVG drawing with a script",
            Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>".utf8),
            415
        ),
        ("an HTML page", Array("<!doctype html><script>alert(1)</script>".utf8), 415),
        ("a GIF", Array("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8), 415),
        ("a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], 415),
        ("an ImageMagick script", Array("push graphic-context\nimage over 0,0 0,0 'label:@/etc/passwd'".utf8), 415),
        ("PostScript", Array("%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file".utf8), 415),
        ("a program", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], 415),
        ("an archive", [0x50, 0x4B, 3, 4, 20, 0, 0, 0], 415),
    ]

    @Test(.database) func `refuses files that are not readable pictures and stores nothing`() async throws {
        try await AppHarness.run { harness in
            for (file, bytes, status) in Self.refusedFiles {
                let anna = try await harness.signUp()
                let answer = try await anna.upload(
                    "/receipts", field: "files", fileName: "bon.jpg", type: "image/jpeg", bytes)
                #expect(answer.status.code == status, "\(file)")
                #expect(try Self.storedRowCount(try harness.owner()) == 0, "\(file)")
            }
        }
    }

    @Test(.database) func `a file name is shown shortened and escaped`() async throws {
        try await AppHarness.run { harness in
            for name in [
                "../../etc/passwd", "..\\..\\x", "C:\\x", "/abs", "con", "....", String(repeating: "x", count: 5_000),
                "a\u{202E}gpj.exe", "<img src=x onerror=alert(1)>.jpg", "{{secret}}%n%s${7*7}",
            ] {
                let anna = try await harness.signUp()
                // Send two files, because only the page after several uploads lists their names.
                let token = try #require(try await anna.get("/receipts/new").token)
                var body = Self.part("name=\"csrf\"", Array(token.utf8))
                for height in [101, 102] as [UInt32] {
                    body += Self.part(
                        "name=\"files\"; filename=\"\(name)\"", HostilePictures.png(width: 100, height: height))
                }
                let answer = try await anna.send(.post, "/receipts", type: Self.type, body + Array("--b--\r\n".utf8))
                // A file name that ends with a backslash can make the request malformed, and the longest name is too
                // large. No file name may cause an internal error.
                #expect([303, 400, 413].contains(answer.status.code), "\(answer.status)")
                var page = answer
                if let location = answer.location { page = try await anna.get(location) }
                #expect(page.status == .ok || page.status == answer.status, "\(page.status)")
                #expect(!page.text.contains("<img src=x"))
                let names = try harness.owner().query("SELECT name FROM receipt_file").decode(String.self)
                #expect(names.allSatisfy { $0.unicodeScalars.count <= 200 })
            }
        }
    }

    private static let type = "multipart/form-data; boundary=b"

    private static func part(_ disposition: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    @Test(.database) func `a file name in extended notation cannot inject a header or a path`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let token = try #require(try await anna.get("/receipts/new").token)
            let body =
                Self.part("name=\"csrf\"", Array(token.utf8))
                + Self.part(
                    "name=\"files\"; filename=\"a\"; filename*=UTF-8''%00%0d%0aSet-Cookie:%20a=b",
                    HostilePictures.png(width: 100, height: 200)) + Array("--b--\r\n".utf8)
            let answer = try await anna.send(.post, "/receipts", type: Self.type, body)
            #expect(answer.status.code < 500)
            #expect(!answer.headers.values(.setCookie).contains { $0.hasPrefix("a=") })
        }
    }

    static let brokenForms: [(String, String, String)] = [
        ("no boundary", "multipart/form-data", "--b\r\n"),
        ("an empty boundary", "multipart/form-data; boundary=\"\"", "--\r\n"),
        (
            "a boundary of 200 characters", "multipart/form-data; boundary=" + String(repeating: "b", count: 200),
            "--b\r\n"
        ),
        (
            "no final boundary", type,
            "TOKEN--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\nPNG"
        ),
        ("a part without a name", type, "TOKEN--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"),
        (
            "a header line of a megabyte", type,
            "TOKEN--b\r\nContent-Disposition: form-data; name=\"\(String(repeating: "n", count: 1 << 20))\"\r\n\r\nx\r\n--b--\r\n"
        ),
        (
            "a hundred thousand parts", type,
            "TOKEN"
                + String(repeating: "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nx\r\n", count: 100_000)
                + "--b--\r\n"
        ),
        (
            "a nested multipart", type,
            "TOKEN--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\nContent-Type: multipart/mixed; "
                + "boundary=c\r\n\r\n--c\r\nContent-Disposition: file; filename=\"x\"\r\n\r\nx\r\n--c--\r\n\r\n--b--\r\n"
        ),
        (
            "the file before the token", type,
            "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\nPNG\r\n--b--\r\n"
        ),
        ("a wrong token", type, "--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nwrong\r\n--b--\r\n"),
    ]

    @Test(.database) func `a broken multipart body is refused, and nothing of it is stored`() async throws {
        try await AppHarness.run { harness in
            for (fault, type, text) in Self.brokenForms {
                let anna = try await harness.signUp()
                let token = try #require(try await anna.get("/receipts/new").token)
                let first = String(decoding: Self.part("name=\"csrf\"", Array(token.utf8)), as: UTF8.self)
                var body = Array(text.utf8)
                if text.hasPrefix("TOKEN") { body = Array(first.utf8) + body.dropFirst(5) }
                if let mark = body.firstRange(of: Array("PNG".utf8)) {
                    body.replaceSubrange(mark, with: HostilePictures.png(width: 100, height: 200))
                }
                let answer = try await anna.send(.post, "/receipts", type: type, body)
                #expect((400..<500).contains(answer.status.code), "\(fault): \(answer.status)")
                #expect(try Self.storedRowCount(try harness.owner()) == 0, "\(fault)")
            }
        }
    }

    @Test(.database) func `a body of ten gigabytes is refused by its declared length, before a byte is read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let body = RequestBody(declaredLength: 10_000_000_000, source: UnreadableBody())
            let answer = try await anna.send(.post, "/receipts", type: Self.type, body: body, fields: [:])
            #expect(answer.status == .contentTooLarge)
            let form = RequestBody(declaredLength: 10_000_000_000, source: UnreadableBody())
            let secondAnswer = try await anna.send(
                .post, "/settings/account", type: "application/x-www-form-urlencoded", body: form, fields: [:])
            #expect(secondAnswer.status == .contentTooLarge)
        }
    }

    @Test(.database) func `an interrupted upload stores nothing`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let token = try #require(try await anna.get("/receipts/new").token)
            let picture = HostilePictures.png(width: 100, height: 200, rest: [UInt8](repeating: 7, count: 3 << 20))
            let whole =
                Self.part("name=\"csrf\"", Array(token.utf8)) + Self.part("name=\"files\"; filename=\"a\"", picture)
            let body = RequestBody(
                declaredLength: whole.count + 1000, source: BreakingBody(bytes: whole.dropLast(30_000)))
            let answer = try await anna.send(.post, "/receipts", type: Self.type, body: body, fields: [:])
            #expect(answer.status.code >= 400)
            #expect(try Self.storedRowCount(try harness.owner()) == 0)
        }
    }

    @Test(.database)
    func `the same picture is one receipt in a household, and another receipt in another household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let picture = HostilePictures.png(width: 100, height: 200)
            let first = try await anna.upload("/receipts", field: "files", fileName: "a", type: "image/png", picture)
            let second = try await anna.upload("/receipts", field: "files", fileName: "b", type: "image/png", picture)
            #expect(first.status == .seeOther && second.status == .seeOther)
            #expect(first.location == second.location)
            let other = try await harness.signUp("Paul Huber", household: "Anderswo")
            let third = try await other.upload("/receipts", field: "files", fileName: "a", type: "image/png", picture)
            #expect(third.location != first.location)
            #expect(try harness.owner().query("SELECT count(*) FROM receipt").first(Int64.self) == 2)
            #expect(try harness.owner().query("SELECT count(*) FROM blob").first(Int64.self) == 2)
        }
    }
}

/// A body that must not be read.
private struct UnreadableBody: BodySource {
    func next() async throws(BodyError) -> [UInt8]? {
        Issue.record("the body was read")
        return nil
    }

    func setPace(_ pace: BodyPace) {}
}

/// A request body that ends because the client disconnects.
private final class BreakingBody: BodySource, @unchecked Sendable {
    // Safe to share: one request reads it.
    private var pieces: ArraySlice<UInt8>

    init(bytes: some Collection<UInt8>) { pieces = ArraySlice(bytes) }

    func next() async throws(BodyError) -> [UInt8]? {
        guard !pieces.isEmpty else { throw .disconnected }
        let piece = Array(pieces.prefix(64 << 10))
        pieces = pieces.dropFirst(piece.count)
        return piece
    }

    func setPace(_ pace: BodyPace) {}
}
