import Domain
import Foundation
import HTTP
import JSON
import Postgres
import Templates
import TestSupport
import Testing

@testable import App

/// Price changes and inflation on the overview, in lists and in the API.
@Suite(.timeLimit(.minutes(5))) struct OverviewPricesTests {
    @Test(.database)
    func `price rises are shown for products bought in the last 90 days, with the dates of both prices`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", daysAgo(200)), ("Milch", "1,20", daysAgo(5)),
                // Both prices of Butter and the first price of Brot are too old. The second price of Salz is from the
                // last 90 days, the first is not.
                ("Butter", "2,00", daysAgo(300)), ("Butter", "3,00", daysAgo(100)), ("Brot", "2,00", daysAgo(460)),
                ("Brot", "4,00", daysAgo(10)), ("Salz", "0,40", daysAgo(95)), ("Salz", "0,30", daysAgo(89)),
            ])
            let page = try await anna.get("/").text
            let risen = page.section("risen")
            let fallen = page.section("fallen")
            #expect(risen.contains(">Milch<") && !risen.contains(">Butter<") && !risen.contains(">Brot<"))
            #expect(fallen.contains(">Salz<"))
            let words = DayText(words: try Words.load(), language: .german, today: WallClock.today())
            let (before, now) = (WallClock.today().adding(days: -200), WallClock.today().adding(days: -5))
            #expect(risen.contains("1,00 € am \(words.short(before))"))
            #expect(risen.contains("1,20 € am \(words.short(now))"))
            #expect(risen.contains("+20,0 % <span>teurer"))
        }
    }

    @Test(.database, arguments: [("6,99", "3,49"), ("3,49", "6,99")])
    func `two prices of one receipt are not a price change`(first: String, second: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await anna.importTable([
                ("Faschiertes", first, daysAgo(9)), ("Faschiertes", second, daysAgo(9)), ("Käse", "1,00", daysAgo(9)),
                ("Käse", "2,00", daysAgo(2)),
            ])
            let page = try await anna.get("/").text
            #expect(page.section("risen").contains(">Käse<"))
            for section in ["risen", "fallen"] { #expect(!page.section(section).contains("Faschiertes")) }
            let product = try #require(try scene.text("SELECT id::text FROM product WHERE name = 'Faschiertes'"))
            let shownPage = try await anna.get("/products/\(product)").text
            #expect(!shownPage.contains("teurer") && !shownPage.contains("billiger"))
            #expect(try await anna.get("/products?order=rise").status == .ok)
        }
    }

    @Test(.database) func `the household's own inflation compares products bought now and a year ago`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let nineProducts = (1...9).flatMap {
                [("Ware \($0)", "1,00", daysAgo(400)), ("Ware \($0)", "1,10", daysAgo(20))]
                    as [(String, String, String)]
            }
            try await anna.importTable(nineProducts)
            let early = try await anna.get("/").text.section("inflation")
            #expect(early.contains("Noch zu wenige Einkäufe") && early.contains("Bisher sind es 9."))
            try await anna.importTable([
                ("Ware 10", "1,00", daysAgo(400)), ("Ware 10", "1,10", daysAgo(20)), ("Neu", "9,00", daysAgo(1)),
            ])
            let page = try await anna.get("/").text.section("inflation")
            #expect(page.contains("+10,0 %"))
            #expect(page.contains("vor einem Jahr 10,00 € und kostet jetzt 11,00 €"))
            #expect(page.contains("10 Produkten"))
        }
    }

    @Test(.database) func `the inflation weights prices by the quantities that were bought`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var table = "Name;Preis;Kategorie;Geschäft;Datum;Menge;Einheit\n"
            for number in 1...9 {
                for day in [daysAgo(400), daysAgo(20)] { table += "Ware \(number);1,00;;SPAR;\(day);1;Stk.\n" }
            }
            // Nine pieces for 1,00 € each and one piece for 3,00 €.
            table += """
                Wasser;9,00;;SPAR;\(daysAgo(400));9;Stk.
                Wasser;3,00;;SPAR;\(daysAgo(390));1;Stk.
                Wasser;1,00;;SPAR;\(daysAgo(20));1;Stk.

                """
            let preview = try #require(try await anna.importFile(table).location)
            #expect(try await anna.post("\(preview)/confirmation").status == .seeOther)
            let page = try await anna.get("/").text.section("inflation")
            #expect(page.contains("vor einem Jahr 21,00 € und kostet jetzt 19,00 €"))
        }
    }

    @Test(.database) func `an old price is marked as old and never as the cheapest`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch 1L", "0,50", daysAgo(200), "HOFER"), ("Milch 1L", "1,20", daysAgo(5), "SPAR"),
                ("Milch 1L", "1,10", daysAgo(4), "BILLA"),
            ])
            let products = try harness.owner().query("SELECT id FROM product ORDER BY name").decode(ProductID.self)
            let token = try await anna.get("/settings").token ?? ""
            let fields =
                [("csrf", token), ("name", "Milch"), ("unit", "l")] + products.map { ("product", "\($0)") }
            let body = fields.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
            let creationAnswer = try await anna.send(
                .post, "/compare/groups", type: "application/x-www-form-urlencoded", Array(body.utf8))
            #expect(creationAnswer.status == .seeOther)
            let cells = try await anna.get("/compare").text.split(separator: "<li class=\"store-price").map(String.init)
            let cheapest = cells.filter { $0.contains("tick-mark") }
            #expect(cheapest.count == 1 && cheapest.first?.contains("1,10") == true)
            let old = cells.filter { $0.contains(">alt: ") }
            #expect(
                old.count == 1 && old.first?.contains("0,50") == true && old.first?.contains("vor 6 Monaten") == true)
            let page = try await anna.get("/products/\(products[0])").text
            #expect(page.contains("Niedrigster bezahlter Preis in 12 Monaten"))
            #expect(page.contains("(vor "))
        }
    }

    @Test(.database) func `percentages in lists and on receipts state the date of the earlier price`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch", "1,00", daysAgo(30)), ("Milch", "1,15", daysAgo(5))])
            let words = DayText(words: try Words.load(), language: .german, today: WallClock.today())
            let since = "als am \(words.short(WallClock.today().adding(days: -30)))"
            #expect(try await anna.get("/products").text.contains(since))
            let receipt = try #require(
                try harness.owner().query("SELECT id FROM receipt ORDER BY purchase_day DESC LIMIT 1")
                    .first(ReceiptID.self))
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains(since) && page.contains("+15,0 %"))
        }
    }

    @Test(.database) func `the page and the API show the change of the base price after the package has shrunk`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            try await anna.importTable([("Kaffee", "8,00", daysAgo(200)), ("Kaffee", "8,00", daysAgo(5))])
            let product = try harness.product(named: "Kaffee")
            for (amount, day) in [(500, daysAgo(300)), (400, daysAgo(30))] {
                let answer = try await caller.change(
                    .put, "/api/v1/products/\(product)/packages/\(day)",
                    #"{"amount_thousandths": \#(amount), "unit": "kg"}"#, "*")
                #expect(answer.status == .ok, "\(answer.text)")
            }
            #expect(try await anna.get("/").text.section("risen").contains("+25,0 %"))
            let changes = try await caller.get("/api/v1/overview").json["price_changes"]?.array
            #expect(changes?.first?["permille"]?.integer == 250)
        }
    }
}
