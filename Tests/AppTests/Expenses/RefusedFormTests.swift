import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Forms that are shown again with errors.
@Suite(.timeLimit(.minutes(5))) struct RefusedFormTests {
    private static let forms: [(String, String, [(String, String)], String)] = [
        ("/budgets", "budget", [("name", "Alles"), ("period", "month")], "amount"),
        ("/goals", "savings_goal", [("name", "Urlaub"), ("until", "2099-01-01")], "amount"),
        ("/recurring", "recurring_expense", [("name", "Miete"), ("day", "2026-11-01")], "amount"),
        ("/rules", "expense_rule", [("contains", "Shell"), ("labels", "Auto"), ("action", "save")], "least"),
        ("/wines", "wine", [("name", "Riesling")], "price"),
    ]

    @Test(.database, arguments: forms)
    func `a form with an error keeps its revision, so that it overwrites no later change`(
        path: String, table: String, fields: [(String, String)], number: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.post(path, pairs: fields + [(number, "10")])
            let row = try harness.owner().query(SQL(uncheckedText: "SELECT id::text FROM \(table)"))
            let id = try #require(try row.first(String.self))
            let form = "\(path)/\(id)"
            func save(_ value: String, revision: String) async throws -> Answer {
                try await anna.post(form, pairs: fields + [(number, value), ("revision", revision)])
            }
            // Another tab has changed the document since the form was shown.
            #expect(try await save("20", revision: "1").status == .seeOther)
            let refusal = try await save("x", revision: "1")
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("name=\"revision\" value=\"1\""))
            let conflict = try await save("30", revision: "1")
            #expect(conflict.status == .conflict && conflict.text.contains("name=\"revision\" value=\"2\""))
        }
    }

    @Test(.database) func `an expense that is corrected after an error keeps a change that was made in the meantime`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let id = try await anna.expense("5", "Kino", [("day", "2026-03-01")])
            func save(_ amount: String, _ note: String, revision: String) async throws -> Answer {
                try await anna.post(
                    "/expenses/\(id)",
                    ["amount": amount, "what": "Kino", "day": "2026-03-01", "note": note, "revision": revision])
            }
            #expect(try await save("5", "mit Paul", revision: "1").status == .seeOther)
            let refusal = try await save("x", "", revision: "1")
            let shownRevision = try #require(refusal.text.firstMatch(of: #/name="revision" value="([0-9]+)"/#)).output.1
            #expect(try await save("6", "", revision: String(shownRevision)).status == .seeOther)
            let storedExpense = try harness.owner().query("SELECT amount_minor, note FROM expense").first(
                (Int64, String).self)
            #expect(storedExpense?.0 == 600 && storedExpense?.1 == "mit Paul")
        }
    }

    @Test(.database) func `a refused payment keeps its people and its amount; a new form has two different people`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            func selectedPeople(_ page: String) -> [String] {
                page.matches(of: #/<option value="([0-9a-f-]{36})" selected>/#).map { String($0.output.1) }
            }
            let page = try await anna.get("/balances").text
            #expect(selectedPeople(page) == [anna.person.description, paul.person.description])
            let refusal = try await anna.post(
                "/settlements",
                [
                    "from-person": "\(paul.person)", "to-person": "\(anna.person)", "amount": "12,x",
                    "currency": "EUR",
                ])
            #expect(refusal.status == .unprocessableContent)
            #expect(selectedPeople(refusal.text) == [paul.person.description, anna.person.description])
            #expect(refusal.text.contains("name=\"amount\" value=\"12,x\""))
        }
    }

    @Test(.database)
    func `the pages of personal expenses and cash withdrawals offer no split, because it would be refused`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for (more, isOffered) in [([], true), ([("personal", "1")], false), ([("kind", "withdrawal")], false)]
                as [([(String, String)], Bool)]
            {
                let id = try await anna.expense("9", "Pizza", more)
                let page = try await anna.get("/expenses/\(id)").text
                #expect(page.contains("/expenses/\(id)/split") == isOffered)
            }
        }
    }

    @Test(.database) func `a split with an error keeps the chosen payer`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("9", "Pizza", [("day", "2026-03-01")])
            let refusal = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [
                    ("method", "percent"), ("with-\(anna.person)", "1"), ("value-\(anna.person)", "10"),
                    ("paid-by", "\(paul.person)"), ("revision", "1"),
                ])
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("<option value=\"\(paul.person)\" selected>"))
            #expect(!refusal.text.contains("<option value=\"\(anna.person)\" selected>"))
        }
    }

    @Test(.database) func `a split with an error keeps its revision`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("9", "Pizza", [("day", "2026-03-01")])
            func split(_ method: String, _ value: String) async throws -> Answer {
                let people = [anna, paul].flatMap { [("with-\($0.person)", "1"), ("value-\($0.person)", value)] }
                return try await anna.post(
                    "/expenses/\(id)/split", pairs: people + [("method", method), ("revision", "1")])
            }
            #expect(try await split("equal", "").location == "/balances")
            let refusal = try await split("percent", "10")
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("name=\"revision\" value=\"1\""))
            #expect(try await split("percent", "50").status == .conflict)
        }
    }
}
