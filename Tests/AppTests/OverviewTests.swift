import Domain
import Foundation
import HTTP
import JSON
import Postgres
import Templates
import TestSupport
import Testing

@testable import App

/// The overview of a household. Each figure states the period with which it is compared.
@Suite(.timeLimit(.minutes(5))) struct OverviewTests {
    @Test(.database)
    func `price rises are shown for products bought in the last 90 days, with the dates of both prices`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", daysAgo(200)), ("Milch", "1,20", daysAgo(5)),
                // Both prices of Butter are too old, and so is the older price of Brot. Of Salz, only the newer price
                // is recent.
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

    @Test(.database) func `a household without receipts sees its expenses of the month first, and both ways to start`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let empty = try await anna.get("/").text
            #expect(empty.contains("Los geht’s mit einem Beleg oder einer Ausgabe"))
            #expect(empty.contains("href=\"/receipts/new\"") && empty.contains("href=\"/expenses/new\""))
            #expect(!empty.contains("id=\"month-expenses\""))
            let added = try await anna.post("/expenses", ["amount": "12,50", "what": "Kino"])
            try #require(added.status == .seeOther, "\(added.text)")
            let page = try await anna.get("/").text
            let expenses = page.section("month-expenses")
            #expect(expenses.contains("12,50 €") && expenses.contains("href=\"/expenses/new\""))
            #expect(!page.contains("Los geht’s") && page.contains("Auch Belege fotografieren"))
            let first = try #require(page.range(of: "id=\"month-expenses\""))
            let second = try #require(page.range(of: "Auch Belege fotografieren"))
            #expect(first.upperBound < second.lowerBound)
            // With a receipt, the page is the usual one.
            try await anna.importTable([("Milch", "1,00", daysAgo(1))])
            #expect(try await !anna.get("/").text.contains("month-expenses"))
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

    @Test(.database) func `spending until today is compared with the same number of days of the month before`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let today = WallClock.today()
            let previous = today.month.previous
            let same = min(today.day, previous.dayCount)
            try await anna.importTable([
                ("Milch", "3,00", today.month.firstDay.iso), ("Milch", "1,00", previous.firstDay.iso),
                ("Milch", "50,00", previous.firstDay.adding(days: -1).iso),
            ])
            let page = try await anna.get("/").text.section("spending")
            #expect(page.contains("bis heute</h2>"))
            #expect(page.contains(">1.–\(same). "))
            #expect(page.contains("2,00 € mehr als im"))
        }
    }

    @Test(.database) func `only the first month with receipts is called the first one`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let first = WallClock.today().month.adding(-3)
            try await anna.importTable([
                ("Milch", "1,00", first.firstDay.iso), ("Milch", "2,00", first.next.firstDay.iso),
            ])
            for (month, isFirst) in [(first, true), (first.previous, false), (first.next, false)] {
                let page = try await anna.get("/?month=\(ReceiptFilter.value(month))").text.section("spending")
                #expect(page.contains("Ihr erster Monat") == isFirst)
                #expect(page.contains("nichts erfasst") == (month == first.previous))
                #expect(page.contains("mehr als im") == (month == first.next))
            }
        }
    }

    @Test(.database) func `a receipt without a total counts with its lines, in the list and on the overview`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let today = WallClock.today()
            for (lines, total) in [([200, 300], nil), ([100], 150), ([], 1_000), ([], nil)] as [([Int64], Int64?)] {
                let receipt = try scene.receipt(
                    lines.map { ("WARE", $0) }, pages: 0, head: .init(day: today.iso, total: .printed(total)))
                try await harness.confirm(receipt, by: anna)
                let page = try await anna.get("/receipts/\(receipt)").text
                #expect(page.contains("5,00 €") == (lines.count == 2))
            }
            #expect(try await anna.get("/").text.section("spending").contains("16,50 €"))
            let list = try await anna.get("/receipts").text
            #expect(list.contains("<span class=\"money\" data-money>16,50 €</span>"))
            #expect(list.contains("5,00 €"))
        }
    }

    @Test(.database) func `spending without an exchange rate is shown beside the sum`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let today = WallClock.today()
            for (currency, amount) in [("EUR", 300), ("CHF", 770)] as [(String, Int64)] {
                #expect(!(try await anna.get("/").text.contains("Nicht mitgezählt")))
                let receipt = try scene.receipt([("WARE", amount)], pages: 0, head: .init(day: today.iso))
                try await harness.change(receipt, #"{"currency": "\#(currency)"}"#, by: anna)
                try await harness.confirm(receipt, by: anna)
            }
            let spending = try await anna.get("/").text.section("spending")
            #expect(spending.contains(">3,00 €<"))
            #expect(spending.contains("Nicht mitgezählt, weil der Wechselkurs fehlt: 7,70 CHF."))
            let list = try await anna.get("/receipts").text
            #expect(list.contains("<span class=\"money\" data-money>3,00 € + 7,70 CHF</span>"))
        }
    }

    @Test(.database) func `a hidden gift counts on its owner's overview only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let gift = try scene.receipt(
                [("VASE", 4_900)], pages: 0, person: anna.person, head: .init(day: WallClock.today().iso))
            try await harness.hide(gift, by: anna)
            try await harness.confirm(gift, by: anna)
            #expect(try await anna.get("/receipts").text.contains("49,00"))
            #expect(try await anna.get("/").text.section("spending").contains("49,00"))
            #expect(!(try await ben.get("/").text.contains("49,00")))
            #expect(!(try await ben.get("/receipts").text.contains("49,00")))
            // A hidden receipt is not published, so it is not in the sums of all members.
            #expect(try scene.count("SELECT count(*) FROM spending_month") == 0)
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
            // Nine pieces for 1,00 € each and one for 3,00 €.
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

    @Test(.database)
    func `the overview shows the sum of waiting receipts, and how much the current month does not count yet`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await anna.importTable([("Milch", "3,00", daysAgo(0))])
            for total in [9_000, 4_420, nil] as [Int64?] {
                _ = try scene.receipt([("WARE", 100)], pages: 0, head: .init(day: daysAgo(0), total: .printed(total)))
            }
            let page = try await anna.get("/").text
            let inbox = page.section("inbox")
            #expect(inbox.contains("<span class=\"count\">3</span>") && inbox.contains(">134,20 €<"))
            #expect(inbox.contains("1 ohne Summe"))
            #expect(page.section("spending").contains("Noch nicht mitgezählt: 134,20 €"))
        }
    }

    @Test(.database)
    func `if no waiting receipt has a total, the overview links to the list and shows no sum`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            _ = try scene.receipt([("WARE", 100)], pages: 0, head: .init(day: daysAgo(0), total: .printed(nil)))
            let inbox = try await anna.get("/").text.section("inbox")
            #expect(inbox.contains(">Alle Belege</a>") && !inbox.contains("ohne Summe"))
        }
    }

    @Test(.database) func `a household with only old receipts sees its newest month, and no empty cards`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch", "3,00", "2025-03-10"), ("Brot", "2,00", "2025-02-10")])
            let page = try await anna.get("/").text
            let spending = page.section("spending")
            #expect(spending.contains("Einkäufe im März 2025") && spending.contains(">3,00 €<"))
            #expect(spending.contains("aria-label=\"Einkäufe in zwölf Monaten\"") && !spending.contains("Ausgaben"))
            #expect(spending.contains("1,00 € mehr als im Februar"))
            #expect(spending.contains("Einkäufe nach Kategorie: März 2025 und Februar</caption>"))
            #expect(!page.contains("0,00 €"))
            for card in ["inbox", "risen", "fallen"] { #expect(!page.contains("aria-labelledby=\"\(card)\"")) }
            #expect(page.section("inflation").contains("10 Produkte"))
            // A month after one without receipts is not compared with zero.
            let may = try await anna.get("/?month=2025-05").text.section("spending")
            #expect(may.contains("Im April nichts erfasst") && !may.contains("Genauso viel"))
        }
    }

    @Test(.database) func `each of twelve months can be chosen and has its own figures`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let month = WallClock.today().month
            try await anna.importTable([
                ("Milch", "3,00", month.firstDay.iso), ("Milch", "7,00", month.previous.firstDay.iso),
                ("Milch", "5,00", month.previous.previous.firstDay.iso),
            ])
            let now = try await anna.get("/").text.section("spending")
            #expect(now.matches(of: #/href="\/\?month=/#).count == 13)
            let words = try Words.load()
            let name = words["server.month.\(month.previous.number)"]
            let earlier = words["server.month.\(month.previous.previous.number)"]
            #expect(now.contains("\(name) \(month.previous.year): 7,00 €"))
            let before = try await anna.get("/?month=\(ReceiptFilter.value(month.previous))").text.section("spending")
            #expect(before.contains(">7,00 €</p>") && before.contains("2,00 € mehr als im"))
            #expect(before.contains("Nächster Monat"))
            #expect(before.contains("\(name) \(month.previous.year) und \(earlier)</caption>"))
            #expect(!before.contains("bis heute") && now.contains("der Vormonat bis zum gleichen Datum</caption>"))
            // An invalid or future month shows the current month.
            for wrong in ["x", ReceiptFilter.value(month.next)] {
                #expect(try await anna.get("/?month=\(wrong)").text.section("spending").contains("bis heute"))
            }
        }
    }

    @Test(.database, arguments: [true, false])
    func `groceries without a subcategory are a row of their own, which links to their lines only`(hasOthers: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = """
                Name;Price;Category;Shop;Datum
                Korb;1,00;Lebensmittel;SPAR;\(daysAgo(0))
                Zebumilch;3,00;\(hasOthers ? "Milchprodukte & Eier" : "Lebensmittel");BILLA;\(daysAgo(0))

                """
            let preview = try #require(try await anna.importFile(table).location)
            #expect(try await anna.post("\(preview)/confirmation").status == .seeOther)
            let page = try await anna.get("/").text.section("spending")
            #expect(page.contains("Lebensmittel ohne Unterkategorie") == hasOthers)
            let groceries = try harness.owner().category("groceries")
            let pattern = try Regex("/receipts[^\"]*\(groceries)[^\"]*")
            let link = try #require(page.firstMatch(of: pattern).map { String(page[$0.range]) })
            let list = try await anna.get(link.replacing("&amp;", with: "&")).text
            #expect(list.contains("Korb") && list.contains(hasOthers ? "1,00 €" : "4,00 €"))
            #expect(list.contains("Zebumilch") == !hasOthers)
            #expect(list.contains("Lebensmittel ohne Unterkategorie") == hasOthers)
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
                let answer = try await caller.send(
                    .put, "/api/v1/products/\(product)/packages/\(day)", type: "application/json",
                    Array(#"{"amount_thousandths": \#(amount), "unit": "kg"}"#.utf8), fields: ["If-Match": "*"])
                #expect(answer.status == .ok, "\(answer.text)")
            }
            #expect(try await anna.get("/").text.section("risen").contains("+25,0 %"))
            let changes = try await caller.get("/api/v1/overview").json["price_changes"]?.array
            #expect(changes?.first?["permille"]?.integer == 250)
        }
    }
}

extension String {
    /// Returns the section of a page that is labelled by the element `id`.
    func section(_ id: String) -> String {
        guard let start = range(of: "aria-labelledby=\"\(id)\"") else { return "" }
        let rest = self[start.lowerBound...]
        guard let end = rest.range(of: "</section>") else { return String(rest) }
        return String(rest[..<end.lowerBound])
    }
}
