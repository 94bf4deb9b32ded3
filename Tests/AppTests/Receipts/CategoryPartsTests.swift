import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The amount of each category on the overview links to its lines.
@Suite(.timeLimit(.minutes(5))) struct CategoryPartsTests {
    /// This month's receipt has sweets, a discount on them, milk in a subcategory, a deposit, an item without category,
    /// and a total that is higher than the sum of its lines. Last month's receipt has sweets.
    private struct Household {
        let scene: ReceiptScene
        /// The receipt of this month.
        let receipt: ReceiptID
        let sweets: CategoryID
        let dairy: CategoryID

        init(_ harness: AppHarness, _ anna: Browser) async throws {
            let scene = try harness.scene(anna)
            (self.scene, sweets) = (scene, try scene.owner.category("sweets"))
            dairy = try scene.owner.category("dairy")
            let subcategory = SyncScene.key(.category)
            let parent = DocumentKey(.category, dairy.relabelled()).description
            try await SyncScene(harness, anna).edit(subcategory) {
                $0 = ["type": "category", "name": "Milch", "parent": .string(parent)]
            }
            let today = WallClock.today()
            receipt = try scene.receipt(
                [("SCHOKO", 300), ("AKTION", -50), ("MILCH", 149), ("PFAND", 25), ("NAGEL", 99)], pages: 0,
                person: anna.person, head: .init(day: today.iso, total: .printed(623)))
            let keys = try scene.keys(receipt)
            try categorise(keys[0], as: sweets)
            try categorise(keys[2], as: subcategory.id.relabelled())
            try await harness.setKinds([.item, .discount, .item, .deposit, .item], of: receipt, by: anna)
            try await harness.confirm(receipt, by: anna)
            let earlierReceipt = try scene.receipt(
                [("KEKS", 777)], pages: 0, head: .init(day: today.month.previous.firstDay.iso))
            try categorise(try scene.keys(earlierReceipt)[0], as: sweets)
            try await harness.confirm(earlierReceipt, by: anna)
        }

        /// Stores the category of a line, as an import does.
        func categorise(_ line: ReceiptLineID, as category: CategoryID) throws {
            try scene.owner.query("UPDATE receipt_line SET category_id = \(category) WHERE id = \(line)")
        }
    }

    private static func euro(_ cents: Int64) -> String {
        Money(minorUnits: cents, currency: .eur).formatted(.german).replacing("\u{A0}", with: " ")
    }

    /// Returns the links and amounts of the categories on the overview.
    private static func categories(_ page: Answer) -> [(href: String, amount: String)] {
        page.text.section("spending").split(separator: "<tr><th scope=\"row\"><a href=\"").dropFirst().compactMap {
            row in
            guard let href = row.split(separator: "\"", maxSplits: 1).first,
                let start = row.range(of: "<span class=\"money\" data-money>")?.upperBound,
                let end = row[start...].range(of: "</span>")?.lowerBound
            else { return nil }
            return (String(href).replacing("&amp;", with: "&"), String(row[start..<end]))
        }
    }

    @Test(.database) func `every category's amount on the overview links to a page with the same sum`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = try await Household(harness, anna)
            let categories = Self.categories(try await anna.get("/"))
            #expect(categories.map(\.amount).sorted() == [25, 149, 199, 250].map(Self.euro))
            for (href, amount) in categories {
                let page = try await anna.get(href)
                #expect(page.text.contains("<p class=\"figure\" data-money>\(amount)</p>"), "\(href)")
            }
            let month = ReceiptFilter.value(WallClock.today().month)
            #expect(categories.contains { $0.href == "/receipts?category=\(household.dairy)&month=\(month)" })
            let sweets = try await anna.get("/receipts?category=\(household.sweets)&month=\(month)").text
            #expect(sweets.contains("<span>SCHOKO</span>") && sweets.contains("<span>AKTION</span>"))
            #expect(!sweets.contains("MILCH") && !sweets.contains("KEKS"))
            let none = try await anna.get("/receipts?category=none&month=\(month)").text
            #expect(none.contains("<span>NAGEL</span>") && none.contains("<span>Nicht auf Zeilen verteilt</span>"))
        }
    }

    @Test(.database) func `amounts without a category count and are listed in the category of their receipt`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = try await Household(harness, anna)
            let leisure = try household.scene.owner.category("leisure")
            let change = try await anna.post(
                "/expenses/changes",
                ["receipt": "\(household.receipt)", "action": "category", "category": "\(leisure)"])
            try #require(change.status == .seeOther, "\(change.text)")
            let categories = Self.categories(try await anna.get("/"))
            #expect(categories.map(\.amount).sorted() == [25, 149, 199, 250].map(Self.euro))
            for (href, amount) in categories {
                let page = try await anna.get(href)
                #expect(page.text.contains("<p class=\"figure\" data-money>\(amount)</p>"), "\(href)")
            }
            let own = try #require(categories.first { $0.href.contains("\(leisure)") })
            #expect(own.amount == Self.euro(199))
            let page = try await anna.get(own.href).text
            #expect(page.contains("<span>NAGEL</span>") && page.contains("<span>Nicht auf Zeilen verteilt</span>"))
            #expect(!page.contains("<span>SCHOKO</span>") && !categories.contains { $0.href.contains("none") })
        }
    }

    @Test(.database) func `the list without a chosen month shows the category's sum for each month`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = try await Household(harness, anna)
            let page = try await anna.get("/receipts?category=\(household.sweets)").text
            #expect(page.contains(">\(Self.euro(250))</span>") && page.contains(">\(Self.euro(777))</span>"))
            #expect(page.contains("<span>KEKS</span>") && !page.contains("class=\"figure\""))
            let month = ReceiptFilter.value(WallClock.today().month.previous)
            let earlierPage = try await anna.get("/receipts?month=\(month)").text
            #expect(earlierPage.contains(Self.euro(777)) && !earlierPage.contains(Self.euro(623)))
        }
    }

    @Test(.database) func `the filter form and the API keep a category without its subcategories`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = try await Household(harness, anna)
            let subcategory = SyncScene.key(.category)
            let parent = DocumentKey(.category, household.sweets.relabelled()).description
            try await SyncScene(harness, anna).edit(subcategory) {
                $0 = ["type": "category", "name": "Schokolade", "parent": .string(parent)]
            }
            let last = try household.scene.receipt(
                [("TAFEL", 199)], pages: 0, head: .init(day: WallClock.today().iso, total: .printed(199)))
            try household.categorise(try household.scene.keys(last)[0], as: subcategory.id.relabelled())
            try await harness.confirm(last, by: anna)
            let page = try await anna.get("/receipts?category=\(household.sweets)&alone=1").text
            let field = try #require(page.firstMatch(of: #/<input type="hidden" name="alone" value="([^"]+)">/#))
            #expect(page.contains("SCHOKO") && !page.contains("TAFEL"))
            let again = try await anna.get("/receipts?category=\(household.sweets)&alone=\(field.output.1)").text
            #expect(again.contains("SCHOKO") && !again.contains("TAFEL"))
            let other = try await anna.get("/receipts?category=\(subcategory.id)&alone=\(field.output.1)").text
            #expect(other.contains("TAFEL") && !other.contains("name=\"alone\""))
            let everything = try await anna.get("/receipts?category=\(household.sweets)").text
            #expect(everything.contains("TAFEL") && !everything.contains("name=\"alone\""))
            let caller = try await harness.caller(anna)
            for (alone, count) in [("true", 2), ("false", 3)] {
                let listed = try await caller.get("/api/v1/receipts?category=\(household.sweets)&alone=\(alone)")
                #expect(try listed.json["receipts"]?.array?.count == count, "\(alone)")
            }
            let unknown = try await caller.get("/api/v1/receipts?category=\(household.sweets)&alone=perhaps")
            #expect(unknown.status == .badRequest)
        }
    }

    @Test(.database) func `a hidden gift counts in its owner's categories only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let household = try await Household(harness, anna)
            let gift = try household.scene.receipt([("PRALINEN", 1_000)], pages: 0, person: anna.person)
            try household.categorise(try household.scene.keys(gift)[0], as: household.sweets)
            try await harness.change(gift, #"{"purchase_day": "\#(WallClock.today().iso)"}"#, by: anna)
            try await harness.confirm(gift, by: anna)
            try await harness.hide(gift, by: anna)
            for (browser, sum) in [(anna, Self.euro(1_250)), (ben, Self.euro(250))] {
                let found = Self.categories(try await browser.get("/"))
                let sweets = try #require(found.first { $0.href.contains("\(household.sweets)") })
                #expect(sweets.amount == sum)
                #expect(try await browser.get(sweets.href).text.contains("<p class=\"figure\" data-money>\(sum)</p>"))
            }
        }
    }
}
