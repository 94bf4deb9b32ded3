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
            // The way there from a product is not in euros either.
            let product = try await anna.get("/products/\(products[1])").text
            #expect(product.contains(">Milch 1, je l</a>") && !product.contains("€/l"))
        }
    }

    @Test(.database) func `searching for further products keeps what is ticked and typed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            var products: [ProductID] = []
            for name in ["Erdäpfel", "Speisekartoffeln", "Zwiebeln"] {
                let id = ProductID.new()
                try owner.query(
                    "INSERT INTO product (household_id, id, chain, name) VALUES (\(anna.household), \(id), 'spar', \(name))"
                )
                products.append(id)
            }
            func ticked(_ page: Answer) -> [ProductID] {
                products.filter { page.text.contains("name=\"product\" value=\"\($0)\" checked") }
            }
            let first = try await anna.post(
                "/compare/groups", ["action": "search", "name": "", "unit": "kg", "search": "erdäpfel"])
            #expect(first.status == .ok && ticked(first) == [])
            #expect(first.text.contains("value=\"\(products[0])\""))
            // Enter in the field of the search, with another word than before.
            let second = try await anna.post(
                "/compare/groups",
                [
                    "action": "enter", "name": "Kartoffeln", "unit": "kg", "product": "\(products[0])",
                    "search": "kartofel", "searched": "erdäpfel",
                ])
            #expect(second.status == .ok && ticked(second) == [products[0]])
            #expect(second.attribute("value", after: "name=\"name\"") == "Kartoffeln")
            #expect(second.text.contains("name=\"product\" value=\"\(products[1])\">"))
            let saved = try await anna.post(
                "/compare/groups",
                [
                    "action": "enter", "name": "Kartoffeln", "unit": "kg", "product": "\(products[0])",
                    "product": "\(products[1])", "search": "kartofel", "searched": "kartofel",
                ])
            #expect(saved.status == .seeOther)
            func members() throws -> [ProductID] {
                try owner.query("SELECT id FROM product WHERE comparison_group_id IS NOT NULL ORDER BY name").decode(
                    ProductID.self)
            }
            #expect(try members() == Array(products[..<2]))
            // Unticked, then searched: it stays unticked, and leaves.
            let group = try #require(try owner.query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
            let third = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "action": "search", "revision": "1", "name": "Kartoffeln", "unit": "kg",
                    "product": "\(products[1])", "shown": "\(products[0])", "shown": "\(products[1])",
                    "search": "zwiebel",
                ])
            #expect(ticked(third) == [products[1]])
            #expect(third.text.contains("name=\"shown\" value=\"\(products[0])\""))
            let changed = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "action": "save", "revision": "1", "name": "Kartoffeln", "unit": "kg", "product": "\(products[1])",
                    "product": "\(products[2])", "shown": "\(products[0])", "shown": "\(products[1])",
                ])
            #expect(changed.status == .seeOther)
            #expect(try members() == [products[1], products[2]])
            // From a page of before, where the first was ticked all along: who only names it anew brings nothing back.
            let older = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "action": "save", "revision": "1", "name": "Erdäpfel", "unit": "kg", "product": "\(products[0])",
                    "product": "\(products[1])", "shown": "\(products[0])", "shown": "\(products[1])",
                ])
            #expect(older.status == .seeOther)
            #expect(try members() == [products[1], products[2]])
        }
    }
}
