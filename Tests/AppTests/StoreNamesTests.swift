import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Renaming stores, and finding renamed and merged stores by their former names.
@Suite(.timeLimit(.minutes(5))) struct StoreNamesTests {
    private static let list = "/settings/stores-and-categories"

    private func store(_ name: String, _ harness: AppHarness) throws -> StoreID {
        try #require(try harness.owner().query("SELECT id FROM store WHERE name = \(name)").first(StoreID.self))
    }

    private func rename(_ name: String, to other: String, _ browser: Browser, _ harness: AppHarness) async throws {
        let id = try store(name, harness)
        let revision = try harness.owner().query("SELECT revision FROM store WHERE id = \(id)").first(Int64.self) ?? 0
        let answer = try await browser.post("/settings/stores/\(id)", ["name": other, "revision": "\(revision)"])
        #expect(answer.location == Self.list, "\(answer.text)")
    }

    private func names(_ harness: AppHarness) throws -> [String] {
        try harness.owner().query("SELECT name FROM store ORDER BY name").decode(String.self)
    }

    @Test(.database) func `a store is renamed; a used name, a missing name and a stale form are refused`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "Sparr"), ("Brot", "2,00", "2026-10-01", "SPAR"),
                ("Käse", "3,00", "2026-10-01", "Hof Huber"),
            ])
            let id = try store("Sparr", harness)
            let path = "/settings/stores/\(id)"
            #expect(try await anna.get(path).text.contains("name=\"name\" value=\"Sparr\""))
            // A name is taken even if the stores belong to different chains.
            let takenNameAnswer = try await anna.post(path, ["name": "Spar", "revision": "1"])
            #expect(takenNameAnswer.status == .unprocessableContent && takenNameAnswer.text.contains("heißt schon so"))
            #expect(takenNameAnswer.text.contains("value=\"Spar\""))
            // A no-break space looks like a space.
            let pasted = try await anna.post(path, ["name": "Hof\u{A0}Huber", "revision": "1"])
            #expect(pasted.status == .unprocessableContent)
            for name in [" ", String(repeating: "x", count: 81)] {
                let refusal = try await anna.post(path, ["name": name, "revision": "1"])
                #expect(refusal.status == .unprocessableContent && refusal.text.contains("name-error"), "\(name)")
            }
            for _ in 0..<2 {
                #expect(try await anna.post(path, ["name": " Ums Eck ", "revision": "1"]).location == Self.list)
            }
            #expect(try await anna.post(path, ["name": "Anders", "revision": "1"]).status == .conflict)
            #expect(try names(harness) == ["Hof Huber", "SPAR", "Ums Eck"])
            #expect(try await anna.get("/receipts").text.contains("Ums Eck"))
            let loggedNames = try harness.owner().query(
                "SELECT body ->> 'name' FROM change_log WHERE document_id = \(id) ORDER BY seq")
            #expect(try loggedNames.decode(String.self) == ["Sparr", "Ums Eck"])
            let ben = try await harness.join(anna, as: .viewer)
            #expect(try await ben.post(path, ["name": "Anders", "revision": "2"]).status == .forbidden)
        }
    }

    @Test(.database) func `receipts that print a former name belong to the renamed store`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            func confirm(_ town: String) async throws -> String? {
                let printedStore = #"{"chain": "REWE", "name": "REWE", "street": "", "town": "\#(town)"}"#
                let receipt = try scene.receipt(
                    [("MILCH", 179)], pages: 0, head: .init(verdict: .proven, store: printedStore))
                _ = try await anna.post("/receipts/confirmations")
                return try scene.text(
                    "SELECT s.name FROM receipt r JOIN store s ON s.id = r.store_id WHERE r.id = \(receipt)")
            }
            #expect(try await confirm("Schwerte") == "REWE Schwerte")
            try await rename("REWE Schwerte", to: "Ums Eck", anna, harness)
            // A sync client renames the store again.
            let key = DocumentKey(.store, try store("Ums Eck", harness).relabelled())
            try await SyncScene(harness, anna).edit(key) { $0["name"] = "Am Bach" }
            #expect(try await confirm("Schwerte") == "Am Bach")
            #expect(try await confirm("") == "Am Bach")
            #expect(try await confirm("Hannover") == "REWE Hannover")
        }
    }

    @Test(.database) func `a form that was opened before a store was renamed keeps the store`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)], pages: 0, head: .init(store: #"{"name": "Hofladen"}"#))
            let key = try scene.keys(receipt)[0]
            func confirm(_ store: String) async throws {
                let revision = try #require(
                    try scene.text("SELECT revision::text FROM receipt WHERE id = \(receipt)"))
                let answer = try await anna.post(
                    "/receipts/\(receipt)/confirmation",
                    [
                        "revision": revision, "store": store, "day": "2026-11-02", "total": "1,79", "line": "\(key)",
                        "name-\(key)": "MILCH", "total-\(key)": "1,79",
                    ])
                #expect(answer.status == .seeOther, "\(answer.text)")
            }
            try await confirm("Hofladen")
            try scene.owner.query("UPDATE store SET town = 'Wien'")
            try await rename("Hofladen", to: "Hofladen Wien", anna, harness)
            try await confirm("Hofladen")
            #expect(try names(harness) == ["Hofladen Wien"])
            try scene.owner.query("UPDATE store SET town = ''")
            try await rename("Hofladen Wien", to: "Huber", anna, harness)
            try await confirm("Hofladen")
            #expect(try names(harness) == ["Huber"])
            // After a person has typed another name, the former name no longer finds the renamed store.
            try await confirm("Markt")
            try await confirm("Hofladen")
            #expect(try names(harness) == ["Hofladen", "Huber", "Markt"])
        }
    }

    @Test(.database) func `a former name that two stores share finds neither of them`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "Hofladen"), ("Brot", "2,00", "2026-10-02", "Laden"),
            ])
            try await rename("Hofladen", to: "Huber", anna, harness)
            try await rename("Laden", to: "Hofladen", anna, harness)
            try await rename("Hofladen", to: "Maier", anna, harness)
            try await anna.importTable([("Eier", "3,00", "2026-10-03", "Hofladen")])
            #expect(try names(harness) == ["Hofladen", "Huber", "Maier"])
            try await rename("Hofladen", to: "Gruber", anna, harness)
            let receipt = try scene.receipt(
                [("SEIFE", 179)], pages: 0, head: .init(verdict: .proven, store: #"{"name": "Hofladen"}"#))
            _ = try await anna.post("/receipts/confirmations")
            let name = try scene.text(
                "SELECT s.name FROM receipt r JOIN store s ON s.id = r.store_id WHERE r.id = \(receipt)")
            #expect(name == "Hofladen")
        }
    }

    @Test(.database) func `a table from before a store was renamed is not imported again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let milk = ("Milch", "1,00", "2026-10-01", "Hofladen")
            try await anna.importTable([milk])
            try await rename("Hofladen", to: "Huber", anna, harness)
            try await anna.importTable([milk, ("Brot", "2,00", "2026-10-02", "HOFLADEN")])
            #expect(try names(harness) == ["Huber"])
            let lines = try harness.owner().query("SELECT printed_name FROM receipt_line ORDER BY 1")
            #expect(try lines.decode(String.self) == ["Brot", "Milch"])
        }
    }

    @Test(.database) func `the name of a merged store finds the remaining store`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "Hofladn"), ("Milch", "1,10", "2026-10-02", "Hofladen"),
            ])
            let (typo, right) = (try store("Hofladn", harness), try store("Hofladen", harness))
            let mergeAnswer = try await anna.post(
                "/settings/stores/\(typo)/removal", ["revision": "1", "other-store": "\(right)"])
            #expect(mergeAnswer.location == Self.list)
            try await anna.importTable([("Brot", "2,00", "2026-10-03", "Hofladn")])
            #expect(try names(harness) == ["Hofladen"])
            // A list in another tab still has the link.
            #expect(try await anna.get("/settings/stores/\(typo)").location == Self.list)
            #expect(try await anna.get(Self.list).text.contains("Dieses Geschäft gibt es nicht mehr"))
            #expect(try await anna.get("/settings/stores/\(StoreID.new())").status == .notFound)
        }
    }

    @Test(.database) func `receipts that print the town of a merged store belong to the remaining store`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            func confirm(_ town: String) async throws -> String? {
                let printedStore = #"{"chain": "REWE", "name": "REWE", "street": "", "town": "\#(town)"}"#
                let receipt = try scene.receipt(
                    [("MILCH", 179)], pages: 0, head: .init(verdict: .proven, store: printedStore))
                _ = try await anna.post("/receipts/confirmations")
                return try scene.text(
                    "SELECT s.name FROM receipt r JOIN store s ON s.id = r.store_id WHERE r.id = \(receipt)")
            }
            func merge(_ name: String, into other: String) async throws {
                let id = try store(name, harness)
                let revision = try harness.owner().query("SELECT revision FROM store WHERE id = \(id)").first(
                    Int64.self)
                let page = try await anna.get("/settings/stores/\(id)").text
                #expect(page.contains("Neue Belege mit dem Namen oder der Adresse dieses Geschäfts"))
                let mergeAnswer = try await anna.post(
                    "/settings/stores/\(id)/removal",
                    ["revision": "\(revision ?? 0)", "other-store": "\(try store(other, harness))"])
                #expect(mergeAnswer.location == Self.list)
            }
            for town in ["Schwerte", "Hannover", "Bremen"] {
                #expect(try await confirm(town) == "REWE \(town)")
            }
            try await merge("REWE Hannover", into: "REWE Schwerte")
            #expect(try await confirm("30159 Hannover") == "REWE Schwerte")
            // The address of the store that was merged first is kept, too.
            try await merge("REWE Schwerte", into: "REWE Bremen")
            for town in ["Hannover", "Schwerte", "Bremen", ""] {
                #expect(try await confirm(town) == "REWE Bremen", "\(town)")
            }
            #expect(try await confirm("Kassel") == "REWE Kassel")
            #expect(try names(harness) == ["REWE Bremen", "REWE Kassel"])
            // Documents of stores do not contain the addresses.
            let loggedCount = try harness.owner().query("SELECT count(*) FROM change_log WHERE body ? 'former_places'")
            #expect(try loggedCount.first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a program renames a store with its ETag`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "Hofladen"), ("Brot", "2,00", "2026-10-01", "Huber"),
            ])
            let caller = try await harness.caller(anna)
            let path = "/api/v1/stores/\(try store("Hofladen", harness))"
            let tag = try #require(try await caller.get(path).headers[.etag])
            func rename(_ name: String) async throws -> Answer {
                try await caller.change(.patch, path, #"{"name": "\#(name)"}"#, tag)
            }
            let takenNameAnswer = try await rename("Huber")
            #expect(
                takenNameAnswer.status == .unprocessableContent && takenNameAnswer.text.contains("is taken"),
                "\(takenNameAnswer.text)")
            #expect(try await rename("Bauernladen").json["name"] == "Bauernladen")
            #expect(try await rename("Anders").status == .preconditionFailed)
        }
    }

    @Test(.database) func `stores are sorted as in German`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch", "1,00", "2026-10-01", "Zoo"), ("Milch", "1,10", "2026-10-02", "Ölmühle"),
                ("Milch", "1,20", "2026-10-03", "Obsthof"), ("Milch", "1,20", "2026-10-03", "apotheke"),
            ])
            let page = try await anna.get(Self.list).text
            let positions = ["apotheke", "Obsthof", "Ölmühle", "Zoo"].map { page.firstRange(of: ">\($0)<")?.lowerBound }
            #expect(positions.allSatisfy { $0 != nil })
            #expect(positions.compactMap { $0 } == positions.compactMap { $0 }.sorted())
            let rows = try await harness.database.read(anna.household, Naming.query(anna.household))
            #expect(try Naming(rows).all.map(\.name) == ["apotheke", "Obsthof", "Ölmühle", "Zoo"])
        }
    }
}
