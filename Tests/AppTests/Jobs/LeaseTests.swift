import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Jobs whose worker has died, and receipts that crash the reader.
@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
    @Test(.database)
    func `a job belongs to the worker that renews its lease; another worker can claim it after the lease has ended`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            _ = try await scene.queuedReceipt(harness)
            let queue = JobQueue(database: harness.database)
            let first = try #require(try await queue.claim())
            #expect(try await queue.claim() == nil)
            try scene.owner.query("UPDATE job SET lease_until = now() + interval '1 second'")
            try await queue.renew(first)
            #expect(try scene.count("SELECT count(*) FROM job WHERE lease_until > now() + interval '30 seconds'") == 1)
            // The lease expires, as after the server was killed.
            try scene.owner.query("UPDATE job SET lease_until = now() - interval '1 second'")
            let second = try #require(try await queue.claim())
            #expect(second.id == first.id)
            #expect(second.attempts == 2)
            try scene.owner.query("UPDATE job SET lease_until = now() + interval '1 second'")
            try await queue.renew(first)
            #expect(try scene.count("SELECT count(*) FROM job WHERE lease_until > now() + interval '30 seconds'") == 0)
            try await queue.postpone(second, seconds: 0)
            try await queue.renew(second)
            #expect(try await queue.claim() != nil)
        }
    }

    @Test(.database, arguments: [true, false])
    func `a receipt that crashed the reader can be read again only if originals are kept`(keepsOriginals: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, original) = try await scene.queuedReceipt(harness)
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let results = ReadingResults(database: harness.database)
            try await results.fail(claim, reason: .crashed, [], keepingOriginals: keepsOriginals)
            #expect(try scene.text("SELECT verdict FROM receipt WHERE id = \(receipt)") == "unreadable")
            #expect(
                try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == (keepsOriginals ? 1 : 0))
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains("form=\"reread\"") == keepsOriginals)
            let answer = try await anna.post("/receipts/\(receipt)/rereading")
            #expect(answer.status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM job") == (keepsOriginals ? 1 : 0))
        }
    }
}
