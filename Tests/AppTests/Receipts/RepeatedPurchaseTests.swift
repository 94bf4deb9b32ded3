import DocumentParsing
import Domain
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// The recognition of a receipt that was stored before.
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
}
