import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Export and import of matched names.
@Suite(.timeLimit(.minutes(5))) struct NameExchangeTests {
    private static let path = "/names/import"

    private func importNames(_ browser: Browser, _ text: String) async throws -> Answer {
        try await browser.upload(
            Self.path, field: "file", fileName: "names.csv", type: "text/csv", Array(text.utf8),
            on: try await browser.get(Self.path))
    }

    @Test(.database) func `exported names can be imported by another household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let rows = """
                Kette;Gedruckter Name;Produkt;Kategorie
                SPAR;S-BUDGET H-MILCH 1L;Haltbare Milch;Milchprodukte & Eier
                SPAR;S-BUDGET HALTB.MILCH;Haltbare Milch;
                Dorfladen;BAUERNBROT;Brot;Gibt es nicht
                """
            #expect(try await importNames(anna, rows).location == Self.path)
            #expect(try await anna.get(Self.path).text.contains("Neu zugeordnete Namen: 3"))
            let text = try await anna.get("/names.csv").text
            #expect(text.contains("S-BUDGET H-MILCH 1L;Haltbare Milch;Milchprodukte & Eier"))
            let stranger = try await harness.signUp("Karl Fremd", household: "Anderswo")
            #expect(try await importNames(stranger, text).location == Self.path)
            #expect(try await stranger.get("/names.csv").text == text)
            let products = try harness.owner().query(
                "SELECT count(*) FROM product WHERE household_id = \(stranger.household)")
            #expect(try products.first(Int64.self) == 2)
            // A second import changes nothing.
            #expect(try await importNames(stranger, text.replacing("Brot", with: "Wurst")).location == Self.path)
            #expect(try await stranger.get(Self.path).text.contains("Neu zugeordnete Namen: 0"))
            #expect(try await stranger.get("/names.csv").text == text)
        }
    }

    @Test(.database) func `the number of lines that were left out is shown after an import`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let rows = "Kette;Gedruckter Name;Produkt\nSPAR;MILCH;Milch\nSPAR;;Brot\nSPAR;BROT;\n"
            #expect(try await importNames(anna, rows).location == Self.path)
            let page = try await anna.get(Self.path).text
            #expect(page.contains("Neu zugeordnete Namen: 1. Ausgelassene Zeilen, in denen etwas fehlt"))
            #expect(page.contains("zu lang ist: 2"))
        }
    }

    @Test(.database) func `an imported name is matched on the lines of confirmed receipts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("H-MILCH", 129)], pages: 0, head: .init(store: #"{"name": "SPAR"}"#))
            try await harness.confirm(receipt, by: anna)
            let line = try scene.keys(receipt)[0]
            #expect(
                try await importNames(anna, "Chain;Printed name;Product\nSPAR;H-MILCH;Haltbare Milch").status
                    == .seeOther)
            let rows = try scene.owner.query(
                """
                SELECT d.name, p.regular_thousandths FROM receipt_line l
                JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
                JOIN price p ON p.household_id = l.household_id AND p.product_id = d.id WHERE l.id = \(line)
                """)
            let matchedLine = try rows.first((String, Int64).self)
            #expect(matchedLine?.0 == "Haltbare Milch" && matchedLine?.1 == 129_000)
        }
    }

    @Test(.database) func `refuses files that are not tables of names, and viewers`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            #expect(try await importNames(anna, "Name;Price\na;1").text.contains("In der Tabelle fehlen Spalten"))
            #expect(
                try await importNames(anna, "Kette;Gedruckter Name;Produkt\n\"offen").status == .unprocessableContent)
            #expect(try await importNames(anna, "a\u{0}b").status == .unprocessableContent)
            // The first form exceeds the limit of a form. In the second form, only the file exceeds its limit.
            for length in [2 << 20, (1 << 20) + 1] {
                let large = try await importNames(anna, String(repeating: "x", count: length))
                #expect(large.status == .contentTooLarge)
                #expect(large.text.contains("Möglich sind höchstens 1 MB"))
            }
            #expect(try await vera.get(Self.path).status == .forbidden)
            #expect(try await vera.get("/names.csv").status == .ok)
        }
    }
}
