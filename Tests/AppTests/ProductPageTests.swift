import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The pages of a household's products.
@Suite(.timeLimit(.minutes(5))) struct ProductPageTests {
    @Test(.database) func `the pages of an empty household explain what to do`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for path in ["/", "/products", "/compare", "/matching"] {
                let page = try await anna.get(path)
                #expect(page.status == .ok, "\(path) \(page.text)")
                #expect(page.text.contains("class=\"card empty\""))
                #expect(page.text.contains("class=\"button main\" href=\"/receipts/new\""), "\(path)")
                // Without products, the form of a comparison could not be sent.
                #expect(!page.text.contains("href=\"/compare/groups/new\""))
                #expect(!page.text.contains("Alles zugeordnet"))
                #expect(!page.text.contains("⟦"))
            }
        }
    }

    @Test(.database, arguments: ["de", "en"])
    func `the pages of a household with products are shown without missing texts`(language: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let drawn = try await DrawnReceipts.fill(harness, anna)
            var paths = ["/", "/products", "/products?search=Prodkt", "/products?sort=rise", "/products?sort=name"]
            paths += drawn.products.flatMap { ["/products/\($0)", "/products/\($0)/merge"] }
            for path in paths {
                let page = try await anna.get(path)
                #expect(page.status == .ok, "\(path) \(page.text)")
                #expect(!page.text.contains("⟦"), "\(path)")
            }
            #expect(try await anna.get("/products?search=Prodkt").text.contains("Produkt 1"))
        }
    }

    @Test(.database) func `the price of a product sold by weight is shown once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("TOMATEN", 151)], pages: 0)
            let line = try scene.keys(receipt)[0]
            try await harness.change(
                receipt,
                #"""
                {"lines": [{"id": "\#(line)", "quantity_thousandths": 724, "unit": "kg",
                    "unit_price_thousandths": 209000}]}
                """#, by: anna)
            try await harness.confirm(receipt, by: anna)
            _ = try await anna.post("/matching/new-products")
            let product = try #require(try scene.owner.query("SELECT id FROM product").first(ProductID.self))
            let page = try await anna.get("/products/\(product)").text
            let table = try #require(page.split(separator: "aria-labelledby=\"prices\"").last)
            #expect(table.split(separator: "2,09 €/kg").count == 2)
            #expect(!table.contains("Grundpreis"))
        }
    }

    /// 250 weekly prices. The newest price is three days old, and each price is a cent lower than the previous price.
    @Test(.database)
    func `with more than 200 prices every page shows the same newest price and the same comparison with a year ago`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let prices: [(String, String, String)] = (0..<250).map { week in
                let cents = 100 + week
                return ("Milch", "\(cents / 100),\(String(cents).suffix(2))", daysAgo(3 + 7 * week))
            }
            try await anna.importTable(prices)
            let product = try harness.product(named: "Milch")
            let first = try await anna.get("/products/\(product)").text
            let second = try await anna.get("/products/\(product)?after=200").text
            for page in [first, second] {
                #expect(page.contains("<dd>1,00 €<small>"))
                // The price was 1,48 € 48 weeks earlier.
                let then = WallClock.today().adding(days: -339).formatted(.german)
                #expect(page.contains("<dt>Gegenüber \(then)</dt>") && page.contains("−32,4 %"))
                // The price was 1,13 € 13 weeks earlier.
                let recently = WallClock.today().adding(days: -94).formatted(.german)
                #expect(page.contains("<dt>Gegenüber \(recently)</dt>") && page.contains("−11,5 %"))
            }
            #expect(first.contains("class=\"chart\"") && !second.contains("class=\"chart\""))
            #expect(second.contains(">3,49 €</span>") && !second.contains("after=400"))
        }
    }

    @Test(.database) func `the page shows the change that the list shows, and the change since a year ago beside it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,50", daysAgo(350)), ("Milch", "1,20", daysAgo(100)), ("Milch", "1,40", daysAgo(5)),
            ])
            func shown(_ daysAgo: Int) -> String { WallClock.today().adding(days: -daysAgo).formatted(.german) }
            let list = try await anna.get("/products").text
            #expect(list.contains("+16,7 % <span>teurer</span>") && !list.contains("−6,7 %"))
            let product = try harness.product(named: "Milch")
            let page = try await anna.get("/products/\(product)").text
            let rows = page.components(separatedBy: "<dt>Gegenüber ").dropFirst()
                .compactMap { $0.components(separatedBy: "</dd>").first }
            try #require(rows.count == 2)
            #expect(rows[0].hasPrefix("\(shown(100))</dt>") && rows[0].contains("+16,7 % <span>teurer</span>"))
            #expect(rows[0].contains("damals 1,20 €"))
            #expect(rows[1].hasPrefix("\(shown(350))</dt>") && rows[1].contains("−6,7 % <span>billiger</span>"))
            #expect(rows[1].contains("damals 1,50 €"))
            // The API names the same earlier price in the list and in the document.
            let caller = try await harness.caller(anna)
            let items = try await caller.get("/api/v1/products").json
            let document = try await caller.get("/api/v1/products/\(product)").json
            let prices = [items["products"]?.array?.first?["earlier_price"], document["earlier_price"]]
            #expect(prices.map { $0?["regular_thousandths"]?.integer } == [120_000, 120_000])
        }
    }

    /// The first and the third price are equal.
    @Test(.database)
    func `a price that changed back is not called unchanged; a change within a year names its first day`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,49", daysAgo(100)), ("Milch", "1,59", daysAgo(60)), ("Milch", "1,49", daysAgo(10)),
            ])
            let product = try harness.product(named: "Milch")
            let returnedPage = try await anna.get("/products/\(product)").text
            #expect(returnedPage.contains("dazwischen 1,49 € bis 1,59 €") && !returnedPage.contains("unverändert 1,49"))
            try await anna.importTable([("Milch", "1,39", daysAgo(5))])
            let begin = WallClock.today().adding(days: -100).formatted(.german)
            #expect(try await anna.get("/products/\(product)").text.contains("<dt>Gegenüber \(begin)</dt>"))
        }
    }

    @Test(
        .database,
        arguments: [
            (["1,00", "1,20"], "Von 1,00 € am 03.02.2026 auf 1,20 € am 17.02.2026: um 20,0 % teurer."),
            (["1,20", "0,90"], "Von 1,20 € am 03.02.2026 auf 0,90 € am 17.02.2026: um 25,0 % billiger."),
            (["1,00", "1,20", "1,00"], "1,00 € am 17.02.2026, wie schon am 03.02.2026; dazwischen 1,00 € bis 1,20 €."),
            (["1,00", "1,00"], "Seit Februar 2026 unverändert 1,00 €."),
        ])
    func `the sentence about prices of one month names their dates`(prices: [String], sentence: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let days = prices.count == 2 ? ["2026-02-03", "2026-02-17"] : ["2026-02-03", "2026-02-10", "2026-02-17"]
            try await anna.importTable(zip(prices, days).map { ("Milch", $0, $1) })
            let page = try await anna.get("/products/\(try harness.product(named: "Milch"))").text
            #expect(page.contains(sentence))
        }
    }

    @Test(.database) func `list and page show the regular price first, and the offer price beside it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 95), ("AKTION", -20)], pages: 0)
            try await harness.setKinds([.item, .discount], of: receipt, by: anna)
            try await harness.confirm(receipt, by: anna)
            _ = try await anna.post("/matching/new-products")
            let product = try #require(try scene.owner.query("SELECT id FROM product").first(ProductID.self))
            let page = try await anna.get("/products/\(product)").text
            #expect(page.contains("<dt>Regulärer Preis</dt><dd>0,95 €<small>"))
            #expect(page.contains("<dt>In der Aktion bezahlt</dt><dd>0,75 €"))
            let list = try await anna.get("/products").text
            #expect(list.contains("Regulärer Preis beim letzten Einkauf"))
            #expect(list.contains(">0,95 €</span>") && list.contains("Aktion: 0,75 €"))
        }
    }

    @Test(.database) func `the product page shows prices, and another page edits the product`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let path = "/products/\(drawn.products[0])"
            let page = try await anna.get(path).text
            #expect(page.contains("href=\"\(path)/edit\"") && !page.contains("action=\"\(path)"))
            let edit = try await anna.get("\(path)/edit").text
            for form in ["", "/packages", "/removal"] { #expect(edit.contains("action=\"\(path)\(form)\"")) }
            let viewer = try await harness.join(anna, as: .viewer)
            #expect(!(try await viewer.get(path).text.contains("\(path)/edit")))
            #expect(try await viewer.get("\(path)/edit").status == .forbidden)
        }
    }

    @Test(.database, arguments: [("recent", [5, 3, 1, 0]), ("name", [0, 1, 3, 5]), ("rise", [3, 1, 5, 0])])
    func `the list is sorted across all pages, not within each page`(order: String, expected: [Int]) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var lines = [
                ("Ware 0", "1,00", daysAgo(200)), ("Ware 1", "1,00", daysAgo(150)), ("Ware 1", "1,10", daysAgo(20)),
                ("Ware 3", "1,00", daysAgo(150)), ("Ware 3", "1,50", daysAgo(10)), ("Ware 5", "1,00", daysAgo(140)),
                ("Ware 5", "0,90", daysAgo(5)),
            ]
            lines += (0..<50).map { ("Zeug \($0)", "2,00", daysAgo(300)) }
            try await anna.importTable(lines)
            let firstPage = try await anna.get("/products?sort=\(order)").text
            func shownTitles(_ page: String) -> [String] {
                page.matches(of: #/<span class="title">([^<]*)</#).map { String($0.output.1) }
            }
            let names = shownTitles(firstPage)
            #expect(names.count == 50)
            // Sorted by rise, the products with unchanged prices are last, ordered by name.
            let firstNames = names.filter { $0.hasPrefix("Ware") }
            #expect(firstNames == expected.map { "Ware \($0)" })
            let second = shownTitles(try await anna.get("/products?sort=\(order)&after=50").text)
            #expect(second.count == 4 && Set(second).isDisjoint(with: names))
        }
    }

    @Test(.database) func `another household's product is not found`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            let path = "/products/\(drawn.products[0])"
            #expect(try await paul.get(path).status == .notFound)
            #expect(try await paul.post(path, ["revision": "1", "name": "Meins", "category": ""]).status == .notFound)
            #expect(
                try await paul.post(
                    "\(path)/packages", ["revision": "1", "amount": "1", "unit": "kg", "from": "2026-01-01"]
                )
                .status == .notFound)
            #expect(try await anna.get(path).text.contains("Produkt 0"))
        }
    }
}
