import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The order of receipts that wait for review.
@Suite(.timeLimit(.minutes(5))) struct InboxOrderTests {
    private static func confirm(_ receipt: ReceiptID, _ browser: Browser, _ scene: ReceiptScene) async throws -> String?
    {
        let page = try await browser.get("/receipts/\(receipt)/review")
        let key = try scene.keys(receipt)[0]
        let fields: KeyValuePairs = [
            "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02", "total": "1,50",
            "line": "\(key)", "name-\(key)": "MILCH", "quantity-\(key)": "1", "unit-\(key)": "piece",
            "total-\(key)": "1,50", "kind-\(key)": "item",
        ]
        return try await browser.post("/receipts/\(receipt)/confirmation", fields, on: page).location
    }

    @Test(.database, arguments: [(100, false), (103, true)] as [(Int32, Bool)])
    func `a full inbox says how many receipts wait and that it shows the newest`(count: Int32, isFull: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try harness.scene(anna).owner.query(
                """
                INSERT INTO receipt (household_id, id, stage, verdict, printed_store, total_minor)
                SELECT \(anna.household), gen_random_uuid(), 'review', 'review', '{"name": "HOFER"}', 100
                FROM generate_series(1, \(count))
                """)
            for target in ["/receipts", "/receipts?search=hofer"] {
                let page = try await anna.get(target).text
                #expect(page.contains("<h2 id=\"inbox\">Wartet auf Sie <span class=\"count\">\(count)</span>"))
                #expect(page.contains("Das sind die 100 neuesten.") == isFull)
                #expect(page.matches(of: #/<a href="\/receipts\/[0-9a-f-]{36}"/#).count == 100)
            }
        }
    }

    @Test(.database)
    func `after confirming a receipt, the next receipt of the inbox is shown; after the last receipt, the first`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            // The newest receipt is the first in the inbox.
            let receipts = try (0..<5).map { minutes in
                let receipt = try scene.receipt([("MILCH", 150)])
                try scene.owner.query(
                    """
                    UPDATE receipt SET created_at = now() - \(Int64(minutes)) * interval '1 minute'
                    WHERE id = \(receipt)
                    """)
                return receipt
            }
            #expect(try await anna.post("/receipts/\(receipts[2])/rereading").status == .seeOther)
            // The first receipt was skipped. The receipt that is being read has no review page.
            #expect(try await Self.confirm(receipts[1], anna, scene) == "/receipts/\(receipts[3])/review")
            #expect(try await Self.confirm(receipts[3], anna, scene) == "/receipts/\(receipts[4])/review")
            #expect(try await Self.confirm(receipts[4], anna, scene) == "/receipts/\(receipts[0])/review")
            let last = try await Self.confirm(receipts[0], anna, scene)
            #expect(last != nil && last?.hasSuffix("/review") == false)
        }
    }
}
