import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct BudgetTests {
    @Test(.database) func `a budget shows the remaining amount, and a new limit does not change earlier periods`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            #expect(try await anna.get("/budgets").text.contains("Noch keine Budgets"))
            let creationAnswer = try await anna.post("/budgets", ["name": "Alles", "amount": "100", "period": "year"])
            #expect(creationAnswer.location == "/budgets")
            _ = try await anna.expense("85", "Kino")
            let page = try await anna.get("/budgets")
            #expect(page.text.contains("fast aufgebraucht") && page.text.contains("15,00"))
            _ = try await anna.expense("20", "Theater")
            #expect(try await anna.get("/budgets").text.contains("aufgebraucht"))
            let id = try #require(try owner.query("SELECT id FROM budget").first(BudgetID.self))
            try owner.query("UPDATE budget_limit SET valid_from = '2020-01-01'")
            try owner.query("UPDATE budget SET starts_on = '2020-01-01'")
            let changeAnswer = try await anna.post(
                "/budgets/\(id)", ["name": "Alles", "amount": "200", "period": "year", "revision": "1"])
            #expect(changeAnswer.status == .seeOther)
            #expect(
                try owner.query("SELECT limit_minor FROM budget_limit ORDER BY valid_from").decode(Int64.self) == [
                    10_000, 20_000,
                ])
            #expect(try await anna.get("/budgets/\(id)").text.contains("Frühere Obergrenzen"))
            let stale = try await anna.post(
                "/budgets/\(id)", ["name": "Anders", "amount": "1", "revision": "1"])
            #expect(stale.status == .conflict)
            let twice = try await anna.post("/budgets", ["name": "Alles", "amount": "1"])
            #expect(twice.status == .unprocessableContent && twice.text.contains("Diesen Namen gibt es schon"))
            for _ in 0..<2 {
                #expect(try await anna.post("/budgets/\(id)/removal", ["revision": "2"]).location == "/budgets")
            }
            let loggedDeletions = try owner.query(
                "SELECT deleted FROM change_log WHERE document_type = 'budget' ORDER BY seq"
            ).decode(Bool.self)
            #expect(loggedDeletions == [false, false, true])
        }
    }

    @Test(.database) func `a budget of a former member shows the person's name and stays a budget of that person`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let paul = try await harness.join(anna, as: .member)
            _ = try await anna.post("/budgets", ["name": "Taschengeld", "amount": "50", "person": "\(paul.person)"])
            _ = try await anna.post("/settings/members/\(paul.person)/removal")
            #expect(try await anna.get("/budgets").text.contains("Paul Huber"))
            let id = try #require(try owner.query("SELECT id FROM budget").first(BudgetID.self))
            let page = try await anna.get("/budgets/\(id)").text
            #expect(page.contains("<option value=\"\(paul.person)\" selected>Paul Huber</option>"))
            let renameAnswer = try await anna.post(
                "/budgets/\(id)",
                ["name": "Anderes", "amount": "50", "person": "\(paul.person)", "revision": "1"])
            #expect(renameAnswer.location == "/budgets")
            #expect(try owner.query("SELECT person_id FROM budget").first(PersonID.self) == paul.person)
            let otherAnswer = try await anna.post(
                "/budgets", ["name": "Neues", "amount": "50", "person": "\(paul.person)"])
            #expect(otherAnswer.status == .badRequest)
        }
    }

    @Test(.database) func `deleting a budget is undone once, with its limits, unless its name is taken`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            func add(_ name: String) async throws -> BudgetID {
                _ = try await anna.post("/budgets", ["name": "\(name)", "amount": "100", "period": "month"])
                return try #require(try owner.query("SELECT id FROM budget WHERE name = \(name)").first(BudgetID.self))
            }
            let id = try await add("Alles")
            try owner.query("INSERT INTO budget_limit SELECT household_id, id, '2020-01-01', 5000 FROM budget")
            _ = try await anna.post(
                "/budgets/\(id)", ["name": "Haushalt", "amount": "150", "period": "month", "revision": "1"])
            let undo = "/budgets/\(id)/restoration"
            #expect(try await anna.post(undo).location == "/budgets")
            _ = try await anna.post("/budgets/\(id)/removal", ["revision": "2"])
            #expect(try await anna.get("/budgets").text.contains("action=\"\(undo)\""))
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/budgets") }
            let restoredBudgets = try owner.query("SELECT id, name FROM budget").decode((BudgetID, String).self)
            #expect(restoredBudgets.map(\.1) == ["Haushalt"])
            let limits = try owner.query("SELECT limit_minor FROM budget_limit ORDER BY valid_from").decode(Int64.self)
            #expect(limits == [5_000, 15_000])
            // Another budget gets the name of the deleted budget.
            let other = try #require(restoredBudgets.first?.0)
            _ = try await anna.post("/budgets/\(other)/removal", ["revision": "1"])
            _ = try await add("Haushalt")
            _ = try await anna.post("/budgets/\(other)/restoration")
            #expect(try await anna.get("/budgets").text.contains("nicht mehr rückgängig machen"))
            #expect(try owner.query("SELECT 1 FROM budget").count == 1)
            #expect(try await anna.post("/budgets/\(BudgetID.new())/restoration").status == .notFound)
        }
    }

    @Test(.database, arguments: [("year", 1, "2027-01-01"), ("month", 28, "2026-11-28")] as [(String, Int32, String)])
    func `a new limit applies to all later periods if the periods change too`(
        period: String, startDay: Int32, later: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = SyncScene(harness, anna).member
            let edits = BudgetEdits(database: harness.database)
            let today = try #require(LocalDate(parsing: "2026-11-26"))
            func values(_ limit: Int64, _ period: String, _ startDay: Int32) -> BudgetForm.Values {
                BudgetForm.Values(
                    name: "Alles", limit: limit, category: nil, person: nil, period: period, startDay: startDay,
                    rollsOver: false)
            }
            let id = try await edits.add(values(50_000, "month", 1), today: today, by: member)
            try await edits.update(id, values(60_000, period, startDay), revision: 1, today: today, by: member)
            let rows = try harness.owner().query(StoredBudget.query(anna.household))
            let budget = try #require(try rows.decode(StoredBudget.self).first)
            let first = try #require(LocalDate(parsing: later))
            #expect(budget.limit(from: first) == 60_000)
        }
    }

    @Test(.database) func `a limit that a client stored for a later period is kept`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = SyncScene(harness, anna).member
            let edits = BudgetEdits(database: harness.database)
            let today = try #require(LocalDate(parsing: "2026-11-26"))
            func values(_ name: String) -> BudgetForm.Values {
                BudgetForm.Values(
                    name: name, limit: 50_000, category: nil, person: nil, period: "month", startDay: 1,
                    rollsOver: false)
            }
            let id = try await edits.add(values("Alles"), today: today, by: member)
            let owner = try harness.owner()
            try owner.query(
                """
                INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
                VALUES (\(anna.household), \(id), '2027-01-01', 60000)
                """)
            try await edits.update(id, values("Haushalt"), revision: 1, today: today, by: member)
            let limits = try owner.query("SELECT limit_minor FROM budget_limit ORDER BY valid_from").decode(Int64.self)
            #expect(limits == [50_000, 60_000])
        }
    }

    @Test(.database, arguments: ["", "0", "-5", "x", "5 USD"])
    func `a budget needs a limit in the household's currency`(amount: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/budgets", ["name": "Alles", "amount": amount])
            #expect(answer.status == .unprocessableContent && answer.text.contains("amount-error"))
        }
    }

    @Test(.database) func `a household can have a limited number of budgets, all of which are shown`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let edits = BudgetEdits(database: harness.database)
            for number in 1...StoredBudget.maximumBudgets {
                let values = BudgetForm.Values(
                    name: "Budget \(number)", limit: 10_000, category: nil, person: nil, period: "month", startDay: 1,
                    rollsOver: false)
                _ = try await edits.add(values, today: WallClock.today(), by: member)
            }
            let refusal = try await anna.post("/budgets", ["name": "Noch eines", "amount": "100"])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("höchstens 200 Budgets"))
            let caller = try await harness.caller(anna)
            let otherAnswer = try await caller.post("/api/v1/budgets", #"{"name": "Noch eines", "limit_minor": 100}"#)
            #expect(otherAnswer.status == .conflict, "\(otherAnswer.text)")
            #expect(try await caller.get("/api/v1/budgets").json["budgets"]?.array?.count == 200)
        }
    }
}
