import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Uploads of files.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    @Test(.database, arguments: [true, false])
    func `the end of a reading deletes the receipt's originals and keeps an upload in progress`(isRead: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, original) = try await scene.queuedReceipt(harness)
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            // Another upload is in progress: its row exists, but not its bytes.
            let begun = BlobID.new()
            try scene.owner.query(
                """
                INSERT INTO blob (household_id, id, purpose, media_type)
                VALUES (\(anna.household), \(begun), 'original', 'image/jpeg')
                """)
            let results = ReadingResults(database: harness.database)
            if isRead {
                try await results.finish(
                    claim, StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping)), [])
            } else {
                try await results.fail(claim, reason: .locked, [])
            }
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "review")
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(original)") == 0)
            #expect(try scene.count("SELECT count(*) FROM blob_chunk") == 0)
            #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(begun)") == 1)
        }
    }

    @Test(.database) func `a picture is accepted if much other data precedes its size in the file`()
        async throws
    {
        // Ten comments of 64 KiB precede the frame header, as in files of programs that embed profiles.
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF]
        for _ in 0..<10 { bytes += [0xFE, 0xFF, 0xFF] + [UInt8](repeating: 32, count: 65_533) + [0xFF] }
        bytes += [0xC0, 0, 11, 8, 0, 200, 0, 100, 1, 1, 0x11, 0] + [UInt8](repeating: 0, count: 200_000)
        let sentBytes = bytes
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.upload(
                "/receipts", field: "files", fileName: "bon.jpg", type: "image/jpeg", sentBytes)
            #expect(answer.status == .seeOther)
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT size FROM blob") == Int64(sentBytes.count))
            let chunks = try scene.owner.query("SELECT bytes FROM blob_chunk ORDER BY n").decode([UInt8].self)
            #expect(chunks.map(\.count) == [524_288, sentBytes.count - 524_288])
            #expect(Array(chunks.joined()) == sentBytes)
        }
    }
}
