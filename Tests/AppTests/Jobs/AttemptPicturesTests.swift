import Domain
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// The pictures that an attempt to read a receipt stores.
@Suite(.timeLimit(.minutes(5))) struct AttemptPicturesTests {
    private static let pictures = PagePicture.Variant.allCases.map {
        PagePicture(page: 0, variant: $0, width: 30, height: 40, jpeg: [0xFF, 0xD8, 0xFF])
    }

    private func pictureCount(_ scene: ReceiptScene) throws -> Int64 {
        try scene.count("SELECT count(*) FROM blob WHERE purpose <> 'original'")
    }

    @Test(.database) func `pictures of a reading that the database refuses are deleted, and the original is kept`()
        async throws
    {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            let (_, original) = try await scene.queuedReceipt(harness)
            try scene.owner.query("ALTER TABLE receipt ADD CONSTRAINT odd_check CHECK (total_minor <> 4939)")
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let results = ReadingResults(database: harness.database)
            var pictures = AttemptPictures(results, claim.household)
            let pages = try await pictures.store(Self.pictures, [])
            #expect(try pictureCount(scene) == 3)
            let reading = StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping))
            do {
                try await results.finish(claim, reading, pages)
                Issue.record("the reading was stored")
            } catch is PostgresError {}
            try await pictures.discardUnused()
            #expect(try pictureCount(scene) == 0)
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == 1)
        }
    }

    @Test(.database) func `pictures of a stored reading are kept`() async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            let (receipt, _) = try await scene.queuedReceipt(harness)
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let results = ReadingResults(database: harness.database)
            var pictures = AttemptPictures(results, claim.household)
            let pages = try await pictures.store(Self.pictures, [])
            try await results.finish(
                claim, StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping)), pages)
            try await pictures.discardUnused()
            #expect(try scene.pages(receipt) == [0])
            #expect(try pictureCount(scene) == 3)
        }
    }

    @Test(.database) func `pictures of a worker that has lost its lease are deleted`() async throws {
        try await AppHarness.run { harness in
            let scene = try harness.scene(try await harness.signUp())
            _ = try await scene.queuedReceipt(harness)
            let queue = JobQueue(database: harness.database)
            let stale = try #require(try await queue.claim())
            try scene.owner.query("UPDATE job SET lease_until = now() - interval '1 second'")
            _ = try #require(try await queue.claim())
            let results = ReadingResults(database: harness.database)
            var pictures = AttemptPictures(results, stale.household)
            let pages = try await pictures.store(Self.pictures, [])
            try await results.fail(stale, reason: .timeout, pages)
            try await pictures.discardUnused()
            #expect(try pictureCount(scene) == 0)
        }
    }
}
