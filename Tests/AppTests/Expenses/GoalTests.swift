import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct GoalTests {
    /// Adds a goal of 1,000 euros and returns its id. The database must not contain another goal.
    private func goal(_ browser: Browser, _ owner: SynchronousConnection) async throws -> SavingsGoalID {
        let answer = try await browser.post("/goals", ["name": "Urlaub", "amount": "1000", "until": "2099-01-01"])
        try #require(answer.status == .seeOther)
        return try #require(try owner.query("SELECT id FROM savings_goal").first(SavingsGoalID.self))
    }

    @Test(.database) func `a goal shows the amount needed each month; deposits can be added and removed`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let until = WallClock.today().month.adding(9).firstDay.iso
            let creationAnswer = try await anna.post("/goals", ["name": "Urlaub", "amount": "1000", "until": until])
            #expect(creationAnswer.location == "/budgets")
            #expect(try await anna.get("/budgets").text.contains("100,00 € im Monat"))
            let id = try #require(try owner.query("SELECT id FROM savings_goal").first(SavingsGoalID.self))
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "600", "action": "put"])
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "100", "action": "take"])
            let page = try await anna.get("/goals/\(id)").text
            #expect(page.contains("500,00 € von 1.000,00 €") && page.contains("50,00 € im Monat"))
            let refusal = try await anna.post("/goals/\(id)/deposits", ["amount": "x"])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("deposit-error"))
            let deposit = try #require(
                try owner.query("SELECT id FROM savings_deposit WHERE amount_minor < 0").first(SavingsDepositID.self))
            for _ in 0..<2 {
                let removalAnswer = try await anna.post("/goals/\(id)/deposits/removal", ["deposit": "\(deposit)"])
                #expect(removalAnswer.location == "/goals/\(id)")
            }
            #expect(try await anna.get("/goals/\(id)").text.contains("600,00 € von 1.000,00 €"))
            let stale = try await anna.post(
                "/goals/\(id)", ["name": "Reise", "amount": "1", "until": until, "revision": "1"])
            #expect(stale.status == .conflict)
            let revision = try #require(try owner.query("SELECT revision FROM savings_goal").first(Int64.self))
            for _ in 0..<2 {
                #expect(
                    try await anna.post("/goals/\(id)/removal", ["revision": "\(revision)"]).location == "/budgets")
            }
            let loggedDeletions = try owner.query(
                "SELECT deleted FROM change_log WHERE document_type = 'savings_goal' ORDER BY seq"
            ).decode(Bool.self)
            #expect(loggedDeletions == [false, false, false, false, true])
        }
    }

    @Test(.database) func `a deposit shows who made it, also after that person has left the household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await goal(anna, try harness.owner())
            _ = try await paul.post("/goals/\(id)/deposits", ["amount": "600", "action": "put"])
            _ = try await anna.post("/settings/members/\(paul.person)/removal")
            #expect(try await anna.get("/goals/\(id)").text.contains("· Paul Huber"))
        }
    }

    @Test(.database) func `deleting a deposit or a goal with its deposits can be undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await goal(anna, owner)
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "600", "action": "put"])
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "100", "action": "take"])
            let deposit = try #require(
                try owner.query("SELECT id FROM savings_deposit WHERE amount_minor > 0").first(SavingsDepositID.self))
            _ = try await anna.post("/goals/\(id)/deposits/removal", ["deposit": "\(deposit)"])
            let undo = "/goals/\(id)/deposits/\(deposit)/restoration"
            #expect(try await anna.get("/goals/\(id)").text.contains("action=\"\(undo)\""))
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/goals/\(id)") }
            #expect(try await anna.get("/goals/\(id)").text.contains("500,00 € von 1.000,00 €"))
            let unknownDeposit = "/goals/\(id)/deposits/\(SavingsDepositID.new())/restoration"
            #expect(try await anna.post(unknownDeposit).status == .notFound)
            let revision = try #require(try owner.query("SELECT revision FROM savings_goal").first(Int64.self))
            _ = try await anna.post("/goals/\(id)/removal", ["revision": "\(revision)"])
            #expect(try await anna.get("/budgets").text.contains("action=\"/goals/\(id)/restoration\""))
            for _ in 0..<2 { #expect(try await anna.post("/goals/\(id)/restoration").location == "/budgets") }
            #expect(try await anna.get("/budgets").text.contains("500,00 € von 1.000,00 €"))
            #expect(try owner.query("SELECT 1 FROM savings_goal").count == 1)
        }
    }

    @Test(.database) func `no more can be withdrawn than was saved`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await goal(anna, owner)
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "60", "action": "put"])
            let refusal = try await anna.post("/goals/\(id)/deposits", ["amount": "60,01", "action": "take"])
            #expect(
                refusal.status == .unprocessableContent
                    && refusal.text.contains("So viel haben Sie nicht zurückgelegt."))
            let caller = try await harness.caller(anna)
            let withdrawal = Array(#"{"amount_minor": -6001}"#.utf8)
            let problem = try await caller.send(
                .post, "/api/v1/goals/\(id)/deposits", type: "application/json", withdrawal, fields: ["If-Match": "*"])
            #expect(problem.status == .unprocessableContent)
            let all = try await anna.post("/goals/\(id)/deposits", ["amount": "60", "action": "take"])
            #expect(all.location == "/goals/\(id)")
            #expect(try owner.query("SELECT 1 FROM savings_deposit").count == 2)
        }
    }

    @Test(.database) func `a goal is shown as overdrawn and without a bar if the withdrawals exceed the deposits`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await goal(anna, owner)
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "60", "action": "put"])
            _ = try await anna.post("/goals/\(id)/deposits", ["amount": "20", "action": "take"])
            let pages = ["/goals/\(id)", "/budgets"]
            for path in pages {
                let page = try await anna.get(path).text
                #expect(page.contains("budget-bar") && !page.contains("Überzogen"), "\(path)")
            }
            let deposit = try #require(
                try owner.query("SELECT id FROM savings_deposit WHERE amount_minor > 0").first(SavingsDepositID.self))
            _ = try await anna.post("/goals/\(id)/deposits/removal", ["deposit": "\(deposit)"])
            for path in pages {
                let page = try await anna.get(path).text
                #expect(page.contains("Überzogen: Es wurden 20,00 € mehr entnommen als zurückgelegt."), "\(path)")
                #expect(!page.contains("budget-bar"), "\(path)")
            }
        }
    }

    @Test(.database, arguments: [("", "100", "name-error"), ("A", "0", "amount-error"), ("A", "x", "amount-error")])
    func `a goal needs a name and an amount`(name: String, amount: String, error: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/goals", ["name": name, "amount": amount, "until": "2099-01-01"])
            #expect(answer.status == .unprocessableContent && answer.text.contains(error))
            let past = try await anna.post("/goals", ["name": "A", "amount": "5", "until": "2020-01-01"])
            #expect(past.status == .unprocessableContent && past.text.contains("until-error"))
        }
    }

    @Test(.database) func `a goal whose date has passed can be renamed, and withdrawals are entered without a sign`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await goal(anna, owner)
            try owner.query("UPDATE savings_goal SET starts_on = '2020-01-01', until = '2020-06-01'")
            let fields: KeyValuePairs = ["name": "Reise", "amount": "1000", "until": "2020-06-01", "revision": "1"]
            #expect(try await anna.post("/goals/\(id)", fields).location == "/budgets")
            let otherAnswer = try await anna.post(
                "/goals/\(id)", ["name": "Reise", "amount": "1000", "until": "2020-06-02", "revision": "2"])
            #expect(otherAnswer.status == .unprocessableContent && otherAnswer.text.contains("until-error"))
            let withdrawalAnswer = try await anna.post("/goals/\(id)/deposits", ["amount": "-100", "action": "take"])
            #expect(withdrawalAnswer.status == .unprocessableContent)
            #expect(try owner.query("SELECT 1 FROM savings_deposit").isEmpty)
        }
    }

    @Test(.database) func `a household can have a limited number of goals`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let until = WallClock.today().adding(days: 100)
            for number in 1...StoredGoal.maximumGoals {
                try await GoalEdits(database: harness.database).add(
                    StoredGoal.Values(name: "Ziel \(number)", target: 10_000, until: until), today: WallClock.today(),
                    by: member)
            }
            let refusal = try await anna.post("/goals", ["name": "Reise", "amount": "100", "until": until.iso])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("höchstens 100 Sparziele"))
        }
    }
}
