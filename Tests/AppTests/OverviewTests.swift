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
    func `a household without receipts sees its expenses of the month, and links to add receipts and expenses`()
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
            // With a receipt, the usual page is shown.
            try await anna.importTable([("Milch", "1,00", daysAgo(1))])
            #expect(try await !anna.get("/").text.contains("month-expenses"))
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

    @Test(.database) func `only the first month with receipts is called the first month`() async throws {
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

    @Test(.database)
    func `the overview shows the sum of waiting receipts, and says that spending does not include it yet`()
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
            // A month is not compared with zero if the previous month has no receipts.
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
    func `groceries without a subcategory have a separate row that links to exactly their lines`(hasOthers: Bool)
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
