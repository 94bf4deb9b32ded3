import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Members with the same name in lists of money.
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
}
