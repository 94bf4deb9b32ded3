import DocumentParsing
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// An amount that was not read is an empty field, and the form is accepted if it stays empty.
@Suite(.timeLimit(.minutes(5))) struct UnreadAmountTests {
    /// A reading of two items. The first item has no amount.
    private static func reading(unitPrice: Bool = false) throws -> ParsedReceipt {
        var reading = try ReadingScene.parse(ReadingScene.shopping)
        let priced = try ReadingScene.parse(ReadingScene.weighed).items[0]
        reading.items[0].unitPrice = unitPrice ? priced.unitPrice : nil
        reading.items[0].total = nil
        (reading.state, reading.reasons) = (.review, [.lineUnreadable])
        return reading
    }

    private static func read(_ reading: ParsedReceipt, _ harness: AppHarness, _ scene: ReceiptScene) async throws
        -> ReceiptID
    {
        let (receipt, _) = try await scene.queuedReceipt(harness)
        let claim = try #require(try await JobQueue(database: harness.database).claim())
        try await ReadingResults(database: harness.database).finish(claim, StoredReading(receipt: reading), [])
        return receipt
    }

    /// Sends the form with `amount` in the first line.
    private static func send(
        _ receipt: ReceiptID, to path: String, amount: String, _ browser: Browser, _ scene: ReceiptScene
    ) async throws -> Answer {
        let keys = try scene.keys(receipt)
        let page = try await browser.get("/receipts/\(receipt)/review")
        let hasMark = page.text.contains("name=\"unread-\(keys[0])\"")
        return try await browser.post(
            "/receipts/\(receipt)/\(path)",
            [
                "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02", "total": "49,39",
                "line": "\(keys[0])", "name-\(keys[0])": "VASE", "total-\(keys[0])": amount,
                "\(hasMark ? "unread" : "other")-\(keys[0])": "1",
                "line": "\(keys[1])", "name-\(keys[1])": "SEMMEL", "total-\(keys[1])": "0,39",
            ], on: page)
    }

    private static func doubts(_ receipt: ReceiptID, _ scene: ReceiptScene) throws -> String? {
        try scene.text(
            """
            SELECT array_to_string(doubts, ' ') FROM receipt_line WHERE receipt_id = \(receipt) AND position = 0
            """)
    }

    @Test(.database) func `an unread amount is an empty field with a notice, and the difference is unknown`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(try Self.reading(), harness, scene)
            let key = try scene.keys(receipt)[0]
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.attribute("value", after: "name=\"total-\(key)\"") == "")
            #expect(page.text.contains("id=\"why-total-\(key)\""))
            #expect(page.text.contains("Der Betrag war nicht zu lesen."))
            #expect(page.text.contains("Es fehlen noch Beträge"))
            #expect(page.text.contains("Trotzdem bestätigen</span></button>"))
            #expect(try await !anna.get("/receipts/\(receipt)/splits/new").text.contains("0,00"))
        }
    }

    @Test(.database) func `an unread amount stays marked as unread until a person enters an amount`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(try Self.reading(), harness, scene)
            #expect(try await Self.send(receipt, to: "review", amount: "", anna, scene).status == .seeOther)
            #expect(try Self.doubts(receipt, scene)?.contains("unread") == true)
            // An error in another field does not turn the amount into zero.
            let refusal = try await Self.send(receipt, to: "review", amount: "viel", anna, scene)
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("name=\"unread-"))
            #expect(try await Self.send(receipt, to: "review", amount: "49,00", anna, scene).status == .seeOther)
            #expect(try Self.doubts(receipt, scene) == "")
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains("stimmen überein</span>") && !page.contains("name=\"unread-"))
            // A field whose amount was read or entered cannot be cleared.
            let cleared = try await Self.send(receipt, to: "review", amount: "", anna, scene)
            #expect(cleared.status == .unprocessableContent)
        }
    }

    @Test(.database) func `a zero that a person entered is an amount`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(try Self.reading(), harness, scene)
            #expect(try await Self.send(receipt, to: "review", amount: "0,00", anna, scene).status == .seeOther)
            #expect(try Self.doubts(receipt, scene) == "")
            let key = try scene.keys(receipt)[0]
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.attribute("value", after: "name=\"total-\(key)\"") == "0,00")
        }
    }

    @Test(.database) func `a confirmed line with an unread amount is marked and has no price`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(try Self.reading(), harness, scene)
            #expect(try await Self.send(receipt, to: "confirmation", amount: "", anna, scene).status == .seeOther)
            #expect(try scene.text("SELECT stage FROM receipt") == "confirmed")
            #expect(try Self.doubts(receipt, scene) == "unread")
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains("nicht gelesen") && !page.contains("0,00"))
            #expect(try scene.count("SELECT count(*) FROM price") == 0)
            // The export leaves the line out instead of writing zero.
            let name = try #require(
                try scene.text("SELECT printed_name FROM receipt_line WHERE 'unread' = ANY(doubts)"))
            let records = try await anna.get("/export.csv").text
            #expect(records.contains("Name;Price;") && !records.contains(name))
            // The export marks the discount of this line, so that an import does not apply it to another item.
            let keys = try scene.keys(receipt)
            let lines = #"{"id": "\#(keys[0])"}, {"id": "\#(keys[1])", "kind": "discount", "total_minor": -10}"#
            try await harness.change(receipt, #"{"lines": [\#(lines)]}"#, by: anna)
            #expect(try await anna.get("/export.csv?quantities=1").text.contains("Rabatt ohne Artikel"))
            #expect(try await !anna.get("/matching").text.contains(name))
        }
    }

    @Test(.database) func `an unread amount is computed as quantity times unit price if both were read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(try Self.reading(unitPrice: true), harness, scene)
            // The items cost 1 × 3.98 and 0.39, so 45.02 of the total 49.39 is missing.
            #expect(try await anna.get("/receipts/\(receipt)/review").text.contains("Es fehlen 45,02"))
        }
    }
}
