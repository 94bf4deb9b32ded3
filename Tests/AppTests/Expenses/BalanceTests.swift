import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The page of the balances between members.
@Suite(.timeLimit(.minutes(5))) struct BalanceTests {
    @Test(.database) func `a payment that settled all debts shows the name of a former member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let bothPeople = [anna, paul].map { ("with-\($0.person)", "1") }
            _ = try await anna.post(
                "/expenses/\(id)/split",
                pairs: bothPeople + [("method", "equal"), ("revision", "1"), ("paid-by", "\(anna.person)")])
            _ = try await anna.post(
                "/settlements",
                [
                    "from-person": "\(paul.person)", "to-person": "\(anna.person)", "amount": "5", "currency": "EUR",
                ])
            #expect(try harness.owner().query("SELECT 1 FROM balance_month").isEmpty)
            _ = try await anna.post("/settings/members/\(paul.person)/removal")
            #expect(try await anna.get("/balances").text.contains("Paul Huber → Anna Berger"))
        }
    }
}
