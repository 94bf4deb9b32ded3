import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A month with more receipts than fit on one page.
@Suite(.timeLimit(.minutes(5))) struct LongMonthTests {
    /// Inserts `count` confirmed receipts of October 2026, and one receipt of September 2026.
    private func receipts(_ count: Int32, _ scene: ReceiptScene) throws {
        try scene.owner.query(
            """
            INSERT INTO receipt (household_id, id, stage, printed_store, purchase_day, total_minor)
            SELECT \(scene.household), gen_random_uuid(), 'confirmed', '{"name": "HOFER"}',
                CASE WHEN n = 0 THEN date '2026-09-30' ELSE date '2026-10-01' + n % 31 END, 100
            FROM generate_series(0, \(count)) n
            """)
    }

    private func receiptLinkCount(_ page: Answer) -> Int {
        page.text.matches(of: #/href="\/receipts\/[0-9a-f-]{36}"/#).count
    }

    @Test(.database, arguments: [(50, nil), (51, nil), (52, 52)] as [(Int32, Int?)])
    func `a month with more receipts than its page shows has a link to all of them`(count: Int32, linked: Int?)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try receipts(count, try harness.scene(anna))
            let page = try await anna.get("/receipts?search=hofer")
            let pattern = #/href="([^"]*month=2026-10[^"]*)">Alle Belege dieses Monats \((\d+)\)/#
            let link = page.text.firstMatch(of: pattern)
            #expect(link.flatMap { Int($0.output.2) } == linked)
            guard let link else { return }
            let href = String(link.output.1).replacing("&amp;", with: "&")
            #expect(href.contains("search=hofer"))
            #expect(receiptLinkCount(try await anna.get(href)) == linked)
        }
    }

    @Test(.database) func `a month with hundreds of receipts has pages`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try receipts(503, try harness.scene(anna))
            let firstPage = try await anna.get("/receipts?month=2026-10")
            #expect(receiptLinkCount(firstPage) == 500)
            let next = try #require(firstPage.text.firstMatch(of: #/href="(\/receipts\?[^"]*after=500)"/#)?.output.1)
            let secondPage = try await anna.get(String(next).replacing("&amp;", with: "&"))
            #expect(receiptLinkCount(secondPage) == 3)
            #expect(!secondPage.text.contains("after=1000"))
        }
    }
}
