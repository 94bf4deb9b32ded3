import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Expenses without a receipt, which the list shows together with receipts.
@Suite(.timeLimit(.minutes(5))) struct ExpenseTests {
    private func category(_ key: String, _ owner: SynchronousConnection, _ household: HouseholdID) throws -> CategoryID
    {
        try #require(
            try owner.query("SELECT id FROM category WHERE household_id = \(household) AND key = \(key)")
                .first(CategoryID.self))
    }

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
            let gifts = try category("gifts", owner, anna.household)
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

    @Test(.database) func `changing, deleting and restoring an expense updates the sums and the change log`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            func sums() throws -> [String] {
                try owner.query("SELECT flow || ' ' || day || ' ' || amount_minor FROM expense_day ORDER BY 1").decode(
                    String.self)
            }
            let id = try await anna.expense("20", "Kino", [("day", "2026-03-01")])
            #expect(try sums() == ["spending 2026-03-01 2000"])
            let moveAnswer = try await anna.post(
                "/expenses/\(id)",
                ["amount": "25", "what": "Kino", "day": "2026-04-02", "revision": "1", "kind": "refund"])
            #expect(moveAnswer.status == .seeOther)
            #expect(try sums() == ["spending 2026-04-02 -2500"])
            let removalAnswer = try await anna.post("/expenses/\(id)/removal", ["revision": "2"])
            #expect(removalAnswer.location == "/expenses/list")
            #expect(try sums() == [])
            #expect(try await !anna.get("/expenses/list?month=2026-04").text.contains("Kino"))
            #expect(try await anna.post("/expenses/\(id)/restoration").status == .seeOther)
            #expect(try sums() == ["spending 2026-04-02 -2500"])
            let loggedRevisions = try owner.query(
                "SELECT revision FROM change_log WHERE document_type = 'expense' ORDER BY seq"
            ).decode(Int64.self)
            #expect(loggedRevisions == [1, 2, 3, 4])
        }
    }

    @Test(.database) func `changes of different fields are merged, and changes of the same field conflict`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("20", "Kino", [("day", "2026-03-01")])
            let base: [(String, String)] = [("amount", "20"), ("day", "2026-03-01"), ("revision", "1")]
            let firstAnswer = try await anna.post(
                "/expenses/\(id)", pairs: base + [("what", "Theater"), ("paid-by", "\(anna.person)")])
            #expect(firstAnswer.status == .seeOther)
            let secondAnswer = try await paul.post(
                "/expenses/\(id)",
                pairs: base + [("what", "Kino"), ("note", "mit Popcorn"), ("paid-by", "\(anna.person)")])
            #expect(secondAnswer.status == .seeOther)
            let storedExpense = try harness.owner().query("SELECT what, note FROM expense").first((String, String).self)
            #expect(try #require(storedExpense) == ("Theater", "mit Popcorn"))
            let thirdAnswer = try await paul.post(
                "/expenses/\(id)", pairs: base + [("what", "Oper"), ("paid-by", "\(anna.person)")])
            #expect(thirdAnswer.status == .conflict && thirdAnswer.text.contains("Oper"))
        }
    }

    @Test(.database) func `an expense that was changed in the meantime is not deleted, and its page says so`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("20", "Kino", [("day", "2026-03-01")])
            let changeAnswer = try await paul.post(
                "/expenses/\(id)", ["amount": "20", "what": "Theater", "day": "2026-03-01", "revision": "1"])
            #expect(changeAnswer.status == .seeOther)
            let refusal = try await anna.post("/expenses/\(id)/removal", ["revision": "1"])
            #expect(refusal.status == .conflict && refusal.text.contains("Theater"))
            #expect(try harness.owner().query("SELECT 1 FROM expense WHERE discarded_at IS NOT NULL").isEmpty)
        }
    }

    @Test(.database) func `suggests the newest chosen categories if there are more than the limit`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let gifts = ("category", "\(try category("gifts", try harness.owner(), anna.household))")
            for (what, day) in [("Adventkranz", "2026-01-01"), ("Zirkus", "2026-02-01"), ("Museum", "2026-01-15")] {
                _ = try await anna.expense("5", what, [("day", day), gifts])
            }
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let rows = try await harness.database.read(
                member.household, ExpenseSuggestions.choicesQuery(member, most: 2))
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

    @Test(.database) func `the form of an expense has one button that saves, the main one`() async throws {
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

    @Test(.database) func `several selected expenses are given a category or labels, or are deleted, by one request`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (one, two) = (try await anna.expense("1", "Eins"), try await anna.expense("2", "Zwei"))
            let leisure = try category("leisure", owner, anna.household)
            func post(_ action: String, _ more: [(String, String)] = []) async throws -> Answer {
                try await anna.post(
                    "/expenses/changes",
                    pairs: [("expense", "\(one)"), ("expense", "\(two)"), ("action", action)] + more)
            }
            #expect(try await post("category", [("category", "\(leisure)")]).status == .seeOther)
            #expect(
                try owner.query("SELECT count(*) FROM expense WHERE category_id = \(leisure)").first(Int64.self) == 2)
            #expect(try await post("label", [("labels", "rot, blau")]).status == .seeOther)
            #expect(try owner.query("SELECT DISTINCT labels FROM expense").first([String].self) == ["rot", "blau"])
            #expect(try await post("remove").status == .seeOther)
            #expect(try owner.query("SELECT 1 FROM expense_day").isEmpty)
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            let foreign = try await stranger.post("/expenses/changes", ["expense": "\(one)", "action": "remove"])
            #expect(foreign.status == .notFound)
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
            // The rate of Thursday, three days earlier, applies, because there is none for the weekend.
            _ = try await anna.post("/expenses/rates", ["currency": "USD", "day": "2026-03-05", "rate": "1,1"])
            _ = try await anna.expense("220 USD", "Hotel", [("day", "2026-03-08")])
            #expect(
                try owner.query("SELECT amount_minor FROM expense_day WHERE day = '2026-03-08'").first(Int64.self)
                    == 20_000)
        }
    }

    @Test(.database) func `the signs of both amounts of a refund are ignored, and income has no minus`() async throws {
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

    @Test(.database) func `an expense that a former member paid keeps its payer`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            _ = try await harness.join(anna, as: .member, name: "Eva Gruber")
            let owner = try harness.owner()
            let id = try await anna.expense("30", "Kino", [("paid-by", "\(paul.person)")])
            _ = try await anna.expense("10", "Zoo", [("paid-by", "")])
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            let option = "<option value=\"\(paul.person)\" selected>Paul Huber"
            #expect(try await anna.get("/expenses/\(id)").text.contains(option))
            #expect(try await anna.get("/expenses/\(id)/split").text.contains(option))
            let saveAnswer = try await anna.post(
                "/expenses/\(id)",
                ["amount": "31", "what": "Kino", "paid-by": "\(paul.person)", "revision": "1"])
            #expect(saveAnswer.status == .seeOther)
            let split = try await anna.post(
                "/expenses/\(id)/split",
                ["method": "equal", "with-\(anna.person)": "1", "paid-by": "\(paul.person)", "revision": "2"])
            #expect(split.location == "/balances")
            let payer = try owner.query("SELECT paid_by FROM expense WHERE id = \(id)").first(PersonID.self)
            #expect(payer == paul.person)
            // The dashboard names the former member, and links to the expenses without a payer.
            let dashboard = try await anna.get("/expenses").text
            #expect(dashboard.contains("Paul Huber") && dashboard.contains("member=\(ExpenseFilter.nobody)"))
            let list = try await anna.get("/expenses/list?member=\(ExpenseFilter.nobody)").text
            #expect(list.contains("Zoo") && !list.contains("Kino"))
        }
    }

    @Test(.database) func `a category with expenses is deleted only by a merge, which moves them`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Kino")
            let (leisure, travel) = (
                try category("leisure", owner, anna.household), try category("travel", owner, anna.household)
            )
            let refusal = try await anna.post("/settings/categories/\(leisure)/removal", ["revision": "1"])
            #expect(refusal.status == .unprocessableContent)
            let mergeAnswer = try await anna.post(
                "/settings/categories/\(leisure)/removal", ["revision": "1", "other-category": "\(travel)"])
            #expect(mergeAnswer.status == .seeOther)
            #expect(try owner.query("SELECT category_id FROM expense_day").first(CategoryID.self) == travel)
            #expect(
                try owner.query("SELECT max(revision) FROM change_log WHERE document_type = 'expense'").first(
                    Int64.self) == 2)
        }
    }
}
