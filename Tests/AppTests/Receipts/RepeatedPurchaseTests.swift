import DocumentParsing
import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// The recognition of receipts that the household already has.
@Suite(.timeLimit(.minutes(5))) struct RepeatedPurchaseTests {
    /// Reads a receipt with these lines. The household already has a receipt of 2 November for 5.08, bought at `time`
    /// (nil: unknown).
    @Test(
        .database,
        arguments: [
            (nil, ["MILCH 1,79", "BROT 3,29", "SUMME 5,08", "02.11.2026"], true),
            (nil, ["BROT 3,29", "MILCH 1,79", "SUMME 5,08", "02.11.2026 10:15"], true),
            ("10:15", ["MILCH 1,79", "BROT 3,29", "SUMME 5,08", "02.11.2026"], true),
            ("10:15", ["KAFFEE 5,08", "SUMME 5,08", "02.11.2026 10:15"], true),
            ("10:15:32", ["KAFFEE 5,08", "SUMME 5,08", "02.11.2026 10:15"], true),
            ("10:15", ["MILCH 1,79", "BROT 3,29", "SUMME 5,08", "02.11.2026 17:40"], false),
            (nil, ["KAFFEE 5,08", "SUMME 5,08", "02.11.2026"], false),
            (nil, ["MILCH 1,79", "BROT 3,29", "SUMME 5,08", "03.11.2026"], false),
        ] as [(String?, [String], Bool)])
    func `a receipt of the same day and total is a duplicate if it has the same time, or no time and the same amounts`(
        time: String?, lines: [String], isDuplicate: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt(
                [("MILCH", 179), ("BROT", 329)], stage: "confirmed", head: .init(time: time))
            let second = try scene.receipt([], stage: "reading")
            _ = try await harness.database.query(JobQueue.enqueue(.read, second.relabelled(), anna.household))
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let today = try #require(LocalDate(parsing: "2026-11-21"))
            let parsed = ReceiptParser(today: today).parse(
                RecognizedDocument(pages: [ReadingScene.page(.ocr, lines)]))
            try await ReadingResults(database: harness.database).finish(claim, StoredReading(receipt: parsed), [])
            #expect(
                try scene.text("SELECT duplicate_of::text FROM receipt WHERE id = \(second)")
                    == (isDuplicate ? first.description : nil))
        }
    }

    @Test(.database) func `a receipt that is read again does not become the duplicate of its own duplicate`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("VASE", 4_900), ("SEMMEL", 39)], head: .init(time: "10:15"))
            let second = try scene.receipt(
                [("VASE", 4_900), ("SEMMEL", 39)], head: .init(time: "10:15", duplicateOf: first))
            let answer = try await anna.post(
                "/receipts/\(first)/rereading", ["revision": "\(try scene.revision(first))"])
            #expect(answer.status == .seeOther)
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            #expect(try scene.text("SELECT duplicate_of::text FROM receipt WHERE id = \(first)") == nil)
            #expect(
                try scene.text("SELECT duplicate_of::text FROM receipt WHERE id = \(second)") == first.description)
        }
    }

    /// The form of a receipt of 2 November, 10:15, with corrected amounts.
    private static func correctedForm(
        _ receipt: ReceiptID, _ scene: ReceiptScene, asked: String = ""
    ) throws -> KeyValuePairs<String, String> {
        let keys = try scene.keys(receipt)
        return [
            "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02", "time": "10:15",
            "total": "5,08", "asked": asked, "line": "\(keys[0])", "name-\(keys[0])": "MILCH",
            "total-\(keys[0])": "1,79", "line": "\(keys[1])", "name-\(keys[1])": "BROT",
            "total-\(keys[1])": "3,29",
        ]
    }

    @Test(.database) func `a correction that repeats another purchase is asked about once before it is confirmed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt(
                [("MILCH", 179), ("BROT", 329)], stage: "confirmed", head: .init(time: "10:15:32"))
            // The second photo of the receipt was misread.
            let second = try scene.receipt([("MILCH", 179), ("BROT", 320)], head: .init(time: "10:15:32"))
            let path = "/receipts/\(second)/confirmation"
            let asked = try await anna.post(path, try Self.correctedForm(second, scene))
            #expect(asked.status == .unprocessableContent)
            #expect(asked.text.contains("Diesen Beleg gibt es vermutlich schon"))
            #expect(asked.text.contains("href=\"/receipts/\(first)\""))
            #expect(asked.text.contains("name=\"asked\" value=\"\(first)\""))
            #expect(asked.text.contains("Trotzdem bestätigen"))
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(second)") == "review")
            let secondAnswer = try await anna.post(
                path, try Self.correctedForm(second, scene, asked: first.description))
            #expect(secondAnswer.status == .seeOther)
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(second)") == "confirmed")
        }
    }

    @Test(.database) func `a saved correction that repeats another purchase becomes a duplicate`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 179), ("BROT", 329)], head: .init(time: "10:15"))
            let second = try scene.receipt([("MILCH", 179), ("BROT", 320)], head: .init(time: "10:15"))
            let saveAnswer = try await anna.post("/receipts/\(second)/review", try Self.correctedForm(second, scene))
            #expect(saveAnswer.status == .seeOther)
            #expect(
                try scene.text("SELECT duplicate_of::text FROM receipt WHERE id = \(second)") == first.description)
            #expect(
                try await anna.get("/receipts/\(second)/review").text.contains("Diesen Beleg gibt es vermutlich schon"))
            #expect(
                try await !anna.get("/receipts/\(first)/review").text.contains("Diesen Beleg gibt es vermutlich schon"))
        }
    }
}
