import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App
@testable import DocumentParsing

/// The review page marks a value as correct only if it was read without doubt or confirmed by a person. A repair is a
/// value that the reader has computed because the value on the picture does not fit the other values.
@Suite(.timeLimit(.minutes(5))) struct HonestReviewTests {
    private static func read(
        _ harness: AppHarness, _ scene: ReceiptScene, _ change: (inout ParsedReceipt) -> Void
    ) async throws -> ReceiptID {
        let (receipt, _) = try await scene.queuedReceipt(harness)
        var reading = try ReadingScene.parse(ReadingScene.shopping)
        reading.state = .review
        change(&reading)
        let claim = try #require(try await JobQueue(database: harness.database).claim())
        try await ReadingResults(database: harness.database).finish(claim, StoredReading(receipt: reading), [])
        return receipt
    }

    @Test(.database) func `a total computed from the lines is not marked as correct until a person confirms it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(harness, scene) { $0.total?.box = nil }
            #expect(try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt")?.contains("total-made") == true)
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains("Summe nicht gelesen</span>") && !page.text.contains("class=\"balance good\""))
            #expect(page.text.contains("Trotzdem bestätigen</span>"))
            let saveAnswer = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: scene.form(
                    receipt, total: "49,39", amounts: ["49,00", "0,39"], time: "10:15",
                    more: [("right", "head"), ("action", "save")]))
            #expect(saveAnswer.status == .seeOther)
            #expect(try scene.text("SELECT array_to_string(doubts, ' ') FROM receipt") == "")
            let checked = try await anna.get("/receipts/\(receipt)/review")
            #expect(!checked.text.contains("Summe nicht gelesen</span>"))
            #expect(checked.text.contains("Zeilen und Summe stimmen überein"))
        }
    }

    @Test(.database) func `the repair of a value is offered, but the field shows the value that was read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(harness, scene) { reading in
                reading.reasons = [.repairUnconfirmed]
                reading.items[0].total?.repair = Repair(printed: "42,00", value: "49,00", reason: .sum)
                reading.items[0].total?.isDoubtful = true
                reading.items[1].total?.repair = Repair(printed: "39", value: "0,39", reason: .sum)
                reading.items[1].total?.isDoubtful = true
            }
            #expect(try scene.count("SELECT total_minor FROM receipt_line WHERE position = 0") == 4_200)
            // `39` may be an amount without its comma, so it is not read as an amount.
            #expect(
                try scene.text("SELECT array_to_string(doubts, ' ') FROM receipt_line WHERE position = 1")
                    == "total unread")
            let page = try await anna.get("/receipts/\(receipt)/review")
            let keys = try scene.keys(receipt)
            #expect(page.text.contains("Gelesen: 42,00") && page.text.contains("value=\"take:total-\(keys[0])\""))
            let takeoverAnswer = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: scene.form(
                    receipt, total: "49,39", amounts: ["42,00", ""], time: "10:15",
                    more: [
                        ("proposal-total-\(keys[0])", "49,00"), ("proposal-total-\(keys[1])", "0,39"),
                        ("unread-\(keys[1])", "1"), ("action", "take:total-\(keys[0])"),
                    ]))
            #expect(takeoverAnswer.attribute("value", after: "name=\"total-\(keys[0])\"") == "49,00")
            #expect(try scene.count("SELECT total_minor FROM receipt_line WHERE position = 0") == 4_200)
        }
    }

    @Test func `the figures of a repair have the separators and the minus sign of the page's language`() {
        #expect(StoredRepair.shown("~1.234,50", .english) == "−1,234.50")
        #expect(StoredRepair.shown("-0,25", .german) == "−0,25")
        #expect(StoredRepair.shown("2.49", .english) == "2.49")
        #expect(StoredRepair.shown("0,543 × 10,99", .english) == "0.543 × 10.99")
    }

    @Test(.database) func `the repair of the total is offered, but the field shows the total that was read`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(harness, scene) { reading in
                reading.reasons = [.repairUnconfirmed]
                reading.total?.repair = Repair(printed: "44,90", value: "49,39", reason: .sum)
                reading.total?.isDoubtful = true
            }
            #expect(try scene.count("SELECT total_minor FROM receipt") == 4_490)
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.attribute("value", after: "id=\"total\"") == "44,90")
            #expect(page.text.contains("Gelesen: 44,90") && page.text.contains("value=\"take:total\""))
            #expect(!page.text.contains("class=\"balance good\""))
            let takeoverAnswer = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: scene.form(
                    receipt, total: "44,90", amounts: ["49,00", "0,39"], time: "10:15",
                    more: [("proposal-total", "49,39"), ("action", "take:total")]))
            #expect(takeoverAnswer.attribute("value", after: "id=\"total\"") == "49,39")
            #expect(!takeoverAnswer.text.contains("value=\"take:total\""))
            // The person confirms the total that was read.
            _ = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: scene.form(
                    receipt, total: "44,90", amounts: ["49,00", "0,39"], time: "10:15",
                    more: [("right", "head"), ("action", "save")]))
            let reasons = try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt")
            #expect(reasons?.contains("repair") == false)
        }
    }

    @Test(.database) func `every line of a tax class is marked if the tax table contradicts their sum`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.read(harness, scene) { reading in
                reading.reasons = [.taxClassDiffers]
                reading.items[0].vatClass = "A"
                reading.items[1].vatClass = "B"
                reading.taxTable = [
                    ParsedReceipt.TaxRow(vatClass: "A", rate: nil, net: 4_000, tax: 800, gross: 4_800),
                    ParsedReceipt.TaxRow(vatClass: "B", rate: nil, net: 35, tax: 4, gross: 39),
                ]
            }
            let doubts: SQL = "SELECT array_to_string(doubts, ' ') FROM receipt_line WHERE position ="
            #expect(try scene.text("\(doubts) 0") == "total")
            #expect(try scene.text("\(doubts) 1") == "")
            _ = receipt
        }
    }

    @Test(.database) func `an amount far above the product's usual price is asked about once before it is confirmed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 179)])
            let confirmationAnswer = try await anna.post(
                "/receipts/\(first)/confirmation",
                pairs: scene.form(first, total: "1,79", amounts: ["1,79"], time: "10:15"))
            #expect(confirmationAnswer.status == .seeOther)
            let key = try scene.keys(first)[0]
            _ = try await anna.post("/matching", pairs: [("alias", "\(key)"), ("product", "new"), ("name", "Milch")])
            let second = try scene.receipt([("MILCH", 17_900)])
            let page = try await anna.get("/receipts/\(second)/review")
            #expect(page.text.contains("Dieser Betrag ist ungewöhnlich"))
            let fields = try scene.form(second, total: "179,00", amounts: ["179,00"], time: "10:15")
            let asked = try await anna.post("/receipts/\(second)/confirmation", pairs: fields)
            #expect(asked.status == .unprocessableContent && asked.text.contains("Stimmen diese Beträge?"))
            #expect(asked.text.contains("MILCH: 179,00"))
            let line = try scene.keys(second)[0]
            #expect(asked.text.contains("name=\"asked\" value=\"\(line)\""))
            let secondAnswer = try await anna.post(
                "/receipts/\(second)/confirmation", pairs: fields + [("asked", "\(line)")])
            #expect(secondAnswer.status == .seeOther)
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(second)") == "confirmed")
        }
    }

    @Test(.database) func `an amount far above the chain's most expensive product is asked about`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let rows = (1...20).map { "Ware \($0);\($0),99;HOFER;20.10.2026" }
            let table = "Name;Preis;Geschäft;Datum\n" + rows.joined(separator: "\n")
            let preview = try #require(
                try await anna.importFile(table).location)
            _ = try await anna.post("\(preview)/confirmation")
            let receipt = try scene.receipt([("UNBEKANNT", 5_900), ("FREMD", 7_000)])
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.matches(of: #/Dieser Betrag ist ungewöhnlich/#).count == 1)
            let line = try scene.keys(receipt)[1]
            #expect(page.text.contains("id=\"why-total-\(line)\""))
        }
    }

    @Test(.database) func `the page of a photo without a receipt offers discarding first`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [], head: .init(verdict: .unreadable, reasons: ["unreadable"], total: .printed(nil)))
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains("Das ist kein Beleg"))
            #expect(page.contains("<button class=\"button main\" form=\"discard\">"))
            #expect(!page.contains("class=\"button main unhurried\""))
            #expect(!page.contains("gelb markierten"))
        }
    }
}
