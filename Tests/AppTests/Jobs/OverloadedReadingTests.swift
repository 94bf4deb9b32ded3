import DocumentParsing
import Domain
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import App

/// Readings on a machine whose processors are used by other processes.
@Suite(.timeLimit(.minutes(5))) struct OverloadedReadingTests {
    /// A program in place of the reader that fails each job because of an overload.
    static let reader = TestSources.root + "/Tests/ReaderDoubles/overloaded-reader"

    @Test(.database) func `an overload does not count as an attempt, and the reading is repeated after growing pauses`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, original) = try await scene.queuedReceipt(harness)
            let loop = try #require(EventLoop.current)
            let worker = try ReadingWorker(
                on: loop, database: harness.database, readerPath: Self.reader, facts: .builtIn, log: harness.app.log)
            loop.spawn { await worker.run() }
            for overloads in 1..<JobQueue.maximumOverloads {
                let postponed: SQL = """
                    SELECT count(*) FROM job WHERE lease_until IS NULL AND attempts = 0 AND overloads = \(overloads)
                        AND not_before >= created_at + 15 * power(2, overloads) * interval '1 second'
                    """
                for _ in 0..<1_200 where try scene.count(postponed) == 0 { await loop.sleep(for: .milliseconds(100)) }
                try #require(try scene.count(postponed) == 1, "\(overloads)")
                #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "reading")
                if overloads == 1 {
                    let page = try await anna.get("/receipts/\(receipt)").text
                    #expect(page.contains("data-delayed>Der Server ist ausgelastet"))
                    let list = try await anna.get("/receipts/uploads?receipts=\(receipt)").text
                    #expect(list.contains("Server ausgelastet, wird später gelesen"))
                }
                try scene.owner.query("UPDATE job SET not_before = created_at")
                worker.wake()
            }
            let jobs: SQL = "SELECT count(*) FROM job"
            for _ in 0..<1_200 where try scene.count(jobs) > 0 { await loop.sleep(for: .milliseconds(100)) }
            await worker.stop()
            #expect(try scene.count(jobs) == 0)
            #expect(try scene.text("SELECT verdict FROM receipt WHERE id = \(receipt)") == "unreadable")
            #expect(try scene.text("SELECT reasons[1] FROM receipt WHERE id = \(receipt)") == "overloaded")
            // The file can be read again later.
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == 1)
            let review = try await anna.get("/receipts/\(receipt)/review").text
            #expect(review.contains("Der Server war zu lange ausgelastet") && review.contains("form=\"reread\""))
            _ = try await anna.post("/receipts/\(receipt)/rereading")
            #expect(try scene.count("SELECT overloads FROM job") == 0)
        }
    }
}
