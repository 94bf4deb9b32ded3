import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Pages and exports with amounts tell members with the same name apart by their e-mail addresses.
@Suite(.timeLimit(.minutes(5))) struct PersonNameTests {
    @Test(.database) func `members with the same name are shown with their e-mail addresses`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let pauls = [
                try await harness.join(anna, as: .member),
                try await harness.join(anna, as: .member, name: "paul huber"),
            ]
            let owner = try harness.owner()
            for paul in pauls { _ = try await anna.expense("30", "Kino", [("paid-by", "\(paul.person)")]) }
            for paul in pauls {
                let login = try #require(
                    try owner.query("SELECT login FROM person WHERE id = \(paul.person)").first(String.self))
                for path in ["/expenses/new", "/expenses", "/expenses/list", "/balances"] {
                    #expect(try await anna.get(path).text.contains("(\(login))"), "\(path)")
                }
            }
            let page = try await anna.get("/expenses/new").text
            #expect(page.contains(">Anna Berger<") && !page.contains("Anna Berger ("))
        }
    }

    @Test(.database) func `budgets, deposits and exports tell members with the same name apart`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let pauls = [
                try await harness.join(anna, as: .member), try await harness.join(anna, as: .member),
            ]
            let owner = try harness.owner()
            _ = try await anna.post("/goals", ["name": "Urlaub", "amount": "1000", "until": "2099-01-01"])
            let goal = try #require(try owner.query("SELECT id FROM savings_goal").first(SavingsGoalID.self))
            for (index, paul) in pauls.enumerated() {
                _ = try await anna.post(
                    "/budgets", ["name": "Budget \(index)", "amount": "50", "person": "\(paul.person)"])
                _ = try await paul.post("/goals/\(goal)/deposits", ["amount": "6", "action": "put"])
                _ = try await paul.expense("30", "Kino")
            }
            for paul in pauls {
                let login = try #require(
                    try owner.query("SELECT login FROM person WHERE id = \(paul.person)").first(String.self))
                for path in ["/budgets", "/goals/\(goal)", "/expenses/export?format=csv"] {
                    #expect(try await anna.get(path).text.contains("Paul Huber (\(login))"), "\(path)")
                }
            }
        }
    }
}
