import DocumentParsing
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Jobs that would run forever without a limit.
@Suite(.timeLimit(.minutes(5))) struct EndlessJobTests {
    @Test(.database)
    func `a receipt whose reading has crashed the server three times is not read again, but can be entered by hand`()
        async throws
    {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.queueForRereading(harness)
            // As if three server processes had claimed the job and died.
            try scene.owner.query("UPDATE job SET attempts = 3, lease_until = now() - interval '1 second'")
            try await ReadingScene.withoutReader(
                harness, testDatabase, until: { try scene.count("SELECT count(*) FROM job") == 0 })
            #expect(try scene.text("SELECT verdict FROM receipt WHERE id = \(receipt)") == "unreadable")
            #expect(try scene.text("SELECT reasons[1] FROM receipt WHERE id = \(receipt)") == "crashed")
            #expect(try scene.lines(receipt) == [])
            // The page of the receipt stays stored.
            #expect(try scene.pages(receipt) == [0])
            #expect(try await anna.get("/receipts/\(receipt)").location == "/receipts/\(receipt)/review")
        }
    }

    @Test(.database) func `a reading that the database refuses is not retried endlessly`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.queueForRereading(harness)
            try scene.owner.query("ALTER TABLE receipt ADD CONSTRAINT odd_check CHECK (total_minor <> 4939)")
            try scene.owner.query("UPDATE job SET attempts = 2")
            try await ReadingScene.withoutReader(
                harness, testDatabase, until: { try scene.count("SELECT count(*) FROM job") == 0 })
            #expect(try scene.text("SELECT verdict FROM receipt WHERE id = \(receipt)") == "unreadable")
            #expect(try scene.pages(receipt) == [0])
            #expect(try await anna.get("/receipts/\(receipt)").location == "/receipts/\(receipt)/review")
        }
    }

    @Test(.database) func `a worker cannot change a job after its lease has ended`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            let queue = JobQueue(database: harness.database)
            let stale = try #require(try await queue.claim())
            try scene.owner.query("UPDATE job SET lease_until = now() - interval '1 second'")
            let second = try #require(try await queue.claim())
            try await queue.postpone(stale, seconds: 0)
            #expect(try await queue.claim() == nil)
            let results = ReadingResults(database: harness.database)
            try await results.fail(stale, reason: .timeout, [])
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "reading")
            #expect(try scene.count("SELECT count(*) FROM job WHERE attempts = 2") == 1)
            try await results.finish(
                second, StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping)), [])
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
        }
    }

    @Test(.database) func `an attempt that was interrupted by stopping the server does not count`() async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            _ = try await scene.queuedReceipt(harness)
            let queue = JobQueue(database: harness.database)
            for _ in 0..<5 {
                let claim = try #require(try await queue.claim())
                #expect(claim.attempts == 1)
                try await queue.postpone(claim, seconds: 0, counts: false)
            }
            let claim = try #require(try await queue.claim())
            try await queue.postpone(claim, seconds: 0)
            #expect(try await queue.claim()?.attempts == 2)
        }
    }

    @Test(.database) func `after a partial failure, existing pages and the other files are kept`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 179)], pages: 2)
            let (second, original) = try await scene.queuedReceipt(harness)
            _ = try await anna.post("/receipts/joins", ["receipt": "\(first)", "receipt": "\(second)"])
            try scene.owner.query(
                "UPDATE receipt SET marks = '{\"total\": [1, 2, 3, 4, 5]}' WHERE id = \(first)")
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let part = ReadingResults.PageBlobs(
                file: nil, reading: try scene.blob("reading"), display: try scene.blob("display"),
                preview: try scene.blob("preview"), width: 9, height: 9)
            try await ReadingResults(database: harness.database).fail(claim, reason: .damaged, [part])
            #expect(try scene.pages(first) == [0, 1])
            #expect(try scene.count("SELECT max(width) FROM receipt_page") == 10)
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == 1)
            #expect(try scene.lines(first) == ["MILCH"])
            #expect(try await anna.post("/receipts/\(first)/rereading").status == .seeOther)
        }
    }

    @Test func `a database outage is logged once`() async throws {
        let file = LogFile()
        defer { file.remove() }
        try await onLoop { loop in
            var settings = try PostgresSettings(url: "postgresql://anna:geheim@/away?host=/nowhere")
            settings.queueTimeout = .milliseconds(50)
            let pool = Pool(loop: loop, settings: settings)
            let worker = try ReadingWorker(
                on: loop, database: Database(pools: [pool]), readerPath: "/bin/false", facts: .builtIn,
                log: file.log(.info))
            loop.spawn { await worker.run() }
            while worker.claimCount < 5 {
                await loop.sleep(for: .milliseconds(1))
                worker.wake()
            }
            await worker.stop()
            pool.close()
        }
        let log = try file.text()
        #expect(try file.lines().count == 1, "\(log)")
        #expect(log.contains("\"event\":\"queue\"") && !log.contains("geheim"))
    }
}
