import DocumentParsing
import Domain
import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ReaderStartTests {
    /// A program that ends with status 1, as the reader does if a model is missing, and a program that does not exist.
    @Test(.database, arguments: ["/bin/false", "/nowhere/allesteurer-reader"])
    func `a reader that cannot run does not use up the attempts of a receipt`(path: String) async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            let (receipt, original) = try await scene.queuedReceipt(harness)
            let loop = try #require(EventLoop.current)
            let worker = try harness.readingWorker(path)
            loop.spawn { await worker.run() }
            let postponed: SQL = """
                SELECT count(*) FROM job WHERE lease_until IS NULL AND not_before > created_at + interval '4 seconds'
                """
            for _ in 0..<1_200 where try scene.count(postponed) == 0 { await loop.sleep(for: .milliseconds(100)) }
            await worker.stop()
            #expect(try scene.count(postponed) == 1)
            #expect(try scene.count("SELECT attempts FROM job") == 0)
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "reading")
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == 1)
        }
    }

    @Test(.database) func `several attempts to start a reader that cannot run are logged once`() async throws {
        let file = LogFile()
        defer { file.remove() }
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            _ = try await scene.queuedReceipt(harness)
            let loop = try #require(EventLoop.current)
            let worker = try harness.readingWorker(log: file.log(.debug))
            loop.spawn { await worker.run() }
            let attempted: SQL = "SELECT count(*) FROM job WHERE lease_until IS NULL AND not_before > created_at"
            for attempt in 1...3 {
                for _ in 0..<1_200 where try scene.count(attempted) == 0 { await loop.sleep(for: .milliseconds(100)) }
                try #require(try scene.count(attempted) == 1, "\(attempt)")
                guard attempt < 3 else { continue }
                try scene.owner.query("UPDATE job SET not_before = created_at")
                worker.wake()
            }
            await worker.stop()
        }
        let lines = try file.lines()
        #expect(lines.filter { $0.contains("the reader ended with status 1") }.count == 1, "\(lines)")
    }

    @Test func `an outage of the reader is logged when it begins, once per hour, and when it ends`() {
        var outage = ReaderOutage()
        let hour: Int64 = 3_600_000_000_000
        let failures = [0, 10_000_000_000, hour - 1, hour, hour + 1, 2 * hour].map { outage.recordFailure(at: 5 + $0) }
        #expect(failures == [true, false, false, true, false, true])
        let ends = [outage.recordSuccess(), outage.recordSuccess()]
        #expect(ends == [true, false])
        let next = outage.recordFailure(at: 2 * hour + 10)
        #expect(next)
    }
}
