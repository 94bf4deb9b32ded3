import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ImportTests {
    private let table = """
        Name;Price;Category;Shop;Datum
        Vollmilch 1L;1,79;Milch;SPAR;21.10.2026
        Butter 250g;3.29;Milch;HOFER;2026-10-20
        Butter 250g;eins neunzig;Milch;HOFER;20.10.2026
        Semmel;0,39;Brot;SPAR;21.10.2026
        Pfandbon;-0,25;;SPAR;21.10.2026
        =HYPERLINK("http://x");2,00;;SPAR;22.10.2026

        """

    @Test(.database) func `a table is previewed line by line, and imported once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let preview = try #require(try await anna.importFile(table).location)
            let page = try await anna.get(preview)
            #expect(page.status == .ok)
            #expect(page.text.contains("Erkannt: 5 von 6"))
            #expect(page.text.contains("Der Preis „eins neunzig“ ist keine Zahl."))
            #expect(try owner.query("SELECT count(*) FROM receipt").first(Int64.self) == 0)
            #expect(try await anna.post("\(preview)/confirmation").location == "/receipts")
            #expect(try owner.query("SELECT count(*) FROM receipt").first(Int64.self) == 3)
            let prices = try owner.query(
                "SELECT d.name, p.regular_thousandths, p.source FROM price p JOIN product d ON d.id = p.product_id ORDER BY 2"
            ).decode((String, Int64, String).self)
            #expect(prices.map(\.0) == ["Semmel", "Vollmilch 1L", "=HYPERLINK(\"http://x\")", "Butter 250g"])
            #expect(prices.map(\.1) == [39_000, 179_000, 200_000, 329_000])
            #expect(prices.allSatisfy { $0.2 == "import" })
            // The file is deleted, and the same table has no new lines.
            #expect(try await anna.post("\(preview)/confirmation").location == "/import")
            #expect(try await anna.get("/import").text.contains("Schon erledigt."))
            #expect(try await anna.get(preview).location == "/import")
            #expect(try await anna.post("\(preview)/discard").location == "/import")
            let secondImport = try #require(try await anna.importFile(table).location)
            #expect(try await anna.get(secondImport).text.contains("gibt es schon"))
            _ = try await anna.post("\(secondImport)/confirmation")
            #expect(try owner.query("SELECT count(*) FROM receipt").first(Int64.self) == 3)
            #expect(try await anna.get("/").status == .ok)
            #expect(try await anna.get("/products").text.contains("Vollmilch 1L"))
        }
    }

    @Test(.database, arguments: ["de", "en"])
    func `errors name the column, and the page says how dates were read`(language: String)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let isGerman = language == "de"
            // The table has fewer columns, in another order.
            let text = """
                Datum;Preis;Artikel
                05/13/2026;1,79;Milch 1L
                01/05/2026;;Brot
                02/30/2026;2,00;Salz
                ;2,00;Mehl
                01/06/2026;1.234;Reis
                01/06/2026;1,00
                Notiz

                """
            let page = try await anna.get(try #require(try await anna.importFile(text).location)).text
            for (german, english) in [
                ("als Monat/Tag/Jahr gelesen", "read as month/day/year"), ("Der Preis fehlt.", "The price is missing."),
                ("Das Datum „02/30/2026“", "The date “02/30/2026”"), ("Das Datum fehlt.", "The date is missing."),
                ("Der Preis „1.234“ ist mehrdeutig", "The price “1.234” is ambiguous"),
                ("Spalten in dieser Zeile: 2 statt 3", "Columns on this line: 2 instead of 3"),
                ("Spalten in dieser Zeile: 1 statt 3", "Columns on this line: 1 instead of 3"),
                ("13.05.2026", "13 May 2026"), (">1 l<", ">1 l<"),
            ] { #expect(page.contains(isGerman ? german : english), "\(german)") }
            for (text, german, english) in [
                ("", "Diese Datei ist leer", "This file is empty"),
                ("Name;Price;Category;Shop;Datum\n", "Diese Datei ist leer", "This file is empty"),
                ("Name;Price\nMilch;1,00\n", "Fehlende Spalten: Datum.", "Missing columns: Date."),
            ] {
                let refusal = try await anna.importFile(text)
                #expect(refusal.status == .unprocessableContent)
                #expect(refusal.text.contains(isGerman ? german : english), "\(german)")
            }
        }
    }

    @Test(.database)
    func `the preview refuses names that are too long, and large purchases become several receipts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            // Each emoji is one character of seven code points.
            let families = String(repeating: "👨‍👩‍👧‍👦", count: 60)
            let table = """
                Name;Price;Category;Shop;Datum
                \(families);1,00;;SPAR;21.10.2026
                Barren A;900000,00;;SPAR;21.10.2026
                Barren B;900000,00;;SPAR;21.10.2026
                Rückgabe;-900000,00;;SPAR;21.10.2026

                """
            let preview = try #require(try await anna.importFile(table).location)
            #expect(try await anna.get(preview).text.contains("Erkannt: 3 von 4"))
            #expect(try await anna.post("\(preview)/confirmation").location == "/receipts")
            let totals = try harness.owner().query("SELECT total_minor FROM receipt ORDER BY 1").decode(Int64.self)
            #expect(totals == [0, 90_000_000])
        }
    }

    @Test(.database, arguments: [(300, 0, 200), (300, 20, 200), (150, 150, 200), (20, 300, 200), (40, 40, 80)])
    func `the preview shows at most 200 lines and states the number of further lines`(
        wrong: Int, right: Int, shown: Int
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var table = "Name;Price;Category;Shop;Datum\n"
            for number in 0..<wrong { table += "Ware \(number);kein Preis;;SPAR;21.10.2026\n" }
            for number in 0..<right { table += "Gut \(number);1,00;;SPAR;21.10.2026\n" }
            let page = try await anna.get(try #require(try await anna.importFile(table).location)).text
            #expect(
                page.matches(of: #/(?:Ware|Gut) \d/#).count == shown)
            #expect(page.contains("Weitere Zeilen: \(wrong + right - shown)") == (wrong + right > shown))
        }
    }

    @Test(.database)
    func `a long table is imported in parts; after an interruption, confirming again imports only the missing parts`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            // Sixty days with fifty records each. Two records of each day are equal. The import has three parts.
            let days = (0..<60).map { LocalDate(year: 2025, month: 1, day: 1)?.adding(days: $0) ?? .earliest }
            let records = days.flatMap { day in
                (0..<50).map { "Ware \(max(1, $0));1,\(10 + $0 / 2);;SPAR;\(day.iso)" }
            }
            let file = try #require(
                try await anna.importFile("Name;Price;Category;Shop;Datum\n" + records.joined(separator: "\n")).location
            )
            func storedCount() throws -> Int64? {
                try owner.query("SELECT count(*) FROM receipt_line").first(Int64.self)
            }
            try owner.query(
                "ALTER TABLE receipt ADD CONSTRAINT early_days CHECK (purchase_day < '2025-02-15') NOT VALID")
            let brokenAnswer = try await anna.post("\(file)/confirmation")
            #expect(brokenAnswer.status == .badRequest)
            #expect(try storedCount() == 2_000)
            try owner.query("ALTER TABLE receipt DROP CONSTRAINT early_days")
            #expect(try await anna.get(file).text.contains("gibt es schon"))
            #expect(try await anna.post("\(file)/confirmation").location == "/receipts")
            #expect(try storedCount() == 3_000)
            #expect(try owner.query("SELECT count(*) FROM receipt").first(Int64.self) == 60)
            #expect(try await anna.post("\(file)/confirmation").location == "/import")
            // Statistics are refreshed although the app's database role does not own the tables.
            let estimatedRows = try owner.query("SELECT reltuples::bigint FROM pg_class WHERE relname = 'receipt_line'")
            #expect(try estimatedRows.first(Int64.self) == 3_000)
        }
    }

    @Test(.database) func `an import that was prepared before another change is not stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let signedIn = try #require(
                try await Sessions(database: harness.database).find(anna.cookies["__Host-session"] ?? ""))
            let member = signedIn.member
            let part = try #require(try ImportTable(table, currency: .eur).parts.first)
            func prepare() async throws -> PreparedImport {
                let rows = try await harness.database.read(
                    anna.household, batch: PreparedImport.statements(part, member))
                return try PreparedImport(part, rows)
            }
            let early = try await prepare()
            #expect(early.count > 0)
            _ = try await anna.post("/receipts/drafts")
            let isStored = try await harness.database.write(anna.household, by: anna.person) { changes in
                try await early.insert(changes)
            }
            #expect(!isStored)
            let imported: SQL = "SELECT count(*) FROM receipt WHERE source = 'import'"
            #expect(try owner.query(imported).first(Int64.self) == 0)
            let late = try await prepare()
            let isStoredNow = try await harness.database.write(anna.household, by: anna.person) { changes in
                try await late.insert(changes)
            }
            #expect(isStoredNow)
            #expect(try owner.query(imported).first(Int64.self) == 3)
        }
    }

    @Test(.database) func `every line of an export is recognised as already imported`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let file = try #require(try await anna.importFile(table).location)
            _ = try await anna.post("\(file)/confirmation")
            let export = try await anna.get("/export.csv")
            #expect(export.text.hasPrefix("\u{FEFF}Name;Price;Category;Shop;Datum\r\n"))
            // The apostrophe prevents spreadsheets from running the formula.
            #expect(export.text.contains("\"'=HYPERLINK(\"\"http://x\"\")\";2,00;;SPAR;22.10.2026"))
            #expect(export.text.contains("Pfandbon;-0,25;;SPAR;21.10.2026"))
            let back = try #require(try await anna.importFile(export.text).location)
            let page = try await anna.get(back)
            #expect(page.text.contains("Erkannt: 5 von 5"))
            #expect(page.text.contains("disabled"))
        }
    }

    @Test(.database) func `another household sees neither the file nor the export`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let file = try #require(try await anna.importFile(table).location)
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            #expect(try await paul.get(file).status == .notFound)
            #expect(try await paul.post("\(file)/confirmation").status == .notFound)
            _ = try await paul.post("\(file)/discard")
            #expect(try await anna.post("\(file)/confirmation").status == .seeOther)
            #expect(try await paul.get("/export.csv").text == "\u{FEFF}Name;Price;Category;Shop;Datum\r\n")
        }
    }

    @Test(.database) func `the preview states the number of new lines, even if it is zero`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let file = try #require(try await anna.importFile(table).location)
            #expect(try await anna.get(file).text.contains("Zeilen importieren: 5"))
            _ = try await anna.post("\(file)/confirmation")
            let secondImport = try #require(try await anna.importFile(table + "Neu;1,00;;SPAR;22.10.2026\n").location)
            #expect(try await anna.get(secondImport).text.contains("Zeilen importieren: 1"))
            _ = try await anna.post("\(secondImport)/confirmation")
            let thirdPage = try await anna.get(try #require(try await anna.importFile(table).location))
            #expect(thirdPage.text.contains("Zeilen importieren: 0") && thirdPage.text.contains("ist schon vorhanden"))
        }
    }

    @Test(.database) func `a stray quote affects one line only, and a separator line is ignored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let file = try #require(
                try await anna.importFile("sep=;\r\n" + table.replacing("Semmel", with: "\"TK\" Pizza")).location)
            let page = try await anna.get(file).text
            #expect(page.contains("Erkannt: 4 von 6"))
            #expect(page.contains("Nach dem schließenden Anführungszeichen steht noch Text."))
        }
    }

    @Test(.database) func `export and import keep sums by category, and deposits create no products`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let start = try #require(
                try await anna.importFile(
                    "Name;Price;Category;Shop;Datum\nSaft;2,00;Getränke;SPAR;21.10.2026\n"
                        + "Rabatt;-0,50;;SPAR;21.10.2026\nPFAND 0,25;0,25;Pfand;SPAR;21.10.2026\n"
                ).location)
            _ = try await anna.post("\(start)/confirmation")
            // The discount has the category of the juice. The deposit is in the built-in category for deposits.
            let receipt = try #require(try scene.owner.query("SELECT id FROM receipt").first(ReceiptID.self))
            try await harness.setKinds([.item, .discount, .deposit], of: receipt, by: anna)
            try scene.owner.query("UPDATE receipt_line SET category_id = NULL WHERE printed_name LIKE 'PFAND%'")
            #expect(
                try scene.owner.query("SELECT kind FROM receipt_line ORDER BY total_minor").decode(String.self)
                    == ["discount", "deposit", "item"])
            let export = try await anna.get("/export.csv").text
            #expect(export.contains("Rabatt;-0,50;Getränke;SPAR"))
            #expect(export.contains("PFAND 0,25;0,25;Pfand;SPAR"))
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            let file = try #require(try await paul.importFile(export).location)
            _ = try await paul.post("\(file)/confirmation")
            let products = try scene.owner.query("SELECT name FROM product WHERE household_id = \(paul.household)")
            #expect(try products.decode(String.self) == ["Saft"])
            let sums = try scene.owner.query(
                """
                SELECT c.key || ' ' || m.amount_minor FROM spending_month m JOIN category c ON c.id = m.category_id
                WHERE m.household_id = \(paul.household) ORDER BY 1
                """
            ).decode(String.self)
            #expect(sums == ["deposit 25", "drinks 150"])
        }
    }
}
