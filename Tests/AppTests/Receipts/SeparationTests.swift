import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Separating a receipt into two.
@Suite(.timeLimit(.minutes(5))) struct SeparationTests {
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
            let other = try answer.redirectedReceipt()
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(try scene.lines(other) == ["SEIFE"])
            #expect(try scene.keys(other) == [keys[1]])
            #expect(try scene.pages(receipt) == [0])
            #expect(try scene.pages(other) == [0])
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 179)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(other)") == 199)
            #expect(try scene.text("SELECT purchase_day::text FROM receipt WHERE id = \(other)") == "2026-11-02")
            let review = try await anna.get("/receipts/\(other)/review")
            #expect(review.status == .ok && review.text.contains("HOFER") && review.text.contains("Getrennt."))
            #expect(try await anna.get("/receipts/\(other)/pages/1/display").bytes == [1, 2, 3])
        }
    }

    @Test(.database)
    func `chosen pages move with their lines; a line whose page stays loses its position on the picture`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)], pages: 2)
            let keys = try scene.keys(receipt)
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(keys[0])", "page": "2"])
            let other = try answer.redirectedReceipt()
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

    @Test(.database) func `a part with an unread amount has no total`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 0)], head: .init(total: .printed(400)))
            let key = try scene.keys(receipt)[1]
            try scene.owner.query("UPDATE receipt_line SET doubts = '{unread}' WHERE printed_name = 'SEIFE'")
            let other = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
                .redirectedReceipt()
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 179)
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE id = \(other) AND total_minor IS NULL") == 1)
        }
    }

    @Test(.database) func `if all lines are moved, the printed total stays with the remaining picture`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 179), ("SEIFE", 199)], pages: 2, head: .init(total: .printed(512)))
            let keys = try scene.keys(receipt)
            let other = try await anna.post(
                "/receipts/\(receipt)/splits",
                ["revision": "1", "line": "\(keys[0])", "line": "\(keys[1])", "page": "2"]
            ).redirectedReceipt()
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 512)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(other)") == 378)
        }
    }

    @Test(.database)
    func `a receipt that changed in the meantime is not separated, and the page shows the choice again`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)])
            let key = try scene.keys(receipt)[1]
            try await harness.change(receipt, #"{"purchase_time": "10:15"}"#, by: anna)
            let answer = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("value=\"\(key)\" checked"))
            #expect(answer.attribute("value", after: "name=\"revision\"") == "2")
            #expect(try scene.lines(receipt) == ["MILCH", "SEIFE"])
        }
    }

    @Test(.database, arguments: [0, 1])
    func `at least one line must be chosen for the second receipt, and one must remain in the first`(pages: Int)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)], pages: pages)
            let keys = try scene.keys(receipt)
            let noLine = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1"])
            let allLines = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(keys[0])", "line": "\(keys[1])"])
            #expect(noLine.status == .unprocessableContent && allLines.status == .unprocessableContent)
            #expect(try scene.revision(receipt) == 1)
        }
    }

    @Test(
        .database,
        arguments: [(400, 201), (378, 179), (199, 179)])
    func `spending of a confirmed receipt counts once after it was separated, even if its lines are incomplete`(
        total: Int64, remaining: Int64
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 179), ("SEIFE", 199)], stage: "confirmed", head: .init(total: .printed(total)))
            let key = try scene.keys(receipt)[1]
            let other = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
                .redirectedReceipt()
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == remaining)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(other)") == 199)
        }
    }

    struct Totals: Sendable {
        let printed: Int64?
        let first: Int64?
        let second: Int64
        /// Whether the total of the first receipt has a position on the picture.
        var firstHasMark = true
        /// Whether the total of the second receipt has a position on the picture.
        var secondHasMark = false
        /// Whether the total of the first receipt is doubtful.
        var isDoubtful = true
    }

    @Test(
        .database,
        arguments: [
            // The sum of all lines (378) is closest to the printed total. Neither part keeps the total.
            Totals(printed: 400, first: 179, second: 199), Totals(printed: 378, first: 179, second: 199),
            // One part is closest to the printed total and keeps it: the first (179), or the second (199).
            Totals(printed: 179, first: 179, second: 199, isDoubtful: false),
            Totals(printed: 170, first: 170, second: 199, isDoubtful: false),
            Totals(printed: 205, first: 179, second: 205, firstHasMark: false, secondHasMark: true),
            // Without a printed total, the first part has no total.
            Totals(printed: nil, first: nil, second: 199, isDoubtful: false),
        ])
    func `the printed total stays with the part that it matches; the other part has the sum of its lines`(
        _ example: Totals
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 179), ("SEIFE", 199)],
                head: .init(total: .printed(example.printed), marks: #"{"total": [0, 1, 50, 9, 9]}"#))
            let key = try scene.keys(receipt)[1]
            let other = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
                .redirectedReceipt()
            func text(_ column: SQL, _ id: ReceiptID) throws -> String? {
                try scene.text("SELECT (\(column))::text FROM receipt WHERE id = \(id)")
            }
            #expect(try text("total_minor", receipt) == example.first.map(String.init))
            #expect(try text("total_minor", other) == String(example.second))
            #expect(try text("marks ? 'total'", receipt) == String(example.firstHasMark))
            #expect(try text("marks ? 'total'", other) == String(example.secondHasMark))
            #expect(try text("'total' = ANY(doubts)", receipt) == String(example.isDoubtful))
            #expect(try text("'total' = ANY(doubts)", other) == "true")
        }
    }

    @Test(.database) func `reading one part of a separated receipt again keeps the picture of the other part`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("SEIFE", 199)])
            let key = try scene.keys(receipt)[1]
            let other = try await anna.post("/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"])
                .redirectedReceipt()
            _ = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "2"])
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let blobs = try ["reading", "display", "preview"].map { try scene.blob($0) }
            let page = ReadingResults.PageBlobs(
                file: nil, reading: blobs[0], display: blobs[1], preview: blobs[2], width: 10, height: 10)
            try await ReadingResults(database: harness.database).fail(claim, reason: .unreadable, [page])
            #expect(try await anna.get("/receipts/\(other)/pages/1/display").bytes == [1, 2, 3])
            #expect(try scene.count("SELECT count(*) FROM blob WHERE household_id = \(scene.household)") == 6)
        }
    }
}
