import Domain
import EventLoop
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The stream of events that tells open pages about changes.
@Suite(.timeLimit(.minutes(5))) struct ChangesTests {
    @Test(.database) func `reports who changed which receipt, but no changes of other households`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let stranger = try await harness.signUp("Berta Adler")
            let receipt = try await Self.receipt(anna, harness)
            let events = try await Self.events(paul, harness)
            #expect(events.contains("event: hello") && events.contains("event: changes"))
            #expect(events.contains(receipt.description) && events.contains("\"by\":\"Anna Berger\""))
            #expect(events.contains("\"isOwn\":false"))
            #expect(try await Self.events(anna, harness).contains("\"isOwn\":true"))
            let strangerEvents = try await Self.events(stranger, harness)
            #expect(!strangerEvents.contains(receipt.description))
        }
    }

    @Test(.database) func `does not report a receipt to members from whom it is hidden`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let gift = try await Self.receipt(anna, harness)
            try await harness.hide(gift, by: anna)
            #expect(try await Self.events(anna, harness).contains(gift.description))
            let others = try await Self.events(paul, harness)
            #expect(!others.contains(gift.description))
        }
    }

    @Test(.database) func `does not report the images of a receipt to members from whom it is hidden`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let picture = HostilePictures.png(width: 100, height: 200, rest: Array("Geschenk".utf8))
            let upload = try await anna.upload(
                "/receipts", field: "files", fileName: "a.png", type: "image/png", picture)
            let location = try #require(upload.location)
            let gift = try #require(ReceiptID(String(location.dropFirst("/receipts/".count))))
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            try await harness.hide(gift, by: anna)
            let image = try #require(
                try harness.owner().query("SELECT id FROM receipt_file WHERE receipt_id = \(gift)").first(FileID.self))
            #expect(try await Self.events(anna, harness).contains(image.description))
            #expect(try await !Self.events(paul, harness).contains(image.description))
        }
    }

    @Test(.database) func `reports a personal expense only to its owner`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let personal = try await anna.expense("77,77", "Geheimkauf", [("personal", "1")])
            let shared = try await anna.expense("12", "Kino")
            #expect(try await Self.events(anna, harness).contains("\(personal)"))
            let others = try await Self.events(paul, harness)
            #expect(others.contains("\(shared)"))
            #expect(!others.contains("\(personal)"))
        }
    }

    @Test(.database) func `reports documents of different types with the same identifier`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let id = SyncScene.key(.store).id
            try await scene.edit(DocumentKey(.store, id)) { $0 = ["type": "store", "name": "Laden"] }
            try await scene.edit(DocumentKey(.category, id)) { $0 = ["type": "category", "name": "Kaviar"] }
            let events = try await Self.events(anna, harness)
            for type in ["store", "category"] {
                #expect(events.contains(#""type":"\#(type)","id":"\#(id)""#), "\(events)")
            }
        }
    }

    @Test(.database) func `reports an image without a receipt and a bank file only to their uploader`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let couch = try await CouchClient(harness, anna)
            let image = SyncScene.key(.image)
            let picture = HostilePictures.receipt
            let body: JSONValue = [
                "type": "image",
                "_attachments": [
                    "bon.png": ["content_type": "image/png", "data": .string(Base64Bytes.encode(picture))]
                ],
            ]
            #expect(try await couch.push([CouchClient.revision(image.description, ["1-a"], body)]).isEmpty)
            let caller = try await harness.caller(anna)
            let table = "Datum;Name;Betrag\n05.03.2026;OMV;-62,10\n"
            let answer = try await caller.send(
                .post, "/api/v1/bank-files?name=bank.csv", type: "text/csv", Array(table.utf8))
            let path = try #require(answer.location, "\(answer.text)")
            #expect(try await caller.post("\(path)/confirmation", "{}", ["If-Match": "*"]).status == .ok)
            let file = try #require(path.split(separator: "/").last.map(String.init))
            let (own, others) = (try await Self.events(anna, harness), try await Self.events(paul, harness))
            #expect(own.contains(image.id.description) && own.contains(file))
            #expect(!others.contains(image.id.description) && !others.contains(file))
        }
    }

    @Test(.database)
    func `reports a hidden receipt's pictures and a personal expense's deletion only to their owner`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let gift = try scene.receipt([("VASE", 4_900)], person: anna.person)
            try await harness.hide(gift, by: anna)
            let file = try #require(try scene.owner.query("SELECT id FROM receipt_file").first(FileID.self))
            let expense = try await anna.expense("77,77", "Geheimkauf", [("personal", "1")])
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.expense, expense.relabelled())
            try await sync.delete(key)
            let own = try await Self.events(anna, harness)
            #expect(own.contains("\(file)") && own.contains("\(expense)"))
            let others = try await Self.events(paul, harness)
            #expect(!others.contains("\(file)") && !others.contains("\(expense)"))
        }
    }

    @Test(.database) func `ends the stream of a removed member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            _ = try await Self.receipt(anna, harness)
            let member = try await Self.member(paul, harness)
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            let events = try await Self.events(member, harness)
            #expect(events.hasPrefix("event: ended"))
        }
    }

    private static func receipt(_ browser: Browser, _ harness: AppHarness) async throws -> ReceiptID {
        let answer = try await browser.post("/receipts/drafts")
        let parts = try #require(answer.location).split(separator: "/")
        return try #require(ReceiptID(String(parts[1])))
    }

    private static func member(_ browser: Browser, _ harness: AppHarness) async throws -> Member {
        let cookie = try #require(browser.cookies["__Host-session"])
        return try #require(try await Sessions(database: harness.database).find(cookie)).member
    }

    private static func events(_ browser: Browser, _ harness: AppHarness) async throws -> String {
        try await events(try await member(browser, harness), harness)
    }

    /// Returns all events from the beginning until the stream waits or ends.
    private static func events(_ member: Member, _ harness: AppHarness) async throws -> String {
        let reader = Reader()
        let events = ChangeEvents(database: harness.database, member: member, version: "1", since: 0, age: 0)
        let loop = try #require(EventLoop.current)
        let task = Task(executorPreference: loop) { try? await events.send(to: reader) }
        while !reader.hasEnded, harness.database.signal.waitingCount == 0 { await loop.sleep(for: .milliseconds(5)) }
        task.cancel()
        _ = await task.value
        return String(decoding: reader.bytes, as: UTF8.self)
    }

    private final class Reader: ResponseWriter, @unchecked Sendable {
        // Safe to share: used on the loop of the test only.
        var bytes: [UInt8] = []
        var hasEnded = false

        func send(_ bytes: [UInt8]) async throws(Disconnected) {
            self.bytes += bytes
            hasEnded = String(decoding: bytes, as: UTF8.self).hasPrefix("event: ended")
        }
    }
}
