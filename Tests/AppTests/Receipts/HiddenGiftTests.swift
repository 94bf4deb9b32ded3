import DocumentParsing
import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Pages do not reveal a hidden receipt to other members.
@Suite(.timeLimit(.minutes(5))) struct HiddenGiftTests {
    private static let picture = HostilePictures.png(width: 100, height: 200, rest: Array("Geschenk".utf8))

    private func upload(_ browser: Browser) async throws -> Answer {
        try await browser.upload("/receipts", field: "files", fileName: "a.png", type: "image/png", Self.picture)
    }

    @Test(.database) func `a picture is not reported as a duplicate of a hidden receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let gift = try #require(try await upload(anna).location)
            let id = try #require(ReceiptID(String(gift.dropFirst("/receipts/".count))))
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            try await harness.hide(id, by: anna)
            let other = try #require(try await upload(ben).location)
            #expect(other != gift)
            #expect(try await ben.get(other).status == .ok)
            // The uploader always sees the hidden receipt. Other members see it from its publication day on.
            #expect(try await upload(anna).location == gift)
            try scene.owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(id)")
            #expect(try await upload(ben).location == gift)
        }
    }

    @Test(.database)
    func `a repeat of a hidden gift is marked for the gift's uploader only, and is not confirmed with other receipts`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let gift = try scene.receipt([("VASE", 4_900)], person: anna.person)
            try await harness.confirm(gift, by: anna)
            try await harness.hide(gift, by: anna)
            let repeatedReceipt = try scene.receipt(
                [("VASE", 4_900)], person: anna.person, head: .init(verdict: .proven, duplicateOf: gift))
            for (browser, isShown) in [(anna, true), (ben, false)] {
                for path in ["/receipts", "/receipts/\(repeatedReceipt)/review"] {
                    let page = try await browser.get(path).text
                    #expect(page.contains("gibt es schon</span>") == isShown, "\(path)")
                    #expect(page.contains("gibt es vermutlich schon") == (isShown && path != "/receipts"), "\(path)")
                }
                let duplicatesPage = try await browser.get("/receipts?state=duplicate").text
                #expect(duplicatesPage.contains("/receipts/\(repeatedReceipt)\"") == isShown)
                // There is no button that confirms the proven receipts, because none of them may be confirmed.
                #expect(try await !browser.get("/receipts").text.contains("/receipts/confirmations"))
                #expect(try await !browser.get("/").text.contains("/receipts/confirmations"))
                _ = try await browser.post("/receipts/confirmations")
                #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(repeatedReceipt)") == "review")
            }
        }
    }

    @Test(.database, arguments: [false, true])
    func `a purchase is a duplicate of a hidden receipt for the receipt's uploader only`(isOwn: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.invite(by: anna)
            let benID = try #require(
                try await harness.database.read("SELECT id FROM person WHERE login = 'ben@example.at'").first(
                    PersonID.self))
            let scene = try harness.scene(anna)
            let gift = try scene.receipt([("VASE", 4900)], person: anna.person)
            try await harness.change(gift, #"{"purchase_time": "10:15"}"#, by: anna)
            try await harness.confirm(gift, by: anna)
            try await harness.hide(gift, by: anna)
            let second = try scene.receipt([], stage: "reading", person: isOwn ? anna.person : benID)
            _ = try await harness.database.query(JobQueue.enqueue(.read, second.relabelled(), anna.household))
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let today = try #require(LocalDate(parsing: "2026-11-21"))
            let parsed = ReceiptParser(today: today).parse(
                RecognizedDocument(pages: [ReadingScene.page(.ocr, ["VASE 49,00", "SUMME 49,00", "02.11.2026 10:15"])]))
            try await ReadingResults(database: harness.database).finish(claim, StoredReading(receipt: parsed), [])
            #expect(
                try scene.text("SELECT duplicate_of::text FROM receipt WHERE id = \(second)")
                    == (isOwn ? gift.description : nil))
        }
    }

    @Test(.database) func `an import preview does not reveal that a hidden line is stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let table = "Name;Price;Category;Shop;Datum\nVase;49,00;;HOFER;21.10.2026\n"
            func preview(_ browser: Browser) async throws -> String {
                let sent = try await browser.importFile(table)
                return try #require(sent.location)
            }
            _ = try await anna.post("\(try await preview(anna))/confirmation")
            let gift = try #require(try scene.owner.query("SELECT id FROM receipt").first(ReceiptID.self))
            try await harness.hide(gift, by: anna)
            #expect(try await anna.get(try await preview(anna)).text.contains("gibt es schon"))
            #expect(try await !ben.get(try await preview(ben)).text.contains("gibt es schon"))
        }
    }

    @Test(.database) func `a store with only a hidden receipt is not in the lists of other members`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let gift = try await confirmedReceipt("Geheimladen", [("BUCH", 4900)], anna, harness)
            let other = try await confirmedReceipt("Alltagsladen", [("MILCH", 179)], anna, harness)
            try await harness.hide(gift, by: anna)
            _ = try await anna.post("/matching/new-products")
            for path in ["/receipts", "/products", "/receipts/\(other)/review"] {
                #expect(try await !ben.get(path).text.contains("Geheimladen"), "\(path)")
                #expect(try await ben.get(path).text.contains("Alltagsladen"), "\(path)")
            }
            #expect(try await anna.get("/receipts").text.contains("Geheimladen"))
            // A visible receipt of the store makes the store visible.
            try await harness.change(other, #"{"store": "Geheimladen"}"#, by: anna)
            #expect(try await ben.get("/receipts").text.contains("Geheimladen"))
        }
    }

    @Test(.database) func `names of a hidden gift are shown to nobody before its publication day`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let gift = try await confirmedReceipt("Geheimladen", [("VASE", 4900)], anna, harness)
            let line = try scene.keys(gift)[0]
            try await harness.hide(gift, by: anna)
            #expect(try await !anna.get("/matching").text.contains("VASE"))
            let matchAnswer = try await anna.post("/matching", ["alias": "\(line)", "product": "new", "name": "Vase"])
            #expect(matchAnswer.status == .notFound)
            _ = try await anna.post("/matching/new-products")
            #expect(try scene.count("SELECT count(*) FROM product") == 0)
            try scene.owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(gift)")
            #expect(try await anna.get("/matching").text.contains("VASE"))
        }
    }

    @Test(.database, arguments: [false, true])
    func `a gift is in sums and in other members' feeds from its publication day on`(byOtherReceipt: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let gift = try await confirmedReceipt("Geheimladen", [("VASE", 4_900)], anna, harness)
            try await harness.hide(gift, by: anna)
            func isPublished() throws -> Bool {
                let feed = try scene.count(
                    "SELECT count(*) FROM sync_document WHERE document_id = \(gift) AND private_to IS NULL")
                let sums = try scene.count("SELECT count(*) FROM expense_day WHERE amount_minor = 4900")
                #expect(feed == sums)
                return feed == 1
            }
            try await Sweeper.run(harness.database)
            #expect(try !isPublished())
            try scene.owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(gift)")
            if byOtherReceipt {
                _ = try await confirmedReceipt("Alltagsladen", [("MILCH", 179)], anna, harness)
            } else {
                try await Sweeper.run(harness.database)
            }
            #expect(try isPublished())
            let revision = try scene.revision(gift)
            try await Sweeper.run(harness.database)
            #expect(try scene.revision(gift) == revision)
        }
    }

    @Test(.database) func `a gift that an earlier version has added to the sums is published to other members' feeds`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let gift = try await confirmedReceipt("Geheimladen", [("VASE", 4_900)], anna, harness)
            try await harness.hide(gift, by: anna)
            // Earlier versions added a gift to the sums on its date without logging it.
            try scene.owner.query(
                """
                UPDATE receipt SET hidden_until = current_date - 1, booked_month = date_trunc('month', purchase_day)
                WHERE id = \(gift)
                """)
            try await Sweeper.run(harness.database)
            let feed: SQL = "SELECT count(*) FROM sync_document WHERE document_id = \(gift) AND private_to IS NULL"
            #expect(try scene.count(feed) == 1)
            let revision = try scene.revision(gift)
            try await Sweeper.run(harness.database)
            #expect(try scene.revision(gift) == revision)
        }
    }

    /// Confirms a receipt of a store that has no other receipts.
    private func confirmedReceipt(
        _ store: String, _ lines: [(String, Int64)], _ browser: Browser, _ harness: AppHarness
    ) async throws -> ReceiptID {
        let receipt = try harness.scene(browser).receipt(lines, pages: 0, person: browser.person)
        try await harness.change(receipt, #"{"store": "\#(store)"}"#, by: browser)
        try await harness.confirm(receipt, by: browser)
        return receipt
    }
}
