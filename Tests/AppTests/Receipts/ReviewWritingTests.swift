import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// The rows that are written when a form is saved.
@Suite(.timeLimit(.minutes(5))) struct ReviewWritingTests {
    @Test(.database) func `unchanged lines are not written`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 100), ("BROT", 100), ("EIER", 100)])
            func versions() throws -> [String] {
                try scene.owner.query("SELECT xmin::text FROM receipt_line ORDER BY position").decode(String.self)
            }
            let versionsBefore = try versions()
            let saveAnswer = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: scene.form(receipt, total: "3,00", amounts: ["1,00", "1,20", "1,00"]))
            #expect(saveAnswer.status == .seeOther)
            let versionsAfter = try versions()
            #expect(zip(versionsBefore, versionsAfter).map { $0 == $1 } == [true, false, true])
            #expect(try scene.count("SELECT total_minor FROM receipt_line WHERE position = 1") == 120)
        }
    }

    @Test(.database) func `a new last line stays last even if positions have gaps`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 100), ("BROT", 100), ("EIER", 100)])
            try scene.owner.query("UPDATE receipt_line SET position = position * 10")
            let fields =
                try scene.form(receipt, total: "3,00", amounts: ["1,00", "1,00", "1,00"])
                + [("line", "new-1"), ("name-new-1", "KAFFEE"), ("total-new-1", "4,00")]
            _ = try await anna.post("/receipts/\(receipt)/review", pairs: fields)
            #expect(try scene.lines(receipt) == ["MILCH", "BROT", "EIER", "KAFFEE"])
        }
    }

    @Test(.database) func `a draft is shown only to its author, and deleted when the form is sent`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 100), ("BROT", 100), ("EIER", 100)])
            let path = "/receipts/\(receipt)/review"
            // Adds the receipt to the change log.
            _ = try await anna.post(path, pairs: scene.form(receipt, total: "3,00", amounts: ["1,00", "1,00", "1,00"]))
            let typed = try scene.form(receipt, total: "3,00", amounts: ["1,00", "7,77", "1,00"])
            #expect(try await anna.post("/receipts/\(receipt)/draft", pairs: typed).status == .noContent)
            #expect(try await anna.get(path).text.contains("7,77"))
            #expect(try await anna.get(path).text.contains("Ihre Eingaben von vorhin"))
            #expect(try await !paul.get(path).text.contains("7,77"))
            #expect(try scene.count("SELECT total_minor FROM receipt_line WHERE position = 1") == 100)
            // Another member corrects another line in between.
            let otherAnswer = try await paul.post(
                path, pairs: scene.form(receipt, total: "3,00", amounts: ["2,22", "1,00", "1,00"]))
            #expect(otherAnswer.status == .seeOther)
            let page = try await anna.get(path)
            #expect(page.attribute("value", after: "name=\"revision\"") == "2")
            #expect(try await anna.post(path, pairs: typed).status == .seeOther)
            #expect(
                try scene.owner.query("SELECT total_minor FROM receipt_line ORDER BY position").decode(Int64.self)
                    == [222, 777, 100])
            #expect(try scene.count("SELECT count(*) FROM review_draft") == 0)
            // A draft that arrives after its form was saved is not stored, and the answer says so.
            #expect(try await anna.post("/receipts/\(receipt)/draft", pairs: typed).status == .conflict)
            #expect(try scene.count("SELECT count(*) FROM review_draft") == 0)
        }
    }

    @Test(.database) func `a draft of a receipt that was read again is listed beside the new values`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179), ("BROT", 329)])
            let path = "/receipts/\(receipt)/review"
            let typed = try scene.form(receipt, total: "3,00", amounts: ["7,77", "3,29"])
            #expect(try await anna.post("/receipts/\(receipt)/draft", pairs: typed).status == .noContent)
            _ = try await paul.post("/receipts/\(receipt)/rereading")
            let page = ReadingScene.page(
                .text, ["HOFER", "MILCH 1,79", "BROT 3,29", "SUMME 5,08", "02.11.2026 10:15"])
            try await JoinedCorrectionsTests.read(harness, as: RecognizedDocument(pages: [page]))
            let shownPage = try await anna.get(path)
            #expect(shownPage.text.contains("<li>„MILCH“: Einzelpreis 7,77, Betrag 7,77 €</li>"))
            #expect(shownPage.text.contains("Ihre Eingaben von vorhin"))
            #expect(!shownPage.text.contains("value=\"7,77\"") && shownPage.text.contains("value=\"1,79\""))
            #expect(shownPage.attribute("value", after: "name=\"revision\"") == "\(try scene.revision(receipt))")
            _ = try await anna.post("/receipts/\(receipt)/draft/removal")
            #expect(try await !anna.get(path).text.contains("7,77"))
        }
    }

    @Test(.database) func `a button discards the stored draft`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 300)])
            _ = try await anna.post(
                "/receipts/\(receipt)/draft", pairs: scene.form(receipt, total: "3,00", amounts: ["7,77"]))
            #expect(try await anna.post("/receipts/\(receipt)/draft/removal").location == "/receipts/\(receipt)/review")
            #expect(try await !anna.get("/receipts/\(receipt)/review").text.contains("7,77"))
        }
    }

    @Test(.database) func `all proven receipts are confirmed in several transactions`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            for number in 0..<20 {
                _ = try scene.receipt([("WARE \(number)", 100 + Int64(number))], head: .init(verdict: .proven))
            }
            let countBefore = try scene.count("SELECT count(*) FROM operation")
            _ = try await anna.post("/receipts/confirmations")
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE stage = 'confirmed'") == 20)
            // Each transaction is one operation, so other members can write in between.
            #expect(try scene.count("SELECT count(*) FROM operation") - countBefore == 3)
        }
    }
}
