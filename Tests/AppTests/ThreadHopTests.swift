import EventLoop
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Pages are answered without moving to another thread.
@Suite(.timeLimit(.minutes(5))) struct ThreadHopTests {
    @Test(.database, arguments: ["/", "/receipts", "/products", "/compare", "/matching", "/settings/household"])
    func `a page with queries is answered on its loop's thread, without a switch to another thread`(path: String)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let loop = harness.database.pool.loop
            #expect(loop.isCurrent)
            // The first request may have to connect to the database. The second request uses the same connection.
            try #require(try await anna.get(path).status == .ok)
            let jobsBefore = loop.jobCountFromOtherThreads
            for _ in 0..<5 { #expect(try await anna.get(path).status == .ok) }
            #expect(loop.jobCountFromOtherThreads == jobsBefore)
            #expect(loop.isCurrent)
        }
    }

    @Test(.database)
    func `a switch to another thread and back is counted`() async throws {
        try await AppHarness.run { harness in
            let loop = harness.database.pool.loop
            let jobsBefore = loop.jobCountFromOtherThreads
            // A task that ends before it is awaited needs no switch back. Repeat until a task needs a switch.
            for _ in 0..<1_000 where loop.jobCountFromOtherThreads == jobsBefore {
                try await Task.detached { try await Task.sleep(for: .milliseconds(1)) }.value
            }
            #expect(loop.jobCountFromOtherThreads > jobsBefore)
        }
    }
}
