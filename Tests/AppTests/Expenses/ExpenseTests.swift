import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Expenses without a receipt. The list of expenses also shows receipts.
@Suite(.timeLimit(.minutes(5))) struct ExpenseTests {
    @Test(.database)
    func `an expense needs only an amount and a text; the category chosen earlier for the text is suggested`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await anna.expense("12,50", "Pizza")
            let storedExpense = try owner.query(
                "SELECT c.key, e.amount_minor, e.day = current_date FROM expense e JOIN category c ON c.id = e.category_id"
            )
            let row = try #require(try storedExpense.first((String, Int64, Bool).self))
            #expect(row.0 == "dining" && row.1 == 1_250)
            let list = try await anna.get("/expenses/list")
            #expect(list.text.contains("Pizza") && list.text.contains("12,50 €"))
            #expect(try await anna.get("/expenses").text.contains("Restaurant &amp; Café"))
            // The person chooses another category for the same text.
            let gifts = try owner.category("gifts")
            let changeAnswer = try await anna.post(
                "/expenses/\(id)", ["amount": "12,50", "what": "Pizza", "revision": "1", "category": "\(gifts)"])
            #expect(changeAnswer.status == .seeOther)
            _ = try await anna.expense("9", "Pizza 2")
            let keys = try owner.query(
                "SELECT c.key FROM expense e JOIN category c ON c.id = e.category_id ORDER BY e.id"
            ).decode(String.self)
            #expect(keys == ["gifts", "gifts"])
            let suggestion = try await anna.get("/expenses/suggestion?what=pizza")
            #expect(suggestion.text.contains("früher so gewählt: Pizza"))
            #expect(
                try await anna.get("/expenses/suggestion?what=Netflix").text.contains("bekannter Empfänger: Netflix"))
            #expect(try await anna.get("/expenses/suggestion?what=qwrtz").text == "{}")
        }
    }

    @Test(
        .database,
        arguments: [
            ("", "Pizza", "amount"), ("0", "Pizza", "amount"), ("x", "Pizza", "amount"), ("12", "", "what"),
            ("1e9", "Pizza", "amount"), ("99999999999999", "Pizza", "amount"),
        ])
    func `a form without a valid amount or without a text is shown again with the error`(
        amount: String, what: String, field: String
    )
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/expenses", ["amount": amount, "what": what])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("id=\"\(field)-error\""))
            #expect(try harness.owner().query("SELECT 1 FROM expense").isEmpty)
        }
    }

    @Test(.database) func `suggests the categories that were chosen last if more were chosen than the limit`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let gifts = ("category", "\(try harness.owner().category("gifts"))")
            for (what, day) in [("Adventkranz", "2026-01-01"), ("Zirkus", "2026-02-01"), ("Museum", "2026-01-15")] {
                _ = try await anna.expense("5", what, [("day", day), gifts])
            }
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let rows = try await harness.database.read(
                member.household, ExpenseSuggestions.choicesQuery(member, maximum: 2))
            #expect(try ExpenseSuggestions.choices(rows).map(\.key) == ["zirkus", "museum"])
        }
    }

    @Test(.database) func `a personal expense is in no other member's list, sum, search or suggestion`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .owner)
            let id = try await anna.expense("77,77", "Geheimkauf", [("personal", "1"), ("labels", "Heimlich")])
            for path in [
                "/expenses", "/expenses/list", "/expenses/list?search=Geheimkauf", "/expenses/list?search=Geheimkouf",
                "/expenses/suggestion?what=Geheimkauf", "/expenses?period=year", "/",
            ] {
                let text = try await paul.get(path).text
                #expect(
                    !text.contains("Geheimkauf</") && !text.contains("77,77") && !text.contains("Heimlich"), "\(path)")
            }
            #expect(try await paul.get("/expenses/\(id)").status == .notFound)
            #expect(try await paul.post("/expenses/\(id)/removal").status == .notFound)
            #expect(try await anna.get("/expenses").text.contains("77,77"))
            #expect(try await anna.get("/expenses/list?search=Geheimkouf").text.contains("Geheimkauf"))
        }
    }

    @Test(.database) func `the list can be filtered, tolerates typing errors in searches, and sums up a month`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("100", "Stromrechnung", [("day", "2026-03-05")])
            _ = try await anna.expense("30", "Kino", [("day", "2026-03-06"), ("labels", "Freunde")])
            _ = try await anna.expense("2000", "Gehalt", [("day", "2026-03-01"), ("kind", "income")])
            try await anna.importTable([("Milch", "1,50", "2026-03-07", "SPAR")])
            let month = try await anna.get("/expenses/list?month=2026-03")
            #expect(month.text.contains("131,50") && month.text.contains("2.000,00"))
            #expect(month.text.contains("SPAR"))
            let typo = try await anna.get("/expenses/list?search=Stromrechnug")
            #expect(typo.text.contains("Stromrechnung") && !typo.text.contains("Kino"))
            let label = try await anna.get("/expenses/list?label=Freunde")
            #expect(label.text.contains(">Kino<") && !label.text.contains(">Stromrechnung<"))
            #expect(try await anna.get("/expenses/list?search=qqqqqqqq").text.contains("Keine Ausgaben gefunden"))
        }
    }

    @Test(.database) func `the main button of the form of an expense is its only button that saves`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let id = try await anna.expense("30", "Kino")
            for path in ["/expenses/new", "/expenses/\(id)"] {
                let page = try await anna.get(path).text
                #expect(page.ranges(of: "Speichern</button>").count == 1, "\(path)")
                #expect(page.ranges(of: "class=\"button main\"").count == 1, "\(path)")
            }
        }
    }

    @Test(.database) func `the title of a year's expenses is the year`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("30", "Kino")
            let page = try await anna.get("/expenses?period=year").text
            #expect(page.contains(#/<h2 id="spent">20[0-9]{2}<\/h2>/#))
        }
    }

    @Test(.database)
    func `a foreign amount counts with its stated euro amount or at a known rate; a missing rate is reported`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await anna.expense("110 USD", "Hotel", [("day", "2026-03-07")])
            #expect(try owner.query("SELECT 1 FROM expense_day").isEmpty)
            #expect(try await anna.get("/expenses/list?month=2026-03").text.contains("kein Wechselkurs"))
            let stated = try await anna.post(
                "/expenses/\(id)",
                [
                    "amount": "110", "what": "Hotel", "currency": "USD", "stated": "99,90", "day": "2026-03-07",
                    "revision": "1",
                ])
            #expect(stated.status == .seeOther)
            #expect(try owner.query("SELECT amount_minor FROM expense_day").first(Int64.self) == 9_990)
            // The rate of Thursday, three days earlier, applies, because no later rate is known.
            _ = try await anna.post("/expenses/rates", ["currency": "USD", "day": "2026-03-05", "rate": "1,1"])
            _ = try await anna.expense("220 USD", "Hotel", [("day", "2026-03-08")])
            #expect(
                try owner.query("SELECT amount_minor FROM expense_day WHERE day = '2026-03-08'").first(Int64.self)
                    == 20_000)
        }
    }

    @Test(.database) func `ignores the signs of both amounts of a refund, and refuses a negative income or withdrawal`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("-110 USD", "Hotel", [("day", "2026-03-07"), ("stated", "-99,90")])
            let storedExpense = try owner.query("SELECT kind, amount_minor, stated_minor, stated_currency FROM expense")
                .first((String, Int64, Int64, String).self)
            let refund = try #require(storedExpense)
            #expect(refund.0 == "refund" && refund.1 == 11_000 && refund.2 == 9_990 && refund.3 == "EUR")
            let refused: [(KeyValuePairs<String, String>, String)] = [
                (["amount": "-50", "what": "Lohn", "kind": "income"], "amount-error"),
                (["amount": "-50", "what": "Bankomat", "kind": "withdrawal"], "amount-error"),
                (["amount": "50", "what": "Hotel", "currency": "USD", "stated": "45 CHF"], "stated-error"),
            ]
            for (fields, error) in refused {
                let answer = try await anna.post("/expenses", fields)
                #expect(answer.status == .unprocessableContent && answer.text.contains(error))
            }
            #expect(try owner.query("SELECT count(*) FROM expense").first(Int64.self) == 1)
        }
    }
}
