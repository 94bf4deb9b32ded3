import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The page of printed names that wait to be matched.
@Suite(.timeLimit(.minutes(5))) struct NewNamesTests {
    @Test(.database) func `a refused name is shown first with its input, even if it was on a later page`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await anna.importTable([("Alte Bekannte", "1,99", "2026-10-21", "HOFER")])
            let names = (0..<30).map { "QX\(String($0 * 7_919 + 40_000, radix: 36).uppercased())" }
            let receipt = try scene.receipt(names.map { ($0, 199) }, pages: 0)
            try await harness.confirm(receipt, by: anna)
            let shownPage = try await anna.get("/matching").text
            let keys = try scene.keys(receipt)
            let line = try #require(keys.first { !shownPage.contains("name-\($0)") })
            for (typed, message) in [
                ("alte bekannte", "aria-label=\"Zuordnen Alte Bekannte\""),
                (String(repeating: "x", count: 130), "höchstens 120 Zeichen"),
            ] {
                let answer = try await anna.post(
                    "/matching", ["alias": "\(line)", "product": "new", "name": typed, "category": ""])
                #expect(answer.status == .unprocessableContent)
                let cards = answer.text.components(separatedBy: "id=\"name-").dropFirst()
                let first = try #require(cards.first)
                #expect(first.hasPrefix("\(line)\"") && first.contains("value=\"\(typed)\""))
                #expect(first.contains("<details class=\"more\" open>") && answer.text.contains(message))
                #expect(cards.count { $0.hasPrefix("\(line)\"") } == 1)
            }
        }
    }

    @Test(.database)
    func `if no name is matched, the product list links to the new names, and a button creates all products`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let scan = "class=\"button main\" href=\"/receipts/new\""
            let names = "class=\"button main\" href=\"/matching\""
            let emptyPage = try await anna.get("/products").text
            #expect(emptyPage.contains(scan) && !emptyPage.contains(names))
            let receipt = try scene.receipt([("VASE", 4_900), ("SEMMEL", 39)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let waitingPage = try await anna.get("/products").text
            #expect(
                !waitingPage.contains(scan) && waitingPage.contains(names)
                    && waitingPage.contains("Neue Namen auf Ihren Belegen: 2."))
            // The button is above the names, because there may be hundreds of them.
            let page = try await anna.get("/matching").text.components(separatedBy: "name-card")
            #expect(page.count == 3 && page[0].contains("action=\"/matching/new-products\""))
        }
    }

    @Test(.database) func `one request makes products of hundreds of new names and writes their prices`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let owner = scene.owner
            // Words that do not resemble any other name, so that there are no suggestions.
            let names = (0..<600).map { number in
                "\(String(repeating: "Q", count: number % 5 + 1))X\(String(number * 7_919, radix: 36).uppercased())7"
            }
            for first in stride(from: 0, to: names.count, by: 60) {
                let receipt = try scene.receipt(names[first..<first + 60].map { ($0, 199) }, pages: 0)
                try await harness.confirm(receipt, by: anna)
            }
            let sequenceBefore = try scene.count("SELECT sync_seq FROM household WHERE id = \(anna.household)")
            #expect(try await anna.post("/matching/new-products").location == "/matching")
            #expect(try scene.count("SELECT count(*) FROM product") == 600)
            #expect(try scene.count("SELECT count(*) FROM price") == 600)
            // The change log has one product and one alias for each name, and each receipt at most once per
            // transaction.
            let numbers =
                try scene.count("SELECT sync_seq FROM household WHERE id = \(anna.household)") - sequenceBefore
            #expect((1_210...1_230).contains(numbers), "\(numbers)")
            let firstPage = try await anna.get("/matching").text
            #expect(!firstPage.contains("name-card") && firstPage.contains("Neue Produkte angelegt: 600"))
            let laterPage = try await anna.get("/matching").text
            #expect(!laterPage.contains("angelegt: 600"))
            #expect(laterPage.contains("Zuletzt auf einmal zugeordnete Namen: 600"))
            // Each page has a button that undoes the creation of all products. A second request has no effect.
            let undos = [firstPage, laterPage].map { page in
                page.matches(of: #/action="(\/matching\/batches\/[^"]*)"/#).map { String($0.output.1) }
            }
            #expect(undos.allSatisfy { $0.count == 1 } && undos[0] == undos[1])
            let undo = try #require(undos[0].first)
            for message in ["Wieder unter „Neue Namen“: 600", "Schon erledigt."] {
                #expect(try await anna.post(undo).location == "/matching")
                #expect(try await anna.get("/matching").text.contains(message))
            }
            for table in ["product", "product_alias", "price"] {
                let count = try owner.query(SQL(uncheckedText: "SELECT count(*) FROM \(table)")).first(Int64.self)
                #expect(count == 0, "\(table)")
            }
            #expect(try scene.count("SELECT count(*) FROM receipt_line WHERE product_id IS NOT NULL") == 0)
            #expect(!(try await anna.get("/matching").text.contains("Zuletzt auf einmal")))
        }
    }

    @Test(.database)
    func `names that differ by a letter are shown together, and one request makes one product of them`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let names = [("VASE", 4_900 as Int64), ("BBU SAUCE 250ML", 249), ("BBQ SAUCE 250ML", 249), ("SEMMEL", 39)]
            let receipt = try scene.receipt(names, pages: 0)
            try await harness.confirm(receipt, by: anna)
            let first = try #require(
                try await anna.get("/matching").text.components(separatedBy: "id=\"name-").dropFirst().first)
            #expect(first.contains("Vermutlich derselbe Name"))
            #expect(first.contains("BBU SAUCE 250ML") && first.contains("BBQ SAUCE 250ML"))
            // Names that need a decision are left unchanged.
            _ = try await anna.post("/matching/new-products")
            #expect(try scene.count("SELECT count(*) FROM product") == 2)
            let lines = first.matches(of: #/name="alias" value="([^"]*)"/#).map { String($0.output.1) }
            try #require(lines.count == 2)
            let fields: KeyValuePairs = [
                "alias": lines[0], "alias": lines[1], "product": "new", "name": "BBQ-Sauce", "category": "",
            ]
            #expect(try await anna.post("/matching", fields).location == "/matching")
            #expect(try scene.count("SELECT count(*) FROM product") == 3)
            #expect(try scene.count("SELECT count(*) FROM product_alias") == 4)
            let page = try await anna.get("/matching").text
            let undo = try #require(page.firstMatch(of: #/action="(\/matching\/batches\/[^"]*)"/#)).output.1
            _ = try await anna.post(String(undo))
            #expect(try scene.count("SELECT count(*) FROM product") == 2)
            #expect(try await anna.get("/matching").text.contains("Vermutlich derselbe Name"))
        }
    }

    @Test(.database) func `a refused card keeps the ticked spellings; a card without a ticked spelling is refused`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("BBU SAUCE 250ML", 249), ("BBQ SAUCE 250ML", 249)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let lines = try scene.keys(receipt)
            func isTicked(_ line: ReceiptLineID, _ page: Answer) -> Bool {
                page.text.contains("type=\"checkbox\" name=\"alias\" value=\"\(line)\" checked")
            }
            let page = try await anna.get("/matching")
            let card = try #require(page.attribute("value", after: "name=\"card\""))
            #expect(isTicked(lines[0], page) && isTicked(lines[1], page))
            let unnamed = try await anna.post(
                "/matching", ["card": card, "alias": "\(lines[1])", "product": "new", "name": " ", "category": ""])
            #expect(unnamed.status == .unprocessableContent)
            #expect(!isTicked(lines[0], unnamed) && isTicked(lines[1], unnamed))
            let none = try await anna.post(
                "/matching", ["card": card, "product": "new", "name": "BBQ-Sauce", "category": ""])
            #expect(none.status == .unprocessableContent && none.text.contains("mindestens einen Namen"))
            #expect(none.text.contains("value=\"BBQ-Sauce\""))
            #expect(try scene.count("SELECT count(*) FROM product") == 0)
        }
    }
}
