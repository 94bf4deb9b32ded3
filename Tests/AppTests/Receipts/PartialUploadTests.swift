import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Uploads in several parts. An interruption loses at most the part that is being sent.
@Suite(.timeLimit(.minutes(5))) struct PartialUploadTests {
    /// The header of a JPEG and further bytes, which need two full parts and a half.
    private static let picture: [UInt8] = {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 200, 0, 100, 1, 1, 0x11, 0]
        bytes += (bytes.count..<(UploadLimits.chunkBytes * 5 / 2)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return bytes
    }()

    /// An upload in parts, as the script of the page sends it.
    private struct Client {
        let browser: Browser
        let bytes: [UInt8]
        var id = UploadID.new()

        var path: String { "/uploads/\(id)" }

        func begin(size: Int? = nil, instead: ReceiptID? = nil) async throws -> Answer {
            try await browser.post(
                "/uploads",
                [
                    "upload": "\(id)", "name": "bon.jpg", "size": "\(size ?? bytes.count)",
                    "instead": instead.map { "\($0)" } ?? "",
                ])
        }

        func send(_ n: Int, token: String? = nil) async throws -> Answer {
            let start = min(n * UploadLimits.chunkBytes, bytes.count)
            return try await send(
                Array(bytes[start..<min(bytes.count, start + UploadLimits.chunkBytes)]), at: start, token: token)
        }

        func send(_ part: [UInt8], at offset: Int, token: String? = nil) async throws -> Answer {
            var csrf = token
            if csrf == nil { csrf = try await browser.get("/receipts/new").token }
            return try await browser.send(
                .post, "\(path)/parts?offset=\(offset)", type: "application/octet-stream", part,
                fields: ["X-CSRF-Token": csrf ?? ""])
        }

        func sendAll() async throws -> Answer {
            var answer = try await begin()
            for n in 0...(bytes.count - 1) / UploadLimits.chunkBytes { answer = try await send(n) }
            return answer
        }
    }

    private static func offset(_ answer: Answer) -> Int? {
        answer.text.firstMatch(of: #/"offset":(\d+)/#).flatMap { Int($0.output.1) }
    }

    private static func receipt(_ answer: Answer) -> String? {
        answer.text.firstMatch(of: #/"href":"\/receipts\/([0-9a-f-]+)"/#).map { String($0.output.1) }
    }

    @Test(.database) func `a file in parts is one receipt, even if each request is repeated`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let client = Client(browser: anna, bytes: Self.picture)
            for _ in 0..<2 { #expect(Self.offset(try await client.begin()) == 0) }
            for n in 0..<2 {
                for _ in 0..<2 {
                    let answer = try await client.send(n)
                    #expect(answer.status == .ok && Self.offset(answer) == (n + 1) * UploadLimits.chunkBytes)
                    #expect(Self.receipt(answer) == nil)
                }
            }
            #expect(try scene.count("SELECT count(*) FROM receipt") == 0)
            let firstAnswer = try await client.send(2)
            #expect(Self.offset(firstAnswer) == Self.picture.count)
            let receipt = try #require(Self.receipt(firstAnswer))
            for answer in [try await client.send(2), try await client.begin(), try await anna.get(client.path)] {
                #expect(Self.receipt(answer) == receipt)
            }
            #expect(try scene.count("SELECT count(*) FROM receipt") == 1)
            #expect(try scene.count("SELECT count(*) FROM job") == 1)
            #expect(try scene.text("SELECT media_type FROM receipt_file") == "image/jpeg")
            let chunks = try scene.owner.query("SELECT bytes FROM blob_chunk ORDER BY n").decode([UInt8].self)
            #expect(Array(chunks.joined()) == Self.picture)
        }
    }

    @Test(.database) func `an interrupted upload can be continued by another server process`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let client = Client(browser: anna, bytes: Self.picture)
            _ = try await client.begin()
            _ = try await client.send(0)
            let other = try App(config: try AppHarness.config(), database: harness.database, log: Log(level: .error))
            let browser = Browser(app: other, language: "de")
            browser.cookies = anna.cookies
            let resumed = Client(browser: browser, bytes: Self.picture, id: client.id)
            #expect(Self.offset(try await browser.get(client.path)) == UploadLimits.chunkBytes)
            // A gap is not accepted.
            #expect(Self.offset(try await resumed.send(2)) == UploadLimits.chunkBytes)
            _ = try await resumed.send(1)
            #expect(Self.receipt(try await resumed.send(2)) != nil)
        }
    }

    /// Sends the last part from a second browser.
    private static func sendLast(
        _ harness: AppHarness, _ cookies: [String: String], _ id: UploadID, _ token: String
    ) async throws -> Status {
        let browser = harness.browser()
        browser.cookies = cookies
        return try await Client(browser: browser, bytes: picture, id: id).send(2, token: token).status
    }

    @Test(.database) func `two simultaneous requests with the last part make one receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let client = Client(browser: anna, bytes: Self.picture)
            _ = try await client.begin()
            for n in 0..<2 { _ = try await client.send(n) }
            let token = try #require(try await anna.get("/receipts/new").token)
            let (cookies, id) = (anna.cookies, client.id)
            async let first = Self.sendLast(harness, cookies, id, token)
            async let second = Self.sendLast(harness, cookies, id, token)
            let statuses = [try await first, try await second]
            // The server may ask one request to retry while the other finishes.
            #expect(statuses.contains(.ok) && statuses.allSatisfy { $0 == .ok || $0 == .serviceUnavailable })
            #expect(Self.receipt(try await client.send(2)) != nil)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 1)
        }
    }

    @Test(.database) func `uploading the same file again gives the same receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let first = try await Client(browser: anna, bytes: Self.picture).sendAll()
            let second = try await Client(browser: anna, bytes: Self.picture).sendAll()
            #expect(Self.receipt(first) != nil && Self.receipt(first) == Self.receipt(second))
            #expect(first.text.contains("\"isDuplicate\":false") && second.text.contains("\"isDuplicate\":true"))
        }
    }

    @Test(.database) func `a file of another type is refused, and its bytes are removed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let client = Client(browser: anna, bytes: Array("Dear diary".utf8))
            for answer in [try await client.sendAll(), try await client.send(0), try await anna.get(client.path)] {
                #expect(answer.status == .unsupportedMediaType)
                #expect(answer.text.contains("Das ist weder ein Foto noch ein PDF."))
            }
            #expect(try scene.count("SELECT count(*) FROM blob") == 0)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 0)
        }
    }

    @Test(.database) func `parts at a wrong offset or of a wrong size are refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let client = Client(browser: anna, bytes: Self.picture)
            #expect(try await client.send(0).status == .notFound)
            #expect(try await client.begin(size: 0).status == .unprocessableContent)
            #expect(try await client.begin(size: UploadLimits.fileBytes + 1).status == .contentTooLarge)
            _ = try await client.begin()
            #expect(try await client.begin(size: 7).status == .badRequest)
            #expect(try await client.send(0, token: "no").status == .forbidden)
            for (part, offset) in [
                ([1, 2, 3] as [UInt8], 0), (Array(Self.picture.prefix(UploadLimits.chunkBytes)), 7),
                ([1], Self.picture.count), ([1], -1),
            ] {
                #expect(try await client.send(part, at: offset).status == .badRequest, "\(part.count) at \(offset)")
            }
            let long = [UInt8](repeating: 1, count: UploadLimits.chunkBytes + 1)
            #expect(try await client.send(long, at: 0).status == .contentTooLarge)
            #expect(Self.offset(try await anna.get(client.path)) == 0)
            // Another member of the household cannot continue the upload.
            let ben = try await harness.invite(by: anna)
            #expect(try await ben.get(client.path).status == .notFound)
        }
    }

    @Test(.database) func `a phone that did not receive the answer gets the same receipt days later`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let client = Client(browser: anna, bytes: Self.picture)
            let receipt = try #require(Self.receipt(try await client.sendAll()))
            // The member has discarded the receipt, so its digest no longer finds it.
            #expect(try await anna.post("/receipts/\(receipt)/discard").status == .seeOther)
            try scene.owner.query("UPDATE upload SET touched_at = now() - interval '80 days'")
            try await Sweeper.run(harness.database)
            #expect(Self.receipt(try await client.begin()) == receipt)
            try scene.owner.query("UPDATE upload SET touched_at = now() - interval '91 days'")
            try await Sweeper.run(harness.database)
            #expect(try scene.count("SELECT count(*) FROM upload") == 0)
        }
    }

    /// Announces a file with a separate browser, so that announcements can be simultaneous.
    private static func begin(_ cookies: [String: String], _ harness: AppHarness) async throws -> Status {
        let browser = harness.browser()
        browser.cookies = cookies
        return try await browser.post("/uploads", ["upload": "\(UploadID.new())", "name": "a", "size": "9"]).status
    }

    @Test(.database) func `simultaneous announcements do not exceed the number of unfinished uploads`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (owner, locking, cookies) = (try harness.owner(), try harness.owner(), anna.cookies)
            for _ in 1..<PartialUploads.maximumUnfinished { #expect(try await Self.begin(cookies, harness) == .ok) }
            try locking.query("BEGIN")
            try locking.query("SELECT 1 FROM household WHERE id = \(anna.household) FOR UPDATE")
            async let first = Self.begin(cookies, harness)
            async let second = Self.begin(cookies, harness)
            try await owner.waitForBlockedStatement(count: 2)
            try locking.query("COMMIT")
            let statuses = [try await first, try await second]
            #expect(statuses.contains(.ok) && statuses.contains(.tooManyRequests), "\(statuses)")
            let count = try owner.query("SELECT count(*) FROM upload").first(Int64.self)
            #expect(count == PartialUploads.maximumUnfinished)
        }
    }

    @Test(.database) func `the number of unfinished uploads is limited, and they expire`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let page = try await anna.get("/receipts/new")
            func begin() async throws -> Status {
                try await anna.post(
                    "/uploads", ["upload": "\(UploadID.new())", "name": "a", "size": "9"], on: page
                ).status
            }
            for _ in 0..<PartialUploads.maximumUnfinished { #expect(try await begin() == .ok) }
            #expect(try await begin() == .tooManyRequests)
            // A new upload replaces the interrupted upload. A further upload is refused, because no other upload is
            // interrupted.
            try scene.owner.query(
                """
                UPDATE upload SET touched_at = now() - interval '4 minutes'
                WHERE id = (SELECT id FROM upload ORDER BY id LIMIT 1)
                """)
            #expect(try await begin() == .ok)
            #expect(try scene.count("SELECT count(*) FROM upload") == PartialUploads.maximumUnfinished)
            #expect(try await begin() == .tooManyRequests)
            // Uploads without recent activity do not count towards the limit.
            try scene.owner.query("UPDATE upload SET touched_at = now() - interval '20 minutes'")
            #expect(try await begin() == .ok)
            #expect(try scene.count("SELECT count(*) FROM upload") == 11)
            #expect(try scene.count("SELECT count(*) FROM blob") == 11)
            // The bytes of uploads without recent activity are stored for a day.
            try scene.owner.query("UPDATE blob SET created_at = now() - interval '3 hours'")
            try await Sweeper.run(harness.database)
            #expect(try scene.count("SELECT count(*) FROM blob") == 11)
            try scene.owner.query("UPDATE upload SET touched_at = now() - interval '25 hours'")
            try await Sweeper.run(harness.database)
            #expect(try scene.count("SELECT count(*) FROM upload") == 0)
            #expect(try scene.count("SELECT count(*) FROM blob") == 0)
        }
    }
}
