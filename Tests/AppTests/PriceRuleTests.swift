import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// Prices that earlier rules computed are computed again once.
@Suite(.timeLimit(.minutes(5))) struct PriceRuleTests {
    private let names = ["KEKSE 500G", "KEKSE 400G"]

    private func basePrices(_ shop: PackageShop, of line: String) throws -> [Int64] {
        try shop.scene.owner.query(
            """
            SELECT p.base_thousandths / 1000 FROM price p
            JOIN receipt_line l ON l.household_id = p.household_id AND l.id = p.line_id
            WHERE l.printed_name = \(line) ORDER BY 1
            """
        ).decode(Int64.self)
    }

    /// Stores the base prices as the earlier rule computed them: with one size for all lines of a date.
    private func storeEarlierPrices(_ scene: ReceiptScene) throws {
        try scene.owner.query("UPDATE price SET base_thousandths = 400000 WHERE day = '2026-06-08'")
        try scene.owner.query("UPDATE store_price SET base_thousandths = 400000 WHERE day = '2026-06-08'")
        try scene.owner.query("UPDATE product_price SET base_thousandths = 400000 WHERE day = '2026-06-08'")
    }

    @Test(.database) func `base prices of an earlier rule are computed again once, with the roll-ups`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let scene = shop.scene
            try await shop.addBothSizes()
            let caller = try await harness.caller(anna)
            // More receipts than one transaction updates.
            for number in 0..<25 {
                let lines = names.map { ($0, Int64(200)) }
                let receipt = try scene.receipt(
                    lines, pages: 0, head: .init(day: "2026-06-08", time: "10:\(10 + number)"))
                try await caller.confirm(receipt)
            }
            try storeEarlierPrices(scene)
            #expect(try basePrices(shop, of: names[1]) == [Int64](repeating: 400, count: 25) + [500])
            // Sums do not depend on the rules. Computing them again takes too long for a transaction in the background.
            let sums: SQL = """
                SELECT (SELECT sum(amount_minor)::bigint FROM spending_month)
                    + (SELECT sum(amount_minor)::bigint FROM expense_month)
                """
            try scene.owner.query("UPDATE spending_month SET amount_minor = amount_minor + 1")
            try scene.owner.query("UPDATE expense_month SET amount_minor = amount_minor + 1")
            let sumsBefore = try scene.count(sums)
            try await Sweeper.run(harness.database)
            #expect(try scene.count(sums) == sumsBefore)
            #expect(try basePrices(shop, of: names[0]) == [Int64](repeating: 400, count: 26))
            #expect(try basePrices(shop, of: names[1]) == [Int64](repeating: 500, count: 26))
            let staleCount = try scene.count(
                """
                SELECT count(*) FROM store_price m
                JOIN price p ON p.household_id = m.household_id AND p.id = m.price_id
                JOIN product_price d ON d.household_id = m.household_id AND d.product_id = m.product_id
                WHERE m.base_thousandths <> p.base_thousandths OR d.base_thousandths <> p.base_thousandths
                """)
            #expect(staleCount == 0)
            #expect(try scene.count("SELECT price_rule::bigint FROM household") == Int64(PriceRule.current))
            // The prices are up to date, so the next sweep does not write them.
            try storeEarlierPrices(scene)
            try await Sweeper.run(harness.database)
            #expect(try basePrices(shop, of: names[1]) == [Int64](repeating: 400, count: 25) + [500])
        }
    }
}
