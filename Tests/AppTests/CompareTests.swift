import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Prices of two currencies are not compared.
@Suite struct CompareTests {
    @Test(.database) func `a price in another currency than the household's is in no row`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let today = WallClock.today().iso
            try await anna.importTable([
                ("Milch 1 l", "1,11", today, "SPAR"), ("Milch 1 l", "2,22", today, "HOFER"),
            ])
            let products = try owner.query("SELECT id FROM product ORDER BY chain").decode(ProductID.self)
            try #require(products.count == 2)
            for (index, product) in products.enumerated() {
                let made = try await anna.post(
                    "/compare/groups", ["name": "Milch \(index)", "unit": "l", "product": "\(product)"])
                #expect(made.status == .seeOther)
            }
            let before = try await anna.get("/compare").text
            #expect(before.contains("1,11") && before.contains("2,22") && before.contains("€/l"))
            try owner.query("UPDATE price SET currency = 'CHF' WHERE regular_thousandths = 111000")
            let after = try await anna.get("/compare").text
            #expect(!after.contains("1,11") && after.contains("2,22"))
            try owner.query("UPDATE household SET currency = 'CHF'")
            let swiss = try await anna.get("/compare").text
            #expect(swiss.contains("1,11") && !swiss.contains("2,22") && swiss.contains("CHF/l"))
        }
    }
}
