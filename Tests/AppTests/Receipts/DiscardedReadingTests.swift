import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Receipts that are discarded before or during their reading.
@Suite(.timeLimit(.minutes(5))) struct DiscardedReadingTests {
    @Test(.database) func `discarding removes the job, and restoring adds it again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            #expect(try await anna.post("/receipts/\(receipt)/discard").status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
            // No progress is shown, because the receipt is not being read.
            let page = try await anna.get("/receipts/\(receipt)")
            #expect(page.status == .ok && !page.text.contains("<progress"))
            #expect(try await anna.get("/receipts/\(receipt)/events").text.contains("event: done"))
            #expect(try await anna.post("/receipts/\(receipt)/restoration").status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM job WHERE subject_id = \(receipt)") == 1)
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("<progress"))
        }
    }

    @Test(.database)
    func `a receipt that is discarded during its reading is still read, and has its lines when restored`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            _ = try await anna.post("/receipts/\(receipt)/discard")
            #expect(try scene.count("SELECT count(*) FROM job") == 1)
            try await ReadingResults(database: harness.database).finish(
                claim, StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping)), [])
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE discarded_at IS NOT NULL") == 1)
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
            _ = try await anna.post("/receipts/\(receipt)/restoration")
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
            #expect(try await anna.get("/receipts/\(receipt)").location == "/receipts/\(receipt)/review")
        }
    }

    @Test(.database) func `restoring during a reading adds no second job`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            let queue = JobQueue(database: harness.database)
            _ = try #require(try await queue.claim())
            _ = try await anna.post("/receipts/\(receipt)/discard")
            _ = try await anna.post("/receipts/\(receipt)/restoration")
            #expect(try scene.count("SELECT count(*) FROM job WHERE attempts = 1") == 1)
            #expect(try await queue.claim() == nil)
        }
    }

    @Test(.database) func `a job of a discarded receipt is not started`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.queueForRereading(harness)
            try scene.owner.query("UPDATE receipt SET discarded_at = now() WHERE id = \(receipt)")
            try await ReadingScene.withoutReader(
                harness, testDatabase, until: { try scene.count("SELECT count(*) FROM job") == 0 })
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "reading")
            #expect(try scene.lines(receipt) == [])
        }
    }
}
