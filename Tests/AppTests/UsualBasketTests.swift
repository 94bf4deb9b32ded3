import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The page and the summary of the usual basket.
@Suite(.timeLimit(.minutes(5))) struct UsualBasketTests {
    @Test(.database) func `the basket page sums up the usual purchases for each chain and for two chains together`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.comparisonGroup(
                [
                    ("SPAR", "1,20", 5), ("SPAR", "1,20", 20), ("SPAR", "1,20", 40), ("HOFER", "1,00", 4),
                ], by: anna)
            // Four litres in 90 days are 1.33 litres in a month.
            let page = try await anna.get("/compare/basket").text
            #expect(page.contains(">HOFER</span>") && page.contains(">1,33 €<") && page.contains(">1,60 €<"))
            #expect(page.contains("1,333 l im Monat"))
            let overview = try await anna.get("/compare").text
            #expect(overview.contains("HOFER 1 €, SPAR 2 €"))
        }
    }

    @Test(.database) func `lines of one receipt are one purchase of the usual basket`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch 1L", "1,20", daysAgo(5), "SPAR"), ("Milch 1L", "1,30", daysAgo(5), "SPAR"),
                ("Landmilch 1L", "1,50", daysAgo(5), "SPAR"),
            ])
            let products = try harness.owner().query("SELECT id FROM product ORDER BY name").decode(ProductID.self)
            try #require(products.count == 2)
            let creationAnswer = try await anna.post(
                "/compare/groups",
                ["name": "Milch", "unit": "l", "product": "\(products[0])", "product": "\(products[1])"])
            #expect(creationAnswer.status == .seeOther)
            let caller = try await harness.caller(anna)
            func entries() async throws -> [JSONValue] {
                try await caller.get("/api/v1/comparison/basket").json["entries"]?.array ?? []
            }
            #expect(try await entries().isEmpty)
            try await anna.importTable([("Milch 1L", "1,20", daysAgo(20), "SPAR")])
            // Four litres in 90 days are 1.33 litres in a month.
            let foundEntries = try await entries()
            #expect(foundEntries.count == 1 && foundEntries.first?["quantity_thousandths"] == 1333)
        }
    }

    @Test(.database, arguments: [(5, false), (6, true)])
    func `two lines of one purchase are not two purchases of the usual basket`(daysAgo: Int, isKnown: Bool) async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.comparisonGroup(
                [("SPAR", "1,20", 5), ("SPAR", "1,20", daysAgo), ("HOFER", "1,00", 100)], by: anna)
            let page = try await anna.get("/compare/basket").text
            #expect(page.contains("Noch kein Vergleich möglich") == !isKnown)
            #expect(page.contains("666 ml im Monat") == isKnown)
        }
    }

    @Test(.database) func `the split of the basket between two chains says how many of its prices are old`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch 1L", "1,20", daysAgo(5), "HOFER"), ("Milch 1L", "1,20", daysAgo(20), "HOFER"),
                ("Milch 1L", "1,00", daysAgo(100), "SPAR"), ("Butter 1kg", "2,00", daysAgo(5), "HOFER"),
                ("Butter 1kg", "2,00", daysAgo(20), "HOFER"), ("Butter 1kg", "3,00", daysAgo(4), "SPAR"),
            ])
            let caller = try await harness.caller(anna)
            let owner = try harness.owner()
            for (name, unit) in [("Milch", "l"), ("Butter", "kg")] {
                let products = try owner.query("SELECT id FROM product WHERE name LIKE \(name + "%")")
                    .decode(ProductID.self)
                try #require(products.count == 2)
                let list = products.map { "\"\($0)\"" }.joined(separator: ",")
                let creationAnswer = try await caller.post(
                    "/api/v1/groups", #"{"name": "\#(name)", "unit": "\#(unit)", "product_ids": [\#(list)]}"#)
                try #require(creationAnswer.status == .created, "\(creationAnswer.text)")
            }
            let page = try await anna.get("/compare/basket").text
            #expect(page.contains("HOFER + SPAR"))
            #expect(page.matches(of: #/Preise älter als 90 Tage: 1/#).count == 2)
        }
    }

    @Test(.database) func `equally low totals of the basket page are all highlighted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.comparisonGroup(
                [("SPAR", "1,20", 5), ("HOFER", "1,00", 4), ("LIDL", "1,00", 3)], by: anna)
            let page = try await anna.get("/compare/basket").text
            #expect(page.matches(of: #/<span class="money strong">1,00 €/#).count == 2)
            #expect(page.contains("<span class=\"money\">1,20 €"))
        }
    }

    @Test(.database) func `the usual basket's summary shows whole euros with a thousands separator`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.comparisonGroup(
                [("SPAR", "1503,00", 5), ("SPAR", "1503,00", 20), ("HOFER", "1500,00", 4)], by: anna)
            // Three litres in 90 days are one litre in a month.
            #expect(try await anna.get("/compare").text.contains("HOFER 1.500 €, SPAR 1.503 €"))
        }
    }
}
