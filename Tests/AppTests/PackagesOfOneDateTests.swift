import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Two package sizes of one product that are bought on one date.
@Suite(.timeLimit(.minutes(5))) struct PackagesOfOneDateTests {
    private func basePrices(_ shop: PackageShop, of line: String) throws -> [Int64] {
        try shop.scene.owner.query(
            """
            SELECT p.base_thousandths / 1000 FROM price p
            JOIN receipt_line l ON l.household_id = p.household_id AND l.id = p.line_id
            WHERE l.printed_name = \(line) ORDER BY 1
            """
        ).decode(Int64.self)
    }

    private let names = ["KEKSE 500G", "KEKSE 400G"]

    @Test(.database) func `each line of a receipt has the base price of the size in its name`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            try await shop.addBothSizes()
            let lines = names.map { ($0, Int64(200)) }
            let receipt = try shop.scene.receipt(lines, pages: 0, head: .init(day: "2026-06-08"))
            try await harness.confirm(receipt, by: anna)
            #expect(try basePrices(shop, of: names[0]) == [400, 400])
            #expect(try basePrices(shop, of: names[1]) == [500, 500])
        }
    }

    @Test(.database, arguments: [false, true])
    func `each of several receipts of a date has the base price of the size in its name`(largeFirst: Bool) async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            try await shop.addBothSizes()
            let purchases = [(names[0], 250), (names[1], 240)] as [(String, Int64)]
            for purchase in largeFirst ? purchases : purchases.reversed() {
                let receipt = try shop.scene.receipt([purchase], pages: 0, head: .init(day: "2026-06-08"))
                try await harness.confirm(receipt, by: anna)
            }
            #expect(try basePrices(shop, of: names[0]) == [400, 500])
            #expect(try basePrices(shop, of: names[1]) == [500, 600])
        }
    }

    @Test(.database) func `a size that a person entered applies to all names`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let first = try await shop.buy(names[0], on: "2026-03-02")
            try await shop.match(first, to: "new", name: "Kekse")
            let product = try shop.product(of: first)
            try await shop.match(try await shop.buy(names[1], on: "2026-05-04"), to: "\(product)")
            let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(product)")
            let answer = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "\(revision)", "amount": "250", "unit": "g", "from": "2026-06-01"])
            #expect(answer.status == .seeOther)
            let receipt = try shop.scene.receipt(
                names.map { ($0, Int64(200)) }, pages: 0, head: .init(day: "2026-06-08"))
            try await harness.confirm(receipt, by: anna)
            #expect(try basePrices(shop, of: names[0]) == [400, 800])
            #expect(try basePrices(shop, of: names[1]) == [500, 800])
        }
    }
}
