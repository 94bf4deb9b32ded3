import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ExpenseExportTests {
    @Test(.database) func `every export format contains every visible expense, and table formats contain no formulas`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            _ = try await anna.expense("12,50", "Kino; \"Saal 1\"", [("day", "2026-03-01"), ("labels", "Freunde")])
            _ = try await anna.expense("5", "=1+1", [("day", "2026-03-02")])
            _ = try await anna.expense("2000", "Gehalt", [("day", "2026-03-03"), ("kind", "income")])
            _ = try await anna.expense("7", "Geheim", [("day", "2026-03-04"), ("personal", "1")])
            try await anna.importTable([("Milch", "1,50", "2026-03-07", "SPAR")])
            for format in ExpenseExport.allCases {
                let text = try await anna.get("/expenses/export?format=\(format.rawValue)").text
                for word in ["Kino", "Gehalt", "SPAR", "Geheim", "12.50"] {
                    #expect(text.contains(word), "\(format): \(word)")
                }
                #expect(!(try await paul.get("/expenses/export?format=\(format.rawValue)").text.contains("Geheim")))
                if ![.json, .ledger, .beancount].contains(format) { #expect(text.contains("'=1+1")) }
            }
            let journal = try await anna.get("/expenses/export?format=ledger").text
            #expect(
                journal.contains(
                    "2026-03-01 Kino \"Saal 1\" | Kino \"Saal 1\"\n    assets:unknown  -12.50 EUR\n    expenses:"))
            #expect(journal.contains("    assets:unknown  2000.00 EUR\n    income:"))
            let firefly = try await anna.get("/expenses/export?format=firefly").text
            #expect(firefly.contains("2026-03-03,2000.00,EUR,Gehalt,Gehalt,"))
            #expect(firefly.contains("2026-03-01,-12.50,EUR,"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("de", "Datum;Art;Betrag;Währung;Wofür;Empfänger;Kategorie;Bezahlt von;Schlagwörter;Notiz", "Erstattung"),
            ("en", "Date;Kind;Amount;Currency;What;Payee;Category;Paid by;Labels;Note", "Money back"),
        ])
    func `the table has headings and kinds in the member's language, and the tables for other programs do not`(
        language: String, headings: String, kind: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            _ = try await anna.expense("5", "Kino", [("day", "2026-03-01"), ("kind", "refund")])
            let rows = try await anna.get("/expenses/export?format=csv").text.split(whereSeparator: \.isNewline)
            try #require(rows.count == 2)
            #expect(rows[0].hasSuffix(headings) && rows[1].hasPrefix("2026-03-01;\(kind);5.00;EUR;Kino;"))
            let actual = try await anna.get("/expenses/export?format=actual").text
            #expect(actual.hasPrefix("Date,Payee,Notes,Category,Amount,Account"))
        }
    }

    @Test(.database) func `an export names payers who have left the household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            _ = try await paul.expense("5", "Kino", [("day", "2026-03-01")])
            _ = try await paul.expense("6", "Geschenk", [("day", "2026-03-02"), ("personal", "1")])
            _ = try await anna.post("/settings/members/\(paul.person)/removal")
            let json = try await anna.get("/expenses/export?format=json").json
            #expect(json.array?.compactMap { $0["paidBy"]?.string } == ["Paul Huber"])
            #expect(try await anna.get("/expenses/export?format=csv").text.contains(";Paul Huber;"))
        }
    }

    @Test(.database) func `the export for Actual leaves out amounts without a rate only if a person agrees`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let abroad: [(String, String)] = [("day", "2026-03-01"), ("currency", "USD")]
            _ = try await anna.expense("10", "Hotel", abroad + [("stated", "9,20")])
            _ = try await anna.expense("20", "Museum", abroad)
            // No exchange rate is known for the museum.
            let firstPage = try await anna.get("/expenses/export?format=actual")
            let rates = "/expenses/rates?export=actual"
            #expect(firstPage.location == rates)
            let path = "/expenses/export?format=actual&without-rate=1"
            #expect(try await anna.get(rates).text.contains("href=\"\(path.replacing("&", with: "&amp;"))\""))
            let partial = try await anna.get(path).text
            #expect(partial.contains("Hotel (10.00 USD)") && partial.contains(",-9.20"))
            #expect(!partial.contains("Museum") && !partial.contains(",0.00"))
            _ = try await anna.post("/expenses/rates", ["currency": "USD", "day": "2026-03-01", "rate": "1,25"])
            let text = try await anna.get("/expenses/export?format=actual").text
            #expect(text.contains("Hotel (10.00 USD)") && text.contains(",-9.20"))
            #expect(text.contains("Museum (20.00 USD)") && text.contains(",-16.00") && !text.contains("-20.00"))
        }
    }

    @Test(.database) func `an export of several pages has each entry once, oldest first`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let start = try #require(LocalDate(parsing: "2024-01-01"))
            let receipts = Int(ExpenseExportController.pageSize) + 100
            try await anna.importTable(
                (0..<receipts).map { ("Ware \($0)", "1,00", start.adding(days: $0).iso) })
            // The first page ends between the entries of this day.
            let boundary = start.adding(days: Int(ExpenseExportController.pageSize) - 2).iso
            let expenses = ["Kino", "(Bar)", "日本"]
            for what in expenses { _ = try await anna.expense("5", what, [("day", boundary)]) }
            let answer = try await anna.get("/expenses/export?format=json")
            let entries = try #require(try answer.json.array)
            let days = entries.compactMap { $0["date"]?.string }
            #expect(days.count == receipts + expenses.count && days == days.sorted())
            #expect(Set(entries.compactMap { $0["id"]?.string }).count == days.count)
            #expect(answer.largestPart < answer.bytes.count)
            for format in ExpenseExport.allCases {
                let text = try await anna.get("/expenses/export?format=\(format.rawValue)").text
                let isJournal = [.ledger, .beancount].contains(format)
                let dated = text.split(whereSeparator: \.isNewline).filter { line in
                    line.contains(boundary) && !line.contains(" open ")
                }
                if format != .json { #expect(dated.count == expenses.count + 1, "\(format)") }
                if !isJournal, format != .json {
                    #expect(text.split(whereSeparator: \.isNewline).count == days.count + 1, "\(format)")
                }
            }
            let beancount = try await anna.get("/expenses/export?format=beancount").text
            #expect(beancount.ranges(of: "open Assets:Unknown").count == 1)
            #expect(!beancount.contains("Assets:Bank"))
            // Without the empty code `()`, programs that read the journal would take `(Bar)` for a code.
            #expect(try await anna.get("/expenses/export?format=ledger").text.contains(" * () (Bar) | (Bar)\n"))
        }
    }

    @Test(.database) func `formats with postings divide a receipt between the categories of its lines`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = """
                Name;Price;Category;Shop;Datum
                Reis;2,00;Beta;SPAR;2026-03-01
                Hemd;39,90;Alpha;SPAR;2026-03-01
                Linsen;1,50;Beta;SPAR;2026-03-01

                """
            let preview = try #require(try await anna.importFile(table).location)
            _ = try await anna.post("\(preview)/confirmation")
            let journal = try await anna.get("/expenses/export?format=ledger").text
            #expect(
                journal.contains(
                    "    assets:unknown  -43.40 EUR\n    expenses:Alpha  39.90 EUR\n    expenses:Beta  3.50 EUR\n"))
            let beancount = try await anna.get("/expenses/export?format=beancount").text
            #expect(
                beancount.contains(
                    "  Assets:Unknown  -43.40 EUR\n  Expenses:Alpha  39.90 EUR\n  Expenses:Beta  3.50 EUR\n"))
            #expect(beancount.contains("2026-03-01 open Expenses:Beta\n"))
            let json = try await anna.get("/expenses/export?format=json").json
            let parts = try #require(json.array?.first?["categories"]?.array)
            #expect(parts.compactMap { $0["category"]?.string } == ["Alpha", "Beta"])
        }
    }

    @Test(.database) func `an exported receipt without a store has a description`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MENÜ", 1_900)], stage: "confirmed", person: anna.person)
            try scene.owner.query("UPDATE receipt SET store_id = NULL, printed_store = '{}' WHERE id = \(receipt)")
            let text = try await anna.get("/expenses/export?format=firefly").text
            #expect(text.contains(",-19.00,EUR,Beleg,Beleg,"))
        }
    }

    @Test(.database) func `an account of Beancount begins with a capital letter, also in scripts without capitals`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = "Name;Price;Category;Shop;Datum\nReis;2,00;日本;SPAR;2026-03-01\n"
            let preview = try #require(
                try await anna.importFile(table).location)
            _ = try await anna.post("\(preview)/confirmation")
            let text = try await anna.get("/expenses/export?format=beancount").text
            #expect(text.contains("2026-03-01 open Expenses:X日本\n"))
        }
    }
}
