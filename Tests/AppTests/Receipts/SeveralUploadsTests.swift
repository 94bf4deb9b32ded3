import Domain
import EventLoop
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Several files in one upload. The page shows the progress of each file until the file is read.
@Suite(.timeLimit(.minutes(5))) struct SeveralUploadsTests {
    /// Uploads `count` files, and returns their receipts in the order of the queue.
    private static func uploadFiles(_ browser: Browser, count: UInt8) async throws -> [ReceiptID] {
        var ids: [ReceiptID] = []
        for n in 0..<count {
            let answer = try await browser.uploadAll([("bon-\(n).png", picture(n))])
            ids.append(try #require(answer.location.flatMap { ReceiptID(String($0.dropFirst("/receipts/".count))) }))
        }
        return ids
    }

    private static func list(_ ids: [ReceiptID]) -> String { ids.map(\.description).joined(separator: ",") }

    /// Stores a reading and ends its job.
    private static func finish(_ receipt: ReceiptID, _ scene: ReceiptScene, verdict: String = "review") throws {
        try scene.owner.query("DELETE FROM job WHERE subject_id = \(receipt)")
        try scene.owner.query(
            """
            UPDATE receipt SET stage = 'review', verdict = \(verdict), printed_store = '{"name": "SPAR"}',
                total_minor = 3418
            WHERE id = \(receipt)
            """)
    }

    @Test(.database) func `without scripts, the page after several uploads reloads until all are read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.uploadAll([("a.png", Self.picture(1)), ("b.png", Self.picture(2))])
            #expect(answer.status == .seeOther)
            let address = try #require(answer.location)
            #expect(address.hasPrefix("/receipts/uploads?receipts="))
            let scene = try harness.scene(anna)
            let ids = try scene.owner.query("SELECT id FROM receipt ORDER BY id").decode(ReceiptID.self)
            try #require(ids.count == 2)
            let waitingPage = try await anna.get(address)
            #expect(waitingPage.text.contains("a.png") && waitingPage.text.contains("b.png"))
            #expect(waitingPage.text.contains(#"http-equiv="refresh""#))
            for id in ids { #expect(waitingPage.text.contains("data-reading=\"\(id)\"")) }
            try Self.finish(ids[0], scene, verdict: "proven")
            let half = try await anna.get(address)
            #expect(half.text.contains(#"http-equiv="refresh""#) && half.text.contains("nachgerechnet"))
            #expect(!half.text.contains("data-reading=\"\(ids[0])\""))
            // The row of a receipt that was read shows store and total instead of the file name.
            #expect(half.text.contains(">SPAR<") && half.text.contains("34,18 € · nachgerechnet"))
            #expect(!half.text.contains("a.png") && half.text.contains("b.png"))
            try Self.finish(ids[1], scene)
            let finishedPage = try await anna.get(address)
            #expect(!finishedPage.text.contains(#"http-equiv="refresh""#) && finishedPage.text.contains("zu prüfen"))
            // The same files again are duplicates, so no file waits.
            let secondUpload = try await anna.uploadAll([("a.png", Self.picture(1)), ("b.png", Self.picture(2))])
            let pageOfKnownFiles = try await anna.get(try #require(secondUpload.location))
            #expect(
                pageOfKnownFiles.text.contains("nicht doppelt gezählt")
                    && !pageOfKnownFiles.text.contains("data-reading"))
        }
    }

    @Test(.database) func `a refused file is named together with the files that are being read`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.uploadAll([("a.png", Self.picture(1)), ("c.txt", Array("Milch".utf8))])
            #expect(answer.status == .ok)
            #expect(answer.text.contains("c.txt") && answer.text.contains("Das ist weder ein Foto noch ein PDF"))
            // Reloading this page would send the files again. It links to a page that can be reloaded.
            #expect(!answer.text.contains("http-equiv"))
            let address = try #require(answer.attribute("href", after: "class=\"buttons space-above\""))
            #expect(try await anna.get(address).text.contains("a.png"))
        }
    }

    @Test(.database) func `one stream reports every receipt when it is read, and ends after the last`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let ids = try await Self.uploadFiles(anna, count: 3)
            try Self.finish(ids[0], scene, verdict: "proven")
            let signedIn = try await Sessions(database: harness.database).find(anna.cookies["__Host-session"] ?? "")
            let member = try #require(signedIn).member
            let reader = Reader { sent in
                // After the stream has reported a receipt, end the reading of the next receipt.
                for (id, next) in zip(ids, ids.dropFirst())
                where sent.contains("event: read\ndata: {\"receipt\":\"\(id)\"") {
                    try? Self.finish(next, scene)
                }
            }
            try await SeveralReadingEvents(
                database: harness.database, member: member, receipts: ids, words: try Words.load()
            ).send(to: reader)
            let stream = reader.text
            let events = stream.split(separator: "\n\n").filter { $0.hasPrefix("event: ") }.map(String.init)
            func read(_ id: ReceiptID) -> String { "event: read\ndata: {\"receipt\":\"\(id)\"," }
            let first = #""title":"SPAR","words":"34,18\#u{A0}€ · nachgerechnet"}"#
            #expect(events.first == read(ids[0]) + first, "\(stream)")
            for id in ids.dropFirst() {
                #expect(events.contains { $0.hasPrefix(read(id)) && $0.hasSuffix(#"zu prüfen"}"#) })
                #expect(events.contains { $0.hasPrefix("event: progress\n") && $0.contains("\(id)") })
            }
            #expect(stream.contains("wartet (1 davor)"))
            #expect(events.filter { $0.hasPrefix("event: read") }.count == 3)
            #expect(events.last == "event: done\ndata: {}")
        }
    }

    @Test(.database) func `the stream reports neither another member's hidden receipt nor another household's receipt`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let gift = try await Self.uploadFiles(anna, count: 1)[0]
            try scene.owner.query("UPDATE receipt SET hidden_until = current_date + 20 WHERE id = \(gift)")
            let stranger = try await harness.signUp("Carla Fremd")
            for other in [ben, stranger] {
                let stream = try await other.get("/receipts/events?receipts=\(gift)").text
                #expect(stream.contains("\"words\":\"\"") && stream.contains("event: done"))
                #expect(try await other.get("/receipts/uploads?receipts=\(gift)").location == "/receipts")
            }
            #expect(try await anna.get("/receipts/uploads?receipts=\(gift)").text.contains("bon-0.png"))
        }
    }

    @Test(.database) func `the inbox marks the receipts that are being read, for the script of the page`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let ids = try await Self.uploadFiles(anna, count: 2)
            try Self.finish(ids[0], scene)
            for address in ["/receipts", "/"] {
                let text = try await anna.get(address).text
                #expect(text.contains("data-inbox") && text.contains("/js/progress"), "\(address)")
                #expect(!text.contains("data-reading=\"\(ids[0])\"") && text.contains("data-reading=\"\(ids[1])\""))
            }
        }
    }

    /// A client that calls a closure for each part of the stream.
    private final class Reader: ResponseWriter, @unchecked Sendable {
        // Safe to share: used on one loop.
        private(set) var text = ""
        private let react: (String) -> Void

        init(_ react: @escaping (String) -> Void) { self.react = react }

        func send(_ bytes: [UInt8]) async throws(Disconnected) {
            let sentText = String(decoding: bytes, as: UTF8.self)
            text += sentText
            react(sentText)
        }
    }

    /// Returns the first bytes of a picture, enough for the server's inspection. Each number gives different bytes.
    private static func picture(_ n: UInt8) -> [UInt8] {
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 100, 0, 0, 0,
            200,
        ]
            + [8, 2, 0, 0, 0, n, n, n, n] + [UInt8](repeating: n, count: 2_000)
    }
}

extension Browser {
    /// Sends several files in one form, as browsers do without scripts.
    func uploadAll(_ files: [(name: String, bytes: [UInt8])]) async throws -> Answer {
        let token = try await get("/receipts/new").token ?? ""
        var body = Array(
            "--harness\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n".utf8)
        for file in files {
            body += Array(
                """
                --harness\r\nContent-Disposition: form-data; name="files"; filename="\(file.name)"\r\n\
                Content-Type: application/octet-stream\r\n\r\n
                """.utf8)
            body += file.bytes + Array("\r\n".utf8)
        }
        body += Array("--harness--\r\n".utf8)
        return try await send(.post, "/receipts", type: "multipart/form-data; boundary=harness", body)
    }
}
