import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Each part gets its content back when a join is undone.
@Suite(.timeLimit(.minutes(5))) struct JoinUndoTests {
    /// The rows that a join changes, without their revisions.
    private static let state: SQL = """
        SELECT string_agg(r.id::text
            || (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.position, l.id) FROM receipt_line l WHERE l.receipt_id = r.id)
            || (SELECT jsonb_agg(to_jsonb(g) - 'reading_blob_id' - 'display_blob_id' - 'preview_blob_id' ORDER BY g.n)
                FROM receipt_page g WHERE g.receipt_id = r.id), '|' ORDER BY r.id) FROM receipt r
        """

    enum Reading: CaseIterable {
        case none
        /// From text layers. The pages do not change.
        case words
        /// From pictures. New pages replace the stored pages, and it is unknown which file each new page shows.
        case pictures
    }

    @Test(.database, arguments: Reading.allCases, [false, true])
    func `every part gets back its own pictures and page numbers`(reading: Reading, movesPage: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("VASE", 4_900), ("SEMMEL", 39)], pages: 2)
            let key = try scene.keys(first)[1]
            let answer = try await anna.post(
                "/receipts/\(first)/splits",
                movesPage ? ["revision": "1", "line": "\(key)", "page": "2"] : ["revision": "1", "line": "\(key)"])
            let second = try answer.redirectedReceipt()
            #expect(try scene.pages(second) == (movesPage ? [1] : [0, 1]))
            let stateBefore = try scene.text(Self.state)
            // Joins in both orders.
            for (upper, lower) in [(first, second), (second, first)] {
                let joined = try await anna.post("/receipts/joins", ["receipt": "\(upper)", "receipt": "\(lower)"])
                #expect(joined.location == "/receipts/\(upper)")
                switch reading {
                case .none: break
                case .words: try await JoinedCorrectionsTests.read(harness)
                case .pictures:
                    var pages: [ReadingResults.PageBlobs] = []
                    for _ in try scene.pages(upper) {
                        let blobs = try ["reading", "display", "preview"].map { try scene.blob($0) }
                        pages.append(
                            ReadingResults.PageBlobs(
                                file: nil, reading: blobs[0], display: blobs[1], preview: blobs[2], width: 10,
                                height: 10))
                    }
                    try await JoinedCorrectionsTests.read(harness, as: ReadingScene.misread, pages)
                }
                #expect(try await anna.post("/receipts/\(upper)/join/removal").location == "/receipts")
                if reading != .pictures { #expect(try scene.text(Self.state) == stateBefore) }
                #expect(try scene.pages(first) == (movesPage ? [0] : [0, 1]))
                #expect(try scene.pages(second) == (movesPage ? [1] : [0, 1]))
                let lost = try scene.count(
                    """
                    SELECT count(*) FROM receipt_line l WHERE l.page IS NOT NULL AND NOT EXISTS (SELECT 1
                        FROM receipt_page g WHERE g.receipt_id = l.receipt_id AND g.n = l.page)
                    """)
                #expect(lost == 0)
            }
        }
    }

    @Test(.database) func `undoing a join restores the links from duplicates to its parts`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = [try scene.receipt([("VASE", 4_200)]), try scene.receipt([("SEMMEL", 39)])]
            let repeats = try (0..<2).map { _ in
                try scene.receipt([("SEMMEL", 39)], head: .init(duplicateOf: parts[1]))
            }
            _ = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(parts[1])"])
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE duplicate_of = \(parts[0])") == 2)
            try scene.owner.query("UPDATE receipt SET duplicate_of = NULL WHERE id = \(repeats[1])")
            _ = try await anna.post("/receipts/\(parts[0])/join/removal")
            let repeated = try scene.owner.query("SELECT id FROM receipt WHERE duplicate_of = \(parts[1])")
                .decode(ReceiptID.self)
            #expect(repeated == [repeats[0]])
            #expect(try repeats.map(scene.revision) == [3, 2])
            #expect(
                try scene.text(
                    """
                    SELECT body ->> 'duplicate_of' FROM change_log WHERE document_id = \(repeats[0]) AND revision = 3
                    """) == "\(parts[1])")
        }
    }
}
