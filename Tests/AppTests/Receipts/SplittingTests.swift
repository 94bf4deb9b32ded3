import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite struct SplittingTests {
    /// The second receipt's id from the redirect to its review.
    private func second(_ answer: Answer) throws -> ReceiptID {
        let location = try #require(answer.location)
        return try #require(ReceiptID(String(location.split(separator: "/")[1])))
    }

    @Test(.database) func `chosen lines move to a second receipt of the same store and day, with the same picture`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)])
            let keys = try scene.keys(receipt)
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(keys[1])"])
            let other = try second(answer)
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(try scene.lines(other) == ["SEIFE"])
            #expect(try scene.keys(other) == [keys[1]])
            #expect(try scene.pages(receipt) == [0])
            #expect(try scene.pages(other) == [0])
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 179)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(other)") == 199)
            #expect(try scene.text("SELECT purchase_day::text FROM receipt WHERE id = \(other)") == "2026-11-02")
            let review = try await anna.get("/receipts/\(other)/review")
            #expect(review.status == .ok && review.text.contains("HOFER"))
            #expect(try await anna.get("/receipts/\(other)/pages/1/display").bytes == [1, 2, 3])
        }
    }

    @Test(.database) func `chosen pages move with their lines; a line whose page stays loses its box, not itself`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)], pages: 2)
            let keys = try scene.keys(receipt)
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(keys[0])", "page": "2"])
            let other = try second(answer)
            #expect(try scene.pages(receipt) == [0])
            #expect(try scene.pages(other) == [1])
            #expect(try scene.lines(receipt) == ["SEIFE"])
            #expect(try scene.lines(other) == ["MILCH"])
            #expect(
                try scene.count(
                    "SELECT count(*) FROM receipt_line WHERE household_id = \(scene.household) AND page IS NULL")
                    == 2)
            #expect(
                try scene.count("SELECT count(*) FROM receipt_file WHERE receipt_id = \(other) AND position = 1") == 1)
            #expect(try await anna.get("/receipts/\(other)/review").status == .ok)
        }
    }

    @Test(.database) func `a receipt that somebody changed meanwhile is not split; the choice is shown again`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)])
            let key = try scene.keys(receipt)[1]
            try scene.owner.query("UPDATE receipt SET revision = 2 WHERE id = \(receipt)")
            let answer = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("value=\"\(key)\" checked"))
            #expect(answer.attribute("value", after: "name=\"revision\"") == "2")
            #expect(try scene.lines(receipt) == ["MILCH", "SEIFE"])
        }
    }

    @Test(.database, arguments: [0, 1])
    func `nothing chosen, or everything, is not split`(pages: Int) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)], pages: pages)
            let keys = try scene.keys(receipt)
            let nothing = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1"])
            let everything = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(keys[0])", "line": "\(keys[1])"])
            #expect(nothing.status == .unprocessableContent && everything.status == .unprocessableContent)
            #expect(try scene.revision(receipt) == 1)
        }
    }

    @Test(
        .database,
        arguments: [("confirmed", 400, 201), ("confirmed", 378, 179), ("confirmed", 199, 179), ("review", 400, 400)])
    func `what a booked receipt spent is spent once, whatever its lines leave of it`(
        stage: String, total: Int64, left: Int64
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)], stage: stage)
            try scene.owner.query("UPDATE receipt SET total_minor = \(total)")
            let key = try scene.keys(receipt)[1]
            let other = try second(
                try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"]))
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == left)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(other)") == 199)
        }
    }

    @Test(.database) func `reading one of two receipts again leaves the other its picture`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)])
            let key = try scene.keys(receipt)[1]
            let other = try second(
                try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"]))
            _ = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "2"])
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let blobs = try ["reading", "display", "preview"].map { try scene.blob($0) }
            let page = ReadingStore.PageBlobs(
                file: nil, reading: blobs[0], display: blobs[1], preview: blobs[2], width: 10, height: 10)
            try await ReadingStore(database: harness.database).fail(claim, reason: "unreadable", [page])
            #expect(try await anna.get("/receipts/\(other)/pages/1/display").bytes == [1, 2, 3])
            #expect(try scene.count("SELECT count(*) FROM blob WHERE household_id = \(scene.household)") == 6)
        }
    }
}
