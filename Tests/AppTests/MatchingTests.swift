import Demo
import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct MatchingTests {
    /// Returns a demo household. Four of its products are not stored, so their names wait to be matched.
    private func filledHousehold(_ harness: AppHarness) async throws -> (Browser, DemoHousehold) {
        let anna = try await harness.signUp()
        let drawn = DemoHousehold(endingOn: WallClock.today())
        try await harness.database.write(anna.household, by: anna.person) { changes in
            try await DemoFilling(drawn, changes).insert()
        }
        return (anna, drawn)
    }

    private func waitingCount(_ owner: SynchronousConnection) throws -> Int64 {
        try owner.query(
            """
            SELECT count(DISTINCT alias_key) FROM receipt_line l JOIN receipt r ON r.id = l.receipt_id
            WHERE l.kind = 'item' AND l.product_id IS NULL AND r.stage = 'confirmed'
            """
        ).first(Int64.self) ?? -1
    }

    @Test(.database) func `the category suggested for a new name is shown without indentation`() async throws {
        try await AppHarness.run { harness in
            let (anna, _) = try await filledHousehold(harness)
            try harness.owner().query(
                """
                UPDATE receipt_line SET printed_name = 'EISTEE PFIRS. 0,5L', alias_key = 'eistee pfirs 0 5l'
                WHERE id = (SELECT l.id FROM receipt_line l JOIN receipt r ON r.id = l.receipt_id
                    WHERE l.kind = 'item' AND l.product_id IS NULL AND r.stage = 'confirmed' LIMIT 1)
                """)
            let page = try await anna.get("/matching").text
            let card = try #require(page.components(separatedBy: "<li>").first { $0.contains("EISTEE PFIRS.") })
            #expect(card.contains("<span class=\"sub\">Getränke</span>"))
        }
    }

    @Test(.database) func `one request matches a name on all receipts and writes its prices`() async throws {
        try await AppHarness.run { harness in
            let (anna, _) = try await filledHousehold(harness)
            let owner = try harness.owner()
            let page = try await anna.get("/matching")
            let waitingBefore = try waitingCount(owner)
            let cards = page.text.components(separatedBy: "<li>")
            let card = try #require(cards.first { $0.contains(">Zuordnen</button>") })
            let values = #/name="alias" value="([^"]*)".*name="product" value="([^"]*)" aria-label="Zuordnen/#
            let match = try #require(card.firstMatch(of: values.dotMatchesNewlines()))
            let (line, choice) = (try #require(ReceiptLineID(match.output.1)), String(match.output.2))
            #expect(
                try await anna.post("/matching", ["alias": line.description, "product": choice], on: page).location
                    == "/matching")
            #expect(try waitingCount(owner) == waitingBefore - 1)
            let unpriced = try owner.query(
                """
                SELECT count(*) FROM receipt_line l JOIN receipt r ON r.id = l.receipt_id
                WHERE l.alias_key = (SELECT alias_key FROM receipt_line WHERE id = \(line)) AND r.stage = 'confirmed'
                    AND NOT EXISTS (SELECT 1 FROM price p WHERE p.line_id = l.id)
                """)
            #expect(try unpriced.first(Int64.self) == 0)
            // The same form again: the name no longer waits for a product, and the page says so.
            let secondAnswer = try await anna.post("/matching", ["alias": line.description, "product": choice])
            #expect(secondAnswer.status == .conflict && secondAnswer.text.contains("Schon erledigt"))
            #expect(secondAnswer.text.contains("ist schon zugeordnet"))
        }
    }

    @Test(.database)
    func `a name becomes a product or is ignored; one request makes products of names without suggestions`()
        async throws
    {
        try await AppHarness.run { harness in
            let (anna, _) = try await filledHousehold(harness)
            let owner = try harness.owner()
            func line() async throws -> String {
                try #require(try await anna.get("/matching").attribute("value", after: "name=\"alias\""))
            }
            let waitingBefore = try waitingCount(owner)
            let empty = try await anna.post("/matching", ["alias": try await line(), "product": "new", "name": " "])
            #expect(empty.status == .unprocessableContent)
            _ = try await anna.post(
                "/matching", ["alias": try await line(), "product": "new", "name": "Ganz Neues", "category": ""])
            #expect(try owner.query("SELECT 1 FROM product WHERE name = 'Ganz Neues'").count == 1)
            #expect(try waitingCount(owner) == waitingBefore - 1)
            let ignored = try await line()
            _ = try await anna.post("/matching", ["alias": ignored, "product": "ignore"])
            #expect(try await !anna.get("/matching").text.contains(ignored))
            _ = try await anna.post("/matching/new-products")
            // Names with a suggestion still wait for a decision; the others are matched.
            let page = try await anna.get("/matching")
            let cards = page.text.split(separator: "name-card").count - 1
            let near = page.text.matches(of: #/class="near"/#).count
            #expect(cards == page.text.matches(of: #/>Zuordnen<\/button>/#).count + near)
            let names = page.text.matches(of: #/name="alias"/#).count
            #expect(try waitingCount(owner) == Int64(names) + 1)
        }
    }

    @Test(.database) func `the first day of a new package size does not reveal a hidden receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let gift = try scene.receipt(
                [("VASENSAND 250G", 199)], pages: 0, person: anna.person, head: .init(day: "2026-09-07"))
            let knownReceipt = try scene.receipt([("VASENSAND 250G", 199)], pages: 0, head: .init(day: "2026-10-21"))
            for receipt in [gift, knownReceipt] { try await harness.confirm(receipt, by: anna) }
            try await harness.hide(gift, by: anna)
            let line = try scene.keys(knownReceipt)[0]
            let namingAnswer = try await anna.post(
                "/matching", ["alias": "\(line)", "product": "new", "name": "Vasensand", "category": ""])
            #expect(namingAnswer.location == "/matching")
            let first = try scene.owner.query("SELECT valid_from FROM product_package").decode(LocalDate.self)
            #expect(first.map(\.iso) == ["2026-10-21"])
            // The page counts the lines with the name. Only the owner of the hidden line sees a count that includes it.
            let ben = try await harness.join(anna, as: .member)
            let product = try harness.product(named: "Vasensand")
            for (browser, count) in [(anna, 2), (ben, 1)] {
                #expect(try await browser.get("/products/\(product)/edit").text.contains("· \(count) ×"))
            }
        }
    }

    @Test(.database) func `a further package size of a product does not reveal a hidden receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let old = try scene.receipt([("VASENSAND 500G", 199)], pages: 0, head: .init(day: "2026-08-01"))
            try await harness.confirm(old, by: anna)
            _ = try await anna.post(
                "/matching",
                ["alias": "\(try scene.keys(old)[0])", "product": "new", "name": "Vasensand", "category": ""])
            let product = try harness.product(named: "Vasensand")
            let gift = try scene.receipt(
                [("VASENSAND 250G", 199)], pages: 0, person: anna.person, head: .init(day: "2026-09-07"))
            let knownReceipt = try scene.receipt([("VASENSAND 250G", 199)], pages: 0, head: .init(day: "2026-10-21"))
            for receipt in [gift, knownReceipt] { try await harness.confirm(receipt, by: anna) }
            try await harness.hide(gift, by: anna)
            let matchAnswer = try await anna.post(
                "/matching", ["alias": "\(try scene.keys(knownReceipt)[0])", "product": "\(product)"])
            #expect(matchAnswer.location == "/matching")
            let days = try scene.owner.query("SELECT valid_from FROM product_package ORDER BY 1").decode(LocalDate.self)
            #expect(days.map(\.iso) == ["2026-08-01", "2026-10-21"])
        }
    }

    @Test(.database) func `undoing a match keeps a name that was detached from the product after the match`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("BBU SAUCE 250ML", 249), ("BBQ SAUCE 250ML", 249)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let lines = try scene.keys(receipt)
            let fields: KeyValuePairs = [
                "alias": "\(lines[0])", "alias": "\(lines[1])", "product": "new", "name": "BBQ-Sauce", "category": "",
            ]
            #expect(try await anna.post("/matching", fields).location == "/matching")
            let page = try await anna.get("/matching").text
            let undo = try #require(page.firstMatch(of: #/action="(\/matching\/batches\/[^"]*)"/#)).output.1
            let matched = try scene.owner.query(
                "SELECT id, product_id FROM product_alias WHERE printed_name = 'BBU SAUCE 250ML'")
            let (alias, product) = try #require(try matched.first((AliasID, ProductID).self))
            let split = try await anna.post("/products/\(product)/splits", ["alias": "\(alias)"])
            #expect(split.status == .seeOther)
            _ = try await anna.post(String(undo))
            let names = try scene.owner.query("SELECT printed_name FROM product_alias").decode(String.self)
            #expect(names == ["BBU SAUCE 250ML"])
        }
    }

    @Test(.database) func `a comparison is created with its products, changed and removed`() async throws {
        try await AppHarness.run { harness in
            let (anna, _) = try await filledHousehold(harness)
            let owner = try harness.owner()
            let page = try await anna.get("/compare")
            let form = try #require(page.text.components(separatedBy: "action=\"/compare/groups\"").dropFirst().first)
            func values(_ name: String) -> [String] {
                form.components(separatedBy: "</form>")[0].components(separatedBy: "name=\"\(name)\" value=\"")
                    .dropFirst().map { String($0.prefix { $0 != "\"" }) }
            }
            let products = values("product")
            #expect(products.count >= 2)
            let created = try await anna.post(
                "/compare/groups",
                ["name": "Beisammen", "unit": values("unit")[0], "product": products[0], "product": products[1]])
            #expect(created.location == "/compare")
            let group = try #require(
                try owner.query("SELECT id FROM comparison_group WHERE name = 'Beisammen'").first(
                    ComparisonGroupID.self))
            #expect(try await anna.get("/compare/groups/\(group)/edit").text.contains(products[1]))
            let twice = try await anna.post(
                "/compare/groups", ["name": "Beisammen", "unit": values("unit")[0], "product": products[0]])
            #expect(twice.status == .unprocessableContent && twice.text.contains("id=\"name-error\""))
            _ = try await anna.post(
                "/compare/groups/\(group)",
                [
                    "revision": "1", "name": "Allein", "unit": values("unit")[0], "shown": products[0],
                    "shown": products[1],
                    "product": products[0],
                ])
            let members = try owner.query("SELECT count(*) FROM product WHERE comparison_group_id = \(group)")
            #expect(try members.first(Int64.self) == 1)
            #expect(
                try await anna.post("/compare/groups/\(group)/removal", ["revision": "2"]).location == "/compare")
            #expect(try owner.query("SELECT 1 FROM comparison_group WHERE id = \(group)").isEmpty)
            let secondAnswer = try await anna.post("/compare/groups/\(group)/removal", ["revision": "2"])
            #expect(secondAnswer.location == "/compare")
            #expect(try await anna.get("/compare").text.contains("Schon erledigt."))
            let log = try owner.query(
                "SELECT deleted FROM change_log WHERE document_id = \(group) ORDER BY seq DESC LIMIT 1")
            #expect(try log.first(Bool.self) == true)
        }
    }

    @Test(.database) func `a group accepts no product of another household`() async throws {
        try await AppHarness.run { harness in
            let (_, drawn) = try await filledHousehold(harness)
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            let answer = try await paul.post(
                "/compare/groups", ["name": "Fremdes", "unit": "kg", "product": drawn.products[0].id.description])
            #expect(answer.status == .notFound)
            #expect(try harness.owner().query("SELECT 1 FROM comparison_group WHERE name = 'Fremdes'").isEmpty)
        }
    }
}
