import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct RateTests {
    @Test(.database) func `a missing rate is reported, and entering it adds the expense to the sums`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Hotel", [("day", "2026-11-03"), ("currency", "USD")])
            #expect(
                try await anna.get("/expenses/rates").text.contains(
                    "USD vom 03.11.2026, Ausgaben und Belege: 1"))
            #expect(try owner.query("SELECT count(*) FROM expense_day").first(Int64.self) == 0)
            let saveAnswer = try await anna.post(
                "/expenses/rates", ["currency": "USD", "day": "2026-11-02", "rate": "1,25"])
            #expect(saveAnswer.location == "/expenses/rates")
            #expect(try owner.query("SELECT amount_minor FROM expense_day").first(Int64.self) == 800)
            let page = try await anna.get("/expenses/rates").text
            #expect(page.contains("1 € = 1,25 USD") && !page.contains("USD vom"))
            _ = try await anna.post("/expenses/rates/removal", ["currency": "USD", "day": "2026-11-02"])
            #expect(try owner.query("SELECT count(*) FROM expense_day").first(Int64.self) == 0)
            let secondAnswer = try await anna.post("/expenses/rates/removal", ["currency": "USD", "day": "2026-11-02"])
            #expect(secondAnswer.location == "/expenses/rates")
        }
    }

    @Test(.database, arguments: ["manual", "ecb"])
    func `removing a rate can be undone, and the sums include the expense again`(source: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Hotel", [("day", "2026-11-03"), ("currency", "USD")])
            _ = try await anna.post("/expenses/rates", ["currency": "USD", "day": "2026-11-02", "rate": "1,25"])
            try owner.query("UPDATE exchange_rate SET source = \(source)")
            _ = try await anna.post("/expenses/rates/removal", ["currency": "USD", "day": "2026-11-02"])
            #expect(try owner.query("SELECT count(*) FROM expense_day").first(Int64.self) == 0)
            let undo = "/expenses/rates/restoration?currency=USD&day=2026-11-02&rate=1250000&source=\(source)"
            let page = try await anna.get("/expenses/rates").text
            #expect(page.contains("action=\"\(undo.replacing("&", with: "&amp;"))\""))
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/expenses/rates") }
            #expect(try owner.query("SELECT amount_minor FROM expense_day").first(Int64.self) == 800)
            let storedRates = try owner.query(
                "SELECT per_euro_millionths, source FROM exchange_rate"
            ).decode((Int64, String).self)
            #expect(storedRates.map(\.0) == [1_250_000] && storedRates.map(\.1) == [source])
            let values = undo.dropFirst("/expenses/rates/restoration?".count)
            for wrong in ["rate=0", "rate=x", "source=other", "currency=EUR", "day=2999-01-01"] {
                let refusal = try await anna.post("/expenses/rates/restoration?\(wrong)&\(values)")
                #expect(refusal.status == .badRequest, "\(wrong)")
            }
        }
    }

    @Test(.database) func `the form proposes a missing rate, also of a currency that is rarely used`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("900 INR", "Hotel", [("day", "2026-11-03")])
            let page = try await anna.get("/expenses/rates").text
            #expect(page.contains("<option value=\"INR\" selected>"))
            #expect(page.contains("name=\"day\" value=\"2026-11-03\""))
            _ = try await anna.post("/expenses/rates", ["currency": "INR", "day": "2026-11-03", "rate": "90"])
            #expect(try await anna.get("/expenses/rates").text.contains("<option value=\"INR\">"))
        }
    }

    @Test(.database)
    func `the dashboard states the number of expenses that no sum includes because their exchange rate is missing`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try harness.scene(anna).receipt([("PIEROGI", 1_900)], pages: 0)
            try await harness.change(receipt, #"{"currency": "PLN"}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            _ = try await anna.expense("10", "Hotel", [("day", "2026-11-03"), ("currency", "USD")])
            _ = try await anna.expense("5", "Kino", [("day", "2026-11-03")])
            let spending = try await harness.caller(anna).get("/api/v1/spending?month=2026-11").json
            #expect(spending["without_rate"]?.integer == 2 && spending["spent_minor"]?.integer == 500)
            let page = try await anna.get("/expenses?month=2026-11").text
            #expect(page.contains("Ohne Wechselkurs und in keiner Summe enthalten: 2"))
        }
    }

    @Test(.database, arguments: ["", "0", "-1", "x", "1e3"])
    func `a rate must be a number above 0`(rate: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/expenses/rates", ["currency": "USD", "day": "2026-11-02", "rate": rate])
            #expect(answer.status == .unprocessableContent && answer.text.contains("rate-error"))
        }
    }

    @Test(.database, arguments: [true, false])
    func `importing the central bank's files does not replace typed rates`(isXML: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Hotel", [("day", "2026-11-04"), ("currency", "USD")])
            _ = try await anna.post("/expenses/rates", ["currency": "CHF", "day": "2026-11-03", "rate": "0,9"])
            let text =
                isXML
                ? "<Cube><Cube time='2026-11-03'><Cube currency='USD' rate='1.25'/><Cube currency='CHF' rate='0.95'/></Cube></Cube>"
                : "Date,USD,CHF,\n2026-11-03,1.25,0.95,\n1999-01-04,1.1789,N/A,\n"
            let answer = try await anna.upload(
                "/expenses/rates/import", field: "file", fileName: "eurofxref", type: "text/plain", Array(text.utf8))
            #expect(answer.location == "/expenses/rates")
            #expect(try owner.query("SELECT amount_minor FROM expense_day").first(Int64.self) == 800)
            let storedRates = try owner.query("SELECT currency, per_euro_millionths FROM exchange_rate ORDER BY 1")
                .decode((String, Int64).self)
            #expect(storedRates.map(\.1) == [900_000, 1_250_000])
            let refusal = try await anna.upload(
                "/expenses/rates/import", field: "file", fileName: "x", type: "text/plain", Array("x".utf8))
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("eurofxref"))
        }
    }

    @Test(.database)
    func `undoing an import of rates removes its new rates and restores the rates that it has replaced`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Hotel", [("day", "2026-11-04"), ("currency", "USD")])
            func upload(_ rows: String) async throws -> String {
                let text = "Date,USD,CHF,\n\(rows)\n"
                _ = try await anna.upload(
                    "/expenses/rates/import", field: "file", fileName: "eurofxref", type: "text/plain", Array(text.utf8)
                )
                let page = try await anna.get("/expenses/rates").text
                let undo = page.firstMatch(of: #/action="(\/expenses\/rates\/import\/removal\?import=[0-9a-f-]{36})"/#)
                return String(try #require(undo).output.1)
            }
            func spentAmount() throws -> Int64? {
                try owner.query("SELECT amount_minor FROM expense_day").first(Int64.self)
            }
            func storedRates() throws -> [Int64] {
                try owner.query("SELECT per_euro_millionths FROM exchange_rate ORDER BY currency, day").decode(
                    Int64.self)
            }
            let first = try await upload("2026-11-03,1.25,0.95,\n2026-11-02,1.3,0.96,")
            #expect(try spentAmount() == 800)
            let second = try await upload("2026-11-04,1.0,0.97,\n2026-11-03,1.6,0.95,")
            #expect(try spentAmount() == 1_000)
            // A rate that a member sets after the import stays.
            _ = try await anna.post("/expenses/rates", ["currency": "CHF", "day": "2026-11-02", "rate": "0,9"])
            #expect(try await anna.post(second).location == "/expenses/rates")
            #expect(try spentAmount() == 800)
            #expect(try storedRates() == [900_000, 950_000, 1_300_000, 1_250_000])
            // The rate of November 3 is no longer part of the first import, because the second import has replaced it.
            _ = try await anna.post(first)
            #expect(try storedRates() == [900_000, 1_250_000])
            _ = try await anna.post(first)
            #expect(try await anna.get("/expenses/rates").text.contains("Schon erledigt."))
            #expect(try await anna.post("/expenses/rates/import/removal").status == .badRequest)
        }
    }

    @Test(.database) func `amounts stay hidden on all pages until a person shows them again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            func isHidden() async throws -> Bool {
                try await anna.get("/expenses").text.contains("class=\"amounts-hidden\"")
            }
            #expect(try await !isHidden())
            #expect(try await anna.post("/expenses/amounts", ["hide": "1", "back": "/budgets"]).location == "/budgets")
            #expect(try await isHidden())
            #expect(try await isHidden())
            #expect(try await anna.post("/expenses/amounts", ["back": "//evil.example/"]).location == "/")
            #expect(try await !isHidden())
        }
    }

    @Test(.database) func `a rate or an amount is refused at its field if the converted amount would be too large`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let caller = try await harness.caller(anna)
            _ = try await anna.post("/settings/region", ["currency": "CHF", "country": "AT", "zone": ""])
            let pairs = [("amount", "100000000"), ("what", "Haus"), ("currency", "EUR")]
            #expect(try await anna.post("/expenses", pairs: pairs + [("day", "2026-11-03")]).status == .seeOther)
            func post(_ day: String) async throws -> Answer {
                try await anna.post("/expenses/rates", ["currency": "CHF", "day": day, "rate": "999999999"])
            }
            func put(_ day: String) async throws -> Answer {
                try await caller.send(
                    .put, "/api/v1/exchange-rates/CHF/\(day)", type: "application/json",
                    Array(#"{"per_euro_millionths": 999999999000000}"#.utf8))
            }
            func field(_ answer: Answer) throws -> String? {
                try answer.json["errors"]?.array?.first?["field"]?.string
            }
            let page = try await post("2026-11-03")
            #expect(page.status == .unprocessableContent && page.text.contains("id=\"rate-error\""))
            let refusal = try await put("2026-11-03")
            #expect(try refusal.status == .unprocessableContent && field(refusal) == "per_euro_millionths")
            #expect(try owner.query("SELECT 1 FROM exchange_rate").isEmpty)

            // No amount is converted with this rate yet.
            #expect(try await put("2026-10-01").status == .created)
            let entryAnswer = try await anna.post("/expenses", pairs: pairs + [("day", "2026-10-02")])
            #expect(entryAnswer.status == .unprocessableContent && entryAnswer.text.contains("id=\"amount-error\""))
            let sentExpense = try await caller.post(
                "/api/v1/expenses",
                #"{"what": "Haus", "amount_minor": 10000000000, "currency": "EUR", "day": "2026-10-02"}"#)
            #expect(try sentExpense.status == .unprocessableContent && field(sentExpense) == "amount_minor")
            #expect(try owner.query("SELECT count(*) FROM expense").first(Int64.self) == 1)
        }
    }
}
