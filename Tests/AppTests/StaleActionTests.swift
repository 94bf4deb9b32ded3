import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Actions that are repeated, sent from outdated pages, or undone.
@Suite(.timeLimit(.minutes(5))) struct StaleActionTests {
    /// Confirms a receipt of HOFER with a line for each name, and returns the lines.
    private func confirmedLines(
        _ names: [String], _ anna: Browser, _ harness: AppHarness
    ) async throws -> [ReceiptLineID] {
        let scene = try harness.scene(anna)
        let receipt = try scene.receipt(names.map { ($0, 199) }, pages: 0)
        try await harness.confirm(receipt, by: anna)
        return try scene.keys(receipt)
    }

    @Test(.database) func `undoing a match also removes the product that it created`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let lines = try await confirmedLines(["BANANEN", "BIO BANANEN"], anna, harness)
            let owner = try harness.owner()
            func counts() throws -> [Int64] {
                try owner.query(
                    """
                    SELECT count(*) FROM product UNION ALL SELECT count(*) FROM product_alias
                    UNION ALL SELECT count(*) FROM price
                    """
                ).decode(Int64.self)
            }
            _ = try await anna.post("/matching", ["alias": "\(lines[0])", "product": "new", "name": "Bananen"])
            let product = try #require(try owner.query("SELECT id FROM product").first(ProductID.self))
            _ = try await anna.post("/matching", ["alias": "\(lines[1])", "product": "\(product)"])
            let undo = "/matching/bindings/\(lines[1])/\(product)/removal"
            #expect(try await anna.get("/matching").text.contains(undo))
            #expect(try counts() == [1, 2, 2])
            // The product keeps its other name and that name's price.
            for flash in ["Zuordnung rückgängig gemacht.", "Schon erledigt."] {
                #expect(try await anna.post(undo).location == "/matching")
                #expect(try await anna.get("/matching").text.contains(flash))
            }
            #expect(try counts() == [1, 1, 1])
            #expect(try await anna.get("/matching").text.contains("BIO BANANEN"))
            // Undoing the last match removes the product.
            _ = try await anna.post("/matching/bindings/\(lines[0])/\(product)/removal")
            #expect(try counts() == [0, 0, 0])
            #expect(
                try await anna.post("/matching/bindings/\(ReceiptLineID.new())/\(product)/removal").status == .notFound)
        }
    }

    @Test(.database) func `an ignored name is listed and can be matched again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let line = try await confirmedLines(["TRAGETASCHE"], anna, harness)[0]
            let answer = try await anna.post("/matching", ["alias": "\(line)", "product": "ignore"])
            #expect(answer.location == "/matching")
            let id = try #require(
                try harness.owner().query("SELECT id FROM ignored_name").first(IgnoredNameID.self))
            let undo = "/matching/ignored/\(id)/removal"
            let page = try await anna.get("/matching").text
            // The message and the list each have a button to undo the choice.
            #expect(page.components(separatedBy: undo).count == 3)
            #expect(page.contains("TRAGETASCHE") && !page.contains("name-card"))
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/matching") }
            let pageAfter = try await anna.get("/matching").text
            #expect(pageAfter.contains("name-card") && pageAfter.contains("Schon erledigt."))
            #expect(
                try harness.owner().query("SELECT deleted FROM change_log WHERE document_id = \(id) ORDER BY seq")
                    .decode(Bool.self) == [false, true])
        }
    }

    @Test(.database) func `a second product of a chain with the same name is refused; the existing product is offered`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let lines = try await confirmedLines(["QUARK 250G", "XYLOPHON"], anna, harness)
            _ = try await anna.post("/matching", ["alias": "\(lines[0])", "product": "new", "name": "Topfen"])
            let takenNameAnswer = try await anna.post(
                "/matching", ["alias": "\(lines[1])", "product": "new", "name": "topfen"])
            #expect(takenNameAnswer.status == .unprocessableContent)
            #expect(
                takenNameAnswer.text.contains("Bei dieser Kette gibt es schon")
                    && takenNameAnswer.text.contains("value=\"topfen\""))
            let product = try #require(
                try harness.owner().query("SELECT id FROM product").decode(ProductID.self).first)
            #expect(
                takenNameAnswer.attribute("value", after: "class=\"button choice-one\" name=\"product\"")
                    == "\(product)")
            #expect(try harness.owner().query("SELECT name FROM product").decode(String.self) == ["Topfen"])
            _ = try await anna.post("/matching", ["alias": "\(lines[1])", "product": "\(product)"])
            #expect(try harness.owner().query("SELECT count(*) FROM product_alias").first(Int64.self) == 2)
        }
    }

    @Test(.database) func `merging twice redirects to the remaining product, and a removed product is not offered`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let lines = try await confirmedLines(["ALPHA", "BETA", "GAMMA"], anna, harness)
            var products: [ProductID] = []
            for (line, name) in zip(lines.prefix(2), ["Alpha", "Beta"]) {
                _ = try await anna.post("/matching", ["alias": "\(line)", "product": "new", "name": name])
                products.append(
                    try #require(
                        try harness.owner().query("SELECT id FROM product WHERE name = \(name)").first(ProductID.self)))
            }
            let form: KeyValuePairs = ["revision": "1", "into": "\(products[1])"]
            for _ in 0..<2 {
                let answer = try await anna.post("/products/\(products[0])/merge", form)
                #expect(answer.location == "/products/\(products[1])")
            }
            #expect(try await anna.get("/products/\(products[1])").text.contains("Schon erledigt."))
            // An old tab or a bookmark is redirected to the remaining product, too.
            #expect(try await anna.get("/products/\(products[0])").location == "/products/\(products[1])")
            let lateAnswer = try await anna.post(
                "/products/\(products[0])", ["revision": "1", "name": "Neu", "category": ""])
            #expect(lateAnswer.location == "/products/\(products[1])")
            #expect(
                try await anna.get("/products/\(products[1])").text.contains("Ihre Änderung wurde nicht gespeichert"))
            let matchAnswer = try await anna.post("/matching", ["alias": "\(lines[2])", "product": "\(products[0])"])
            #expect(matchAnswer.status == .conflict && matchAnswer.text.contains("zusammengelegt"))
        }
    }

    @Test(.database)
    func `the address of a removed product says that the product was removed, also after a name was detached`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let lines = try await confirmedLines(["ALPHA", "BETA", "GAMMA"], anna, harness)
            let owner = try harness.owner()
            _ = try await anna.post("/matching", ["alias": "\(lines[0])", "product": "new", "name": "Alpha"])
            let product = try #require(try owner.query("SELECT id FROM product").first(ProductID.self))
            _ = try await anna.post("/matching", ["alias": "\(lines[1])", "product": "\(product)"])
            let alias = try #require(
                try owner.query("SELECT id FROM product_alias WHERE printed_name = 'BETA'").first(AliasID.self))
            func revision() throws -> String {
                "\(try owner.query("SELECT revision FROM product WHERE id = \(product)").first(Int64.self) ?? 0)"
            }
            let split = try await anna.post(
                "/products/\(product)/splits", ["revision": try revision(), "alias": "\(alias)"])
            #expect(split.status == .seeOther)
            let removalAnswer = try await anna.post("/products/\(product)/removal", ["revision": try revision()])
            #expect(removalAnswer.location == "/products")
            for address in ["/products/\(product)", "/products/\(product)/merge"] {
                #expect(try await anna.get(address).location == "/products")
                let list = try await anna.get("/products").text
                #expect(list.contains("Dieses Produkt wurde gelöscht."), "\(address)")
                #expect(!list.contains("Das gesuchte Produkt wurde mit diesem zusammengelegt."))
            }
            let lateAnswer = try await anna.post(
                "/products/\(product)", ["revision": "1", "name": "Neu", "category": ""])
            #expect(lateAnswer.location == "/products")
            let other = try #require(try owner.query("SELECT id FROM product").first(ProductID.self))
            let mergeAnswer = try await anna.post("/products/\(product)/merge", ["revision": "1", "into": "\(other)"])
            #expect(mergeAnswer.location == "/products")
            #expect(try await anna.get("/products").text.contains("Dieses Produkt wurde gelöscht."))
            // An identifier that never existed is not found.
            #expect(try await anna.get("/products/\(ProductID.new())").status == .notFound)
        }
    }

    @Test(.database) func `merging different products shows a warning but is not refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let preview = try await anna.importFile(
                """
                Name;Price;Category;Shop;Datum
                Milch fein;1,00;Molkerei;SPAR;2026-10-01
                Milch edel;1,10;Molkerei;SPAR;2026-10-01
                Milch Schokolade;4,00;Naschen;SPAR;2026-10-01

                """)
            _ = try await anna.post("\(try #require(preview.location))/confirmation")
            let owner = try harness.owner()
            func product(_ name: String) throws -> ProductID {
                try #require(try owner.query("SELECT id FROM product WHERE name = \(name)").first(ProductID.self))
            }
            let milk = try product("Milch fein")
            let page = try await anna.get("/products/\(milk)/merge?search=Milch").text
            #expect(page.components(separatedBy: "class=\"why\"").count == 2)
            #expect(page.contains("Andere Kategorie. Ein Grundpreis ist mindestens doppelt"))
            let mergeAnswer = try await anna.post(
                "/products/\(milk)/merge", ["revision": "1", "into": "\(try product("Milch Schokolade"))"])
            #expect(mergeAnswer.status == .seeOther)
        }
    }

    @Test(.database)
    func `an invalid form for a deleted comparison redirects; an unknown comparison is not found`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch 1L", "1,00", "2026-10-01")])
            let product = try #require(try harness.owner().query("SELECT id FROM product").first(ProductID.self))
            _ = try await anna.post("/compare/groups", ["name": "Milch", "unit": "l", "product": "\(product)"])
            let group = try #require(
                try harness.owner().query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
            _ = try await anna.post("/compare/groups/\(group)/removal", ["revision": "1"])
            let fields: KeyValuePairs = ["revision": "1", "name": "", "unit": "l"]
            #expect(try await anna.post("/compare/groups/\(group)", fields).location == "/compare")
            #expect(try await anna.post("/compare/groups/\(ComparisonGroupID.new())", fields).status == .notFound)
        }
    }

    @Test(.database) func `undoing the deletion of a comparison restores the products that no other comparison has`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([
                ("Milch 1L", "1,00", "2026-10-01"), ("Rahm 1L", "2,00", "2026-10-01"),
                ("Saft 1L", "3,00", "2026-10-01"),
            ])
            let products = try owner.query("SELECT id FROM product ORDER BY name").decode(ProductID.self)
            func group(_ name: String) throws -> ComparisonGroupID? {
                try owner.query("SELECT id FROM comparison_group WHERE name = \(name)").first(ComparisonGroupID.self)
            }
            let creationAnswer = try await anna.post(
                "/compare/groups",
                ["name": "Milch", "unit": "l", "product": "\(products[0])", "product": "\(products[1])"])
            #expect(creationAnswer.status == .seeOther)
            let deleted = try #require(try group("Milch"))
            let undo = "/compare/groups/\(deleted)/restoration"
            #expect(try await anna.post(undo).location == "/compare")
            _ = try await anna.post("/compare/groups/\(deleted)/removal", ["revision": "1"])
            #expect(try await anna.get("/compare").text.contains("action=\"\(undo)\""))
            _ = try await anna.post("/compare/groups", ["name": "Rahm", "unit": "l", "product": "\(products[1])"])
            let restorationAnswer = try await anna.post(undo)
            let new = try #require(try group("Milch"))
            #expect(restorationAnswer.location == "/compare/groups/\(new)")
            let members = try owner.query("SELECT id FROM product WHERE comparison_group_id = \(new)")
            #expect(try members.decode(ProductID.self) == [products[0]])
            #expect(try await anna.post(undo).location == "/compare")
            #expect(try await anna.get("/compare").text.contains("Schon erledigt."))
            let unknownGroup = "/compare/groups/\(ComparisonGroupID.new())/restoration"
            #expect(try await anna.post(unknownGroup).status == .notFound)
        }
    }

    @Test(.database) func `a comparison needs a product, and a unit in which one of its products has a price`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch 1L", "1,00", "2026-10-01")])
            let product = try #require(
                try harness.owner().query("SELECT id FROM product").first(ProductID.self))
            let empty = try await anna.post("/compare/groups", ["name": "Leer", "unit": "l"])
            #expect(empty.status == .unprocessableContent && empty.text.contains("mindestens ein Produkt"))
            let wrongUnit = try await anna.post(
                "/compare/groups", ["name": "Milch", "unit": "kg", "product": "\(product)"])
            #expect(
                wrongUnit.status == .unprocessableContent && wrongUnit.text.contains("Preis je kg. Preise gibt es je l")
            )
            _ = try await anna.post("/compare/groups", ["name": "Milch", "unit": "l", "product": "\(product)"])
            let group = try #require(
                try harness.owner().query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
            let changeAnswer = try await anna.post(
                "/compare/groups/\(group)",
                ["revision": "1", "name": "Milch", "unit": "m", "product": "\(product)", "shown": "\(product)"])
            #expect(changeAnswer.status == .unprocessableContent)
            #expect(!(try await anna.get("/compare").text.contains("noch kein Preis in dieser Einheit")))
            // Without its package size, the product has no price per litre.
            let storedRow = try harness.owner().query(
                "SELECT k.valid_from, d.revision FROM product d JOIN product_package k ON k.product_id = d.id")
            let (day, revision) = try #require(try storedRow.first((LocalDate, Int64).self))
            let removalAnswer = try await anna.post(
                "/products/\(product)/packages/\(day.iso)/removal", ["revision": "\(revision)"])
            #expect(removalAnswer.status == .seeOther)
            #expect(try await anna.get("/compare").text.contains("noch kein Preis in dieser Einheit"))
        }
    }
}
