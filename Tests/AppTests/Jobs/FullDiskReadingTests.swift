import DocumentParsing
import Domain
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct FullDiskReadingTests {
    @Test(.database) func `no receipt is read while the database's disk is full`() async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            _ = try await scene.queuedReceipt(harness)
            let loop = try #require(EventLoop.current)
            let worker = try harness.readingWorker()
            harness.database.diskSpace.recordRefusal()
            loop.spawn { await worker.run() }
            for _ in 0..<20 {
                await loop.sleep(for: .milliseconds(10))
                worker.wake()
            }
            await worker.stop()
            #expect(worker.claimCount == 0)
            #expect(try scene.count("SELECT attempts FROM job") == 0)
        }
    }
}
