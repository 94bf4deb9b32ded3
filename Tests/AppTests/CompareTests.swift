import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The pages of comparison groups. Prices in different currencies are not compared.
@Suite(.timeLimit(.minutes(5))) struct CompareTests {
    @Test(.database) func `prices in currencies other than the household's are not shown`() async throws {
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
                let creationAnswer = try await anna.post(
                    "/compare/groups", ["name": "Milch \(index)", "unit": "l", "product": "\(product)"])
                #expect(creationAnswer.status == .seeOther)
            }
            let pageBefore = try await anna.get("/compare").text
            #expect(pageBefore.contains("1,11") && pageBefore.contains("2,22") && pageBefore.contains(">/l<"))
            #expect(pageBefore.contains("bei Aktionen der letzten 7 Tage der Grundpreis der Aktion"))
            let cheap = try #require(
                try owner.query("SELECT id FROM receipt WHERE total_minor = 111").first(ReceiptID.self))
            try await harness.change(cheap, #"{"currency": "CHF"}"#, by: anna)
            let pageAfter = try await anna.get("/compare").text
            #expect(!pageAfter.contains("1,11") && pageAfter.contains("2,22"))
            _ = try await anna.post("/settings/region", ["currency": "CHF", "country": "AT", "zone": ""])
            let swiss = try await anna.get("/compare").text
            #expect(swiss.contains("1,11") && !swiss.contains("2,22") && swiss.contains("CHF/l"))
            // The link to the comparison on the product page does not show the unit in the previous currency.
            let product = try await anna.get("/products/\(products[1])").text
            #expect(product.contains(">Milch 1, je l</span>") && !product.contains("€/l"))
        }
    }

    @Test(.database) func `phones get the prices of the unit that the pages compare`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch 1L", "1,20", daysAgo(20)), ("Milch vom Hof", "0,50", daysAgo(5))])
            let caller = try await harness.caller(anna)
            let products = try harness.owner().query("SELECT id FROM product").decode(ProductID.self)
            let list = products.map { "\"\($0)\"" }.joined(separator: ",")
            let creationAnswer = try await caller.post(
                "/api/v1/groups", #"{"name": "Milch", "unit": "l", "product_ids": [\#(list)]}"#)
            try #require(creationAnswer.status == .created, "\(creationAnswer.text)")
            let feed = try await caller.get("/api/v1/households/\(anna.household)/prices").json["prices"]?.array
            #expect(feed?.map { $0["base_unit"]?.string } == ["l"])
            #expect(feed?.first?["base_thousandths"]?.integer == 120_000)
        }
    }

    @Test(.database)
    func `a comparison lists the cheapest stores first and marks them, and lists old prices last`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let stores = ["SPAR", "BILLA", "HOFER", "LIDL", "PENNY", "REWE", "EDEKA", "NETTO", "MPREIS", "UNIMARKT"]
            var lines = stores.enumerated().map { (store: $0.element, price: "1,\(59 + $0.offset)", daysAgo: 5) }
            lines[1].price = "1,59"
            lines[9] = (store: "UNIMARKT", price: "1,19", daysAgo: 200)
            let group = try await harness.comparisonGroup(lines, by: anna)
            for page in ["/compare", "/compare/groups/\(group)"] {
                let cells = try await anna.get(page).text.components(separatedBy: "<li class=\"store-price").dropFirst()
                let prices = cells.compactMap { $0.firstMatch(of: #/<span class="money">([0-9],[0-9]{2})/#)?.output.1 }
                #expect(
                    prices.map(String.init) == [
                        "1,59", "1,59", "1,61", "1,62", "1,63", "1,64", "1,65", "1,66", "1,67", "1,19",
                    ])
                #expect(cells.map { $0.contains("tick-mark") } == [true, true] + Array(repeating: false, count: 8))
                #expect(cells.last?.hasPrefix(" stale") == true && cells.last?.contains("alt: vor 6 Monaten") == true)
            }
        }
    }

    @Test(.database)
    func `a comparison has a page with its price history in all stores, and another page with its form`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let group = try await harness.comparisonGroup(
                [("SPAR", "1,20", 5), ("HOFER", "1,00", 4), ("SPAR", "1,10", 60), ("HOFER", "0,95", 70)], by: anna)
            let page = try await anna.get("/compare/groups/\(group)").text
            #expect(page.contains("Am billigsten ist HOFER mit 1,00 €/l. Bei SPAR kostet dasselbe 20,0 % mehr."))
            #expect(page.contains("zwischen 0,95 €/l und 1,20 €/l"))
            #expect(page.matches(of: #/class="mark" tabindex="0" role="img" aria-label="[0-9]/#).count == 4)
            #expect(!page.contains("<form method=\"post\" action=\"/compare"))
            let edit = try await anna.get("/compare/groups/\(group)/edit").text
            #expect(edit.contains("name=\"unit\""))
        }
    }

    @Test(
        .database,
        arguments: [
            ([("SPAR", "1,20", 5)], nil), ([("SPAR", "1,20", 5), ("HOFER", "1,00", 100)], nil),
            ([("SPAR", "1,00", 5), ("HOFER", "1,00", 4)], nil),
            (
                [("SPAR", "1,00", 5), ("HOFER", "1,00", 4), ("BILLA", "1,10", 3)],
                "Am billigsten mit 1,00 €/l: HOFER, SPAR. Bei BILLA kostet dasselbe 10,0 % mehr."
            ),
        ] as [([(String, String, Int)], String?)])
    func `a comparison has a summary if its recent prices differ, and the summary names all cheapest stores`(
        lines: [(String, String, Int)], summary: String?
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let group = try await harness.comparisonGroup(
                lines.map { (store: $0.0, price: $0.1, daysAgo: $0.2) }, by: anna)
            let page = try await anna.get("/compare/groups/\(group)").text
            #expect(page.contains("kostet dasselbe") == (summary != nil))
            if let summary { #expect(page.contains(summary)) }
        }
    }

    @Test(.database, arguments: [("milk", true), ("dairy", true), ("groceries", true), ("drinks", false)])
    func `filtering by a category finds comparisons in all its subcategories`(key: String, isFound: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await harness.comparisonGroup([("SPAR", "1,20", 5)], by: anna)
            let product = try #require(try owner.query("SELECT id FROM product").first(ProductID.self))
            let revision = try #require(try owner.query("SELECT revision FROM product").first(Int64.self))
            let saveAnswer = try await anna.post(
                "/products/\(product)",
                ["name": "Milch", "category": "\(try owner.category("milk"))", "revision": "\(revision)"])
            #expect(saveAnswer.status == .seeOther)
            let page = try await anna.get("/compare?category=\(try owner.category(key))").text
            #expect(page.contains("class=\"compared\"") == isFound)
        }
    }

    @Test(.database) func `the range of prices in a comparison includes offers`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let group = try await harness.comparisonGroup([("SPAR", "1,20", 5), ("HOFER", "1,30", 4)], by: anna)
            let day = WallClock.today().adding(days: -20).iso
            let table = """
                Name;Preis;Kategorie;Geschäft;Datum;Menge;Einheit;Art
                Milch 1L;1,20;;SPAR;\(day);1;Stk.;Artikel
                Aktion;-0,40;;SPAR;\(day);1;Stk.;Rabatt

                """
            let preview = try #require(
                try await anna.importFile(table).location)
            #expect(try await anna.post("\(preview)/confirmation").status == .seeOther)
            let page = try await anna.get("/compare/groups/\(group)").text
            #expect(page.contains("zwischen 0,80 €/l und 1,30 €/l"))
        }
    }

    @Test(.database) func `a free second package halves the price, whichever line has the discount`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let group = try await harness.comparisonGroup([("SPAR", "1,20", 20), ("HOFER", "1,00", 4)], by: anna)
            let day = WallClock.today().iso
            let table = """
                Name;Preis;Kategorie;Geschäft;Datum;Menge;Einheit;Art
                Milch 1L;1,20;;SPAR;\(day);1;Stk.;Artikel
                Milch 1L;1,20;;SPAR;\(day);1;Stk.;Artikel
                1+1 gratis;-1,20;;SPAR;\(day);1;Stk.;Rabatt

                """
            let preview = try #require(try await anna.importFile(table).location)
            #expect(try await anna.post("\(preview)/confirmation").status == .seeOther)
            let paid = try harness.owner().query(
                "SELECT paid_thousandths FROM price WHERE is_offer ORDER BY id"
            ).decode(Int64.self)
            #expect(paid == [60_000, 60_000])
            let page = try await anna.get("/compare/groups/\(group)").text
            #expect(page.contains("Am billigsten ist SPAR mit 0,60 €/l."))
            #expect(page.contains("zwischen 0,60 €/l und 1,20 €/l"))
        }
    }

    @Test(.database, arguments: [GroupEdits.maximumProducts, GroupEdits.maximumProducts + 1])
    func `the form and the API have the same limit of products`(count: Int) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let products = (0..<count).map { _ in ProductID.new().description }
            let token = try await anna.get("/settings").token ?? ""
            var fields = [("csrf", token), ("name", "Milch"), ("unit", "l"), ("action", "search")]
            for name in ["product", "shown"] { fields += products.map { (name, $0) } }
            let body = fields.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
            let page = try await anna.send(
                .post, "/compare/groups", type: "application/x-www-form-urlencoded", Array(body.utf8))
            #expect(page.status == (count <= 200 ? .ok : .badRequest))
            let caller = try await harness.caller(anna)
            let list = products.map { "\"\($0)\"" }.joined(separator: ",")
            let answer = try await caller.post(
                "/api/v1/groups", #"{"name": "Milch", "unit": "l", "product_ids": [\#(list)]}"#)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("at most 200 identifiers") == (count > 200))
        }
    }

    @Test(.database) func `searching for further products keeps ticked products and typed fields`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            var products: [ProductID] = []
            for name in ["Erdäpfel", "Speisekartoffeln", "Zwiebeln"] {
                products.append(try await harness.product(name, chain: "spar", by: anna))
            }
            func tickedProducts(_ page: Answer) -> [ProductID] {
                products.filter { page.text.contains("name=\"product\" value=\"\($0)\" checked") }
            }
            let firstAnswer = try await anna.post(
                "/compare/groups", ["action": "search", "name": "", "unit": "kg", "search": "erdäpfel"])
            #expect(firstAnswer.status == .ok && tickedProducts(firstAnswer) == [])
            #expect(firstAnswer.text.contains("value=\"\(products[0])\""))
            // The person presses Enter in the search field, with another search word.
            let secondAnswer = try await anna.post(
                "/compare/groups",
                [
                    "action": "enter", "name": "Kartoffeln", "unit": "kg", "product": "\(products[0])",
                    "search": "kartofel", "searched": "erdäpfel",
                ])
            #expect(secondAnswer.status == .ok && tickedProducts(secondAnswer) == [products[0]])
            #expect(secondAnswer.attribute("value", after: "name=\"name\"") == "Kartoffeln")
            #expect(secondAnswer.text.contains("name=\"product\" value=\"\(products[1])\">"))
            let saveAnswer = try await anna.post(
                "/compare/groups",
                [
                    "action": "enter", "name": "Kartoffeln", "unit": "kg", "product": "\(products[0])",
                    "product": "\(products[1])", "search": "kartofel", "searched": "kartofel",
                ])
            #expect(saveAnswer.status == .seeOther)
            func members() throws -> [ProductID] {
                try owner.query("SELECT id FROM product WHERE comparison_group_id IS NOT NULL ORDER BY name").decode(
                    ProductID.self)
            }
            #expect(try members() == Array(products[..<2]))
            // A product that was unticked before the search stays unticked and is removed from the group.
            let group = try #require(try owner.query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
            let thirdAnswer = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "action": "search", "revision": "1", "name": "Kartoffeln", "unit": "kg",
                    "product": "\(products[1])", "shown": "\(products[0])", "shown": "\(products[1])",
                    "search": "zwiebel",
                ])
            #expect(tickedProducts(thirdAnswer) == [products[1]])
            #expect(thirdAnswer.text.contains("name=\"product\" value=\"\(products[0])\">"))
            #expect(thirdAnswer.text.contains("name=\"shown\" value=\"\(products[0])\""))
            let changeAnswer = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "action": "save", "revision": "1", "name": "Kartoffeln", "unit": "kg", "product": "\(products[1])",
                    "product": "\(products[2])", "shown": "\(products[0])", "shown": "\(products[1])",
                ])
            #expect(changeAnswer.status == .seeOther)
            #expect(try members() == [products[1], products[2]])
            // An older page still has the first product ticked. Saving a new name on that page does not add the product
            // again.
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

    /// A client may choose the same UUID for documents of two types.
    @Test(.database, arguments: [true, false])
    func `a group is saved although a category has the same identifier`(categoryFirst: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let group = SyncScene.key(.comparisonGroup)
            func addCategory() async throws {
                try await scene.edit(DocumentKey(.category, group.id)) { $0 = ["type": "category", "name": "Camping"] }
            }
            if categoryFirst { try await addCategory() }
            try await scene.edit(group) { $0 = ["type": "comparison_group", "name": "Milch", "base_unit": "l"] }
            if !categoryFirst { try await addCategory() }
            let product = try await harness.product("Vollmilch", chain: "hofer", by: anna)
            let saved = try await anna.post(
                "/compare/groups/\(group.id)",
                ["action": "save", "revision": "1", "name": "Vollmilch", "unit": "l", "product": "\(product)"])
            #expect(saved.status == .seeOther, "\(saved.text)")
            #expect(try await scene.body(group)?["name"] == "Vollmilch")
        }
    }
}
