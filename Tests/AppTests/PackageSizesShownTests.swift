import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Prices of packages of different sizes are compared by their base prices.
@Suite(.timeLimit(.minutes(5))) struct PackageSizesShownTests {
    @Test(.database) func `base prices and their change are shown if the package size changed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Cola", "4,98", daysAgo(100)), ("Cola", "4,48", daysAgo(10)), ("Chips", "2,00", daysAgo(100)),
                ("Chips", "2,20", daysAgo(10)), ("Saft", "1,00", daysAgo(100)), ("Saft", "1,20", daysAgo(10)),
            ])
            // Cola has become more expensive per litre, Chips cheaper per kilogram. Saft has one package size only.
            for (name, unit, before, now) in [
                ("Cola", "l", 1_980, 1_320), ("Chips", "kg", 200, 300), ("Saft", "l", 1_000, 1_000),
            ] as [(String, String, Int64, Int64)] {
                try await harness.storePackageSizes(name, unit, [(200, before), (50, now)], anna)
            }
            let page = try await anna.get("/").text
            let (risen, fallen) = (page.section("risen"), page.section("fallen"))
            #expect(risen.contains("2,52 €/l am ") && risen.contains("3,39 €/l am "))
            #expect(risen.contains("+34,9 % <span>teurer") && !risen.contains("4,98 €"))
            #expect(risen.contains("1,00 € am ") && risen.contains("1,20 € am "))
            #expect(fallen.contains("10,00 €/kg am ") && fallen.contains("7,33 €/kg am "))
            #expect(fallen.contains("−26,7 % <span>billiger"))
        }
    }

    @Test(.database, arguments: [false, true])
    func `a page shows, compares and ranks prices by base price only if package sizes differ`(isShrunk: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Cola", "4,98", daysAgo(110)), ("Cola", "5,50", daysAgo(60)), ("Cola", "4,48", daysAgo(10)),
            ])
            let product = try await harness.storePackageSizes(
                "Cola", "l", isShrunk ? [(110, 1_980), (20, 1_320)] : [(110, 1_320), (20, 1_320)], anna)
            let page = try await anna.get("/products/\(product)").text
            #expect(page.section("history").contains(isShrunk ? ">3,50 €/l</text>" : ">5,50 €</text>"))
            #expect(page.contains("class=\"chart long-figures\"") == isShrunk)
            if isShrunk {
                #expect(page.contains("<dd>3,39 €/l<small>4,48 €, "))
                #expect(page.contains("<dd>2,52 €/l<small>4,98 €, "))
                #expect(page.contains("+34,9 %") && !page.contains("<dt>Grundpreis</dt>"))
                #expect(page.contains("Von 2,52 €/l im ") && page.contains("um 34,9 % teurer."))
                #expect(page.contains("aria-label=\"2,78 €/l, "))
            } else {
                #expect(page.matches(of: #/<dd>4,48 €<small>\D/#).count == 2)
                #expect(page.contains("<dt>Grundpreis</dt><dd>3,39 €/l</dd>") && page.contains("−10,0 %"))
                #expect(page.contains("Von 4,98 € im ") && page.contains("um 10,0 % billiger."))
                #expect(page.contains("aria-label=\"5,50 €, "))
            }
        }
    }

    @Test(
        .database,
        arguments: [
            // A package of 200 g, no package size, a package of 1 l, a price in another currency.
            ("kg", 200, "EUR", true), ("kg", nil, "EUR", false), ("l", 1_000, "EUR", false), ("kg", 200, "CHF", false),
        ] as [(String, Int64?, String, Bool)])
    func `products sold by piece and by weight are compared by base price, or not at all`(
        unit: String, size: Int64?, currency: String, isRanked: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await anna.importTable([("Käse", "2,49", daysAgo(60))])
            let piece = try #require(try scene.owner.query("SELECT id FROM receipt").first(ReceiptID.self))
            try await harness.change(piece, #"{"currency": "\#(currency)"}"#, by: anna)
            if let size { try await harness.storePackageSizes("Käse", unit, [(60, size)], anna) }
            // The same product at 9.90 per kilogram.
            let weighed = try scene.receipt(
                [("Käse", 990)], pages: 0, head: .init(store: #"{"name": "SPAR"}"#, day: daysAgo(10)))
            let line = try scene.keys(weighed)[0]
            try await harness.change(
                weighed, #"{"lines": [{"id": "\#(line)", "unit": "kg", "unit_price_thousandths": 990000}]}"#, by: anna)
            try await harness.confirm(weighed, by: anna)
            let product = try harness.product(named: "Käse")
            let page = try await anna.get("/products/\(product)").text
            #expect(page.contains("<dt>Niedrigster bezahlter Preis in 12 Monaten</dt>") == isRanked)
            #expect(page.contains("<dt>Niedrigster bezahlter Preis in 12 Monaten</dt><dd>9,90 €/kg<small>") == isRanked)
        }
    }
}

extension AppHarness {
    /// Stores package sizes of a product, in thousandths of a base unit, each with the number of days since it became
    /// valid.
    @discardableResult fileprivate func storePackageSizes(
        _ name: String, _ unit: String, _ sizes: [(daysAgo: Int, thousandths: Int64)], _ browser: Browser
    ) async throws -> ProductID {
        let product = try product(named: name)
        for size in sizes {
            let revision = try owner().query("SELECT revision FROM product WHERE id = \(product)").first(Int64.self)
            let answer = try await browser.post(
                "/products/\(product)/packages",
                [
                    "revision": "\(revision ?? 0)", "amount": "\(size.thousandths)", "unit": unit == "l" ? "ml" : "g",
                    "from": daysAgo(size.daysAgo),
                ])
            try #require(answer.status == .seeOther, "\(answer.text)")
        }
        return product
    }
}
