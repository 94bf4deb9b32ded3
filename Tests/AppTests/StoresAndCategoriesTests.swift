import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Stores and categories that were created by mistake can be deleted or merged; categories can be added and renamed.
@Suite(.timeLimit(.minutes(5))) struct StoresAndCategoriesTests {
    private func store(_ name: String, _ owner: SynchronousConnection) throws -> StoreID {
        try #require(try owner.query("SELECT id FROM store WHERE name = \(name)").first(StoreID.self))
    }

    static func tombstones(_ owner: SynchronousConnection) throws -> [String] {
        try owner.query("SELECT document_type FROM change_log WHERE deleted ORDER BY seq").decode(String.self)
    }

    @Test(.database) func `an unused store is deleted; a used store is not, and the page says so`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "SPAR"), ("Brot", "2,00", "2026-10-01", "Bäckr"),
            ])
            let used = try store("SPAR", owner)
            let refusal = try await anna.post("/settings/stores/\(used)/removal", ["revision": "1"])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Wird noch verwendet"))
            let typo = try store("Bäckr", owner)
            let bread = try #require(
                try owner.query("SELECT id FROM receipt WHERE store_id = \(typo)").first(ReceiptID.self))
            try await harness.change(bread, #"{"store": "SPAR"}"#, by: anna)
            #expect(try await anna.get("/settings/stores-and-categories").text.contains("unbenutzt"))
            let stale = try await anna.post("/settings/stores/\(typo)/removal", ["revision": "7"])
            #expect(stale.status == .conflict)
            for _ in 0..<2 {
                let removalAnswer = try await anna.post("/settings/stores/\(typo)/removal", ["revision": "1"])
                #expect(removalAnswer.location == "/settings/stores-and-categories")
            }
            #expect(try await anna.get("/settings/stores-and-categories").text.contains("Schon erledigt."))
            #expect(try Self.tombstones(owner) == ["store"])
            #expect(try owner.query("SELECT name FROM store").decode(String.self) == ["SPAR"])
        }
    }

    @Test(.database)
    func `merging a store moves its receipts and prices, and matches its names with products of the other chain`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "SPAR Nord"), ("Milch", "1,10", "2026-10-02", "SPAR Süd"),
                ("Milch", "1,20", "2026-10-03", "Sparr"), ("Kerzen", "3,00", "2026-10-03", "Sparr"),
            ])
            let (north, south, typo) = (
                try store("SPAR Nord", owner), try store("SPAR Süd", owner), try store("Sparr", owner)
            )
            let storeRemoval = try await anna.post(
                "/settings/stores/\(north)/removal", ["revision": "1", "other-store": "\(south)"])
            #expect(storeRemoval.location == "/settings/stores-and-categories")
            #expect(try owner.query("SELECT count(*) FROM price WHERE store_id = \(south)").first(Int64.self) == 2)
            let other = try await anna.post(
                "/settings/stores/\(typo)/removal", ["revision": "1", "other-store": "\(south)"])
            #expect(other.location == "/settings/stores-and-categories")
            let prices = try owner.query(
                """
                SELECT d.name || ' ' || p.regular_thousandths / 1000 FROM price p JOIN product d ON d.id = p.product_id
                WHERE p.store_id = \(south) AND d.chain = 'spar' ORDER BY p.day, 1
                """
            ).decode(String.self)
            #expect(prices == ["Milch 100", "Milch 110", "Milch 120"])
            // KERZEN is a new name in the chain SPAR.
            #expect(try await anna.get("/matching").text.contains("Kerzen"))
            #expect(try Self.tombstones(owner) == ["store", "store"])
            let loggedCount = try owner.query(
                """
                SELECT count(*) FROM change_log c JOIN receipt r ON r.id = c.document_id AND r.revision = c.revision
                WHERE c.body ->> 'store_id' = \(south)::text
                """)
            #expect(try loggedCount.first(Int64.self) == 3)
        }
    }

    @Test(.database) func `a category is added below another category, and renamed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let dairy = try owner.category("dairy")
            let list = "/settings/stores-and-categories"
            let additionAnswer = try await anna.post(
                "/settings/categories", ["name": " Ziegenkäse ", "category": "\(dairy)"])
            #expect(additionAnswer.location == list)
            let page = try await anna.get(list).text
            #expect(page.contains("Ziegenkäse"))
            // The parent category has no products, but counts as used.
            let row = try #require(page.firstRange(of: "/settings/categories/\(dairy)\""))
            #expect(page[row.upperBound...].prefix(200).contains("<span class=\"sub\"></span>"))
            let storedCategory = try owner.query(
                "SELECT id, parent_id, colour, icon FROM category WHERE name = 'Ziegenkäse'"
            ).first((CategoryID, CategoryID?, String, String).self)
            let (id, parent, colour, icon) = try #require(storedCategory)
            #expect(parent == dairy && colour == "sky" && icon == "milk")
            // Each level is indented below its parent, and the form is above the lists.
            #expect(page.contains("<li class=\"level-1\"><a href=\"/settings/categories/\(dairy)\">"))
            #expect(page.contains("<li class=\"level-2\"><a href=\"/settings/categories/\(id)\">"))
            #expect(page.contains("Unterkategorie von Milchprodukte &amp; Eier</span>"))
            #expect(page.contains(">\u{2003}\u{2003}Ziegenkäse</option>"))
            let form = try #require(page.firstRange(of: "action=\"/settings/categories\""))
            let stores = try #require(page.firstRange(of: "id=\"stores\""))
            #expect(form.lowerBound < stores.lowerBound && !page.contains("wide\" open>"))
            for name in ["", "Ziegenkäse", String(repeating: "x", count: 61)] {
                let refusal = try await anna.post("/settings/categories", ["name": name, "category": "\(dairy)"])
                #expect(refusal.status == .unprocessableContent && refusal.text.contains("name-error"), "\(name)")
                #expect(refusal.text.contains("wide\" open>"), "\(name)")
            }
            let unknown = try await anna.post(
                "/settings/categories", ["name": "Anderes", "category": "\(CategoryID.new())"])
            #expect(unknown.status == .notFound)

            let path = "/settings/categories/\(id)"
            for _ in 0..<2 { #expect(try await anna.post(path, ["name": "Ziege", "revision": "1"]).location == list) }
            #expect(try await anna.post(path, ["name": "Schaf", "revision": "1"]).status == .conflict)
            let takenNameAnswer = try await anna.post(path, ["name": "Haushalt", "revision": "2"])
            #expect(
                takenNameAnswer.status == .unprocessableContent && takenNameAnswer.text.contains("value=\"Haushalt\""))
            let loggedNames = try owner.query(
                "SELECT body ->> 'name' FROM change_log WHERE document_id = \(id) ORDER BY seq")
            #expect(try loggedNames.decode(String.self) == ["Ziegenkäse", "Ziege"])
            #expect(try await anna.post("\(path)/removal", ["revision": "2"]).location == list)
            #expect(try await anna.post(path, ["name": "Schaf", "revision": "2"]).location == list)
            #expect(try await anna.get(list).text.contains("Nicht gespeichert: Diese Kategorie"))
        }
    }

    @Test(.database) func `a refused name keeps the revision of its form, so that it overwrites no later change`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch", "1,00", "2026-10-01", "SPAR")])
            let owner = try harness.owner()
            for path in [
                "/settings/stores/\(try store("SPAR", owner))", "/settings/categories/\(try owner.category("pet"))",
            ] {
                // Another tab has changed the name since the form was shown.
                let rename = try await anna.post(path, ["name": "Neu", "revision": "1"])
                #expect(rename.status == .seeOther)
                let refusal = try await anna.post(path, ["name": "", "revision": "1"])
                #expect(refusal.status == .unprocessableContent)
                #expect(refusal.text.contains("name=\"revision\" value=\"1\""))
                let conflict = try await anna.post(path, ["name": "Anders", "revision": "1"])
                #expect(conflict.status == .conflict && conflict.text.contains("name=\"revision\" value=\"2\""))
            }
        }
    }

    @Test(.database) func `a renamed built-in category is no longer translated`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let pet = try owner.category("pet")
            _ = try await anna.post("/settings/categories/\(pet)", ["name": "Mieze", "revision": "1"])
            _ = try await anna.post("/settings/language", ["language": "en", "return": "/"])
            let page = try await anna.get("/settings/stores-and-categories").text
            #expect(page.contains("Mieze") && page.contains("Household") && !page.contains(">Pets<"))
        }
    }

    @Test(.database) func `the page of a store links to its receipts, and counts the same receipts as the list`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "SPAR"), ("Brot", "2,00", "2026-10-02", "SPAR"),
            ])
            let owner = try harness.owner()
            let path = "/settings/stores/\(try store("SPAR", owner))"
            let list = "/receipts?store=\(try store("SPAR", owner))"
            let receipts = try owner.query("SELECT id FROM receipt ORDER BY id").decode(ReceiptID.self)
            _ = try await anna.post("/receipts/\(receipts[0])/discard")
            let ben = try await harness.join(anna, as: .viewer)
            for browser in [anna, ben] {
                #expect(try await browser.get(path).text.contains("<a href=\"\(list)\">Belege: 1</a>"))
                let page = try await browser.get(list).text
                #expect(page.matches(of: #/href="\/receipts\/[0-9a-f-]{36}"/#).count == 1)
            }
            // There is no other store to merge it with.
            #expect(try await anna.get(path).text.contains("lässt sich deshalb nicht löschen"))
            _ = try await anna.post("/receipts/\(receipts[1])/discard")
            let discarded = try await anna.get(path).text
            #expect(discarded.contains("<p>nur auf verworfenen Belegen</p>") && !discarded.contains(list))
            // Viewers can neither rename nor merge.
            let lead = "um ihn umzubenennen"
            #expect(try await anna.get("/settings/stores-and-categories").text.contains(lead))
            #expect(try await !ben.get("/settings/stores-and-categories").text.contains(lead))
        }
    }

    @Test(.database) func `a store that is only on another member's hidden receipt is not listed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            try await anna.importTable([("Vase", "49,00", "2026-10-01", "Buchladen Geheim")])
            let owner = try harness.owner()
            let receipt = try #require(try owner.query("SELECT id FROM receipt").first(ReceiptID.self))
            try await harness.hide(receipt, by: anna)
            let id = try store("Buchladen Geheim", owner)
            #expect(try await anna.get("/settings/stores/\(id)").status == .ok)
            #expect(try await ben.get("/settings/stores/\(id)").status == .notFound)
            #expect(try await ben.post("/settings/stores/\(id)/removal", ["revision": "1"]).status == .notFound)
            #expect(!(try await ben.get("/settings/stores-and-categories").text.contains("Geheim")))
        }
    }
}
