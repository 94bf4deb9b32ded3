import DocumentParsing
import Domain
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ReaderStartTests {
    /// A program that ends with status 1, as the reader does if a model is missing, and one that does not exist.
    @Test(.database, arguments: ["/bin/false", "/nowhere/allesteurer-reader"])
    func `a reader that cannot run does not use up the attempts of a receipt`(path: String) async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            let (receipt, original) = try await scene.queuedReceipt(harness)
            let loop = try #require(EventLoop.current)
            let worker = try ReadingWorker(
                on: loop, database: harness.database, readerPath: path, facts: .builtIn, log: harness.app.log)
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
}
