import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Forms that are sent twice, for example by a double click.
@Suite(.timeLimit(.minutes(5))) struct RepeatedFormTests {
    @Test(.database) func `an expense, a payment, a deposit and a rule are stored once if the form is sent twice`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let until = WallClock.today().month.adding(9).firstDay.iso
            _ = try await anna.post("/goals", ["name": "Urlaub", "amount": "1000", "until": until])
            let goal = try #require(try owner.query("SELECT id FROM savings_goal").first(SavingsGoalID.self))
            func count(_ table: SQL) throws -> Int64? {
                try owner.query("SELECT count(*) FROM \(table)").first(Int64.self)
            }
            // The same values from a new page are another expense, payment, deposit and rule.
            for expectedCount in [Int64](1...2) {
                let page = try await anna.get("/balances")
                for _ in 0..<2 {
                    let additionAnswer = try await anna.post(
                        "/expenses", ["amount": "3,50", "what": "Kaffee"], on: page)
                    #expect(additionAnswer.location?.hasPrefix("/expenses/list") == true)
                    let paid = try await anna.post(
                        "/settlements",
                        [
                            "from-person": "\(anna.person)", "to-person": "\(paul.person)", "amount": "5",
                            "currency": "EUR",
                        ], on: page)
                    #expect(paid.location == "/balances")
                    let saveAnswer = try await anna.post(
                        "/goals/\(goal)/deposits", ["amount": "50", "action": "put"], on: page)
                    #expect(saveAnswer.location == "/goals/\(goal)")
                    let rule = try await anna.post(
                        "/rules", ["contains": "kaffee", "labels": "Büro", "action": "save"], on: page)
                    #expect(rule.location == "/rules")
                }
                #expect(try count("expense") == expectedCount)
                #expect(try count("settlement") == expectedCount)
                #expect(try count("savings_deposit") == expectedCount)
                #expect(try count("expense_rule") == expectedCount)
            }
        }
    }

    @Test(.database) func `a budget and a savings goal are not reported as existing if the form is sent twice`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.get("/budgets")
            for _ in 0..<2 {
                // A weekly budget needs no first day of the month.
                let budget = try await anna.post(
                    "/budgets", ["name": "Essen", "amount": "100", "period": "week", "start-day": ""], on: page)
                #expect(budget.location == "/budgets")
                let goal = try await anna.post(
                    "/goals", ["name": "Urlaub", "amount": "100", "until": "2099-01-01"], on: page)
                #expect(goal.location == "/budgets")
            }
            // The same name from a new page is refused, because another budget already has the name.
            let otherAnswer = try await anna.post("/budgets", ["name": "Essen", "amount": "100", "period": "week"])
            #expect(otherAnswer.status == .unprocessableContent)
        }
    }

    @Test(.database) func `a manual receipt and a category are added once if the form is sent twice`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            func draftCount() throws -> Int64? {
                try owner.query("SELECT count(*) FROM receipt WHERE source = 'manual'").first(Int64.self)
            }
            let page = try await anna.get("/receipts/new")
            let firstAnswer = try await anna.post("/receipts/drafts", on: page)
            #expect(firstAnswer.status == .seeOther)
            #expect(try await anna.post("/receipts/drafts", on: page).location == firstAnswer.location)
            #expect(try draftCount() == 1)
            let otherAnswer = try await anna.post("/receipts/drafts", on: try await anna.get("/receipts/new"))
            #expect(otherAnswer.location != firstAnswer.location)
            #expect(try draftCount() == 2)
            let list = try await anna.get("/settings/stores-and-categories")
            for _ in 0..<2 {
                let additionAnswer = try await anna.post(
                    "/settings/categories", ["name": "Ziegenkäse", "category": ""], on: list)
                #expect(additionAnswer.location == "/settings/stores-and-categories")
            }
        }
    }

    @Test(.database) func `ending a session and removing a key, an invitation or a member can be sent twice`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let ben = try await harness.join(anna, as: .member)
            _ = try await harness.caller(anna)
            let login = try await SignInScene.login(anna, harness)
            _ = try await SignInScene.signIn(harness.browser(), login, SignInScene.password)
            _ = try await Invitations(database: harness.database).invite(
                into: anna.household, by: anna.person, role: .member)
            func id(_ sql: SQL) throws -> String { try #require(try owner.query(sql).first(String.self)) }
            let session = try id(
                "SELECT id::text FROM session WHERE person_id = \(anna.person) ORDER BY created_at DESC LIMIT 1")
            let invitation = try id("SELECT id::text FROM invitation WHERE used_at IS NULL")
            let key = try id("SELECT id::text FROM api_key WHERE person_id = \(anna.person)")
            let actions = [
                ("/settings/sessions/\(session)/end", "/settings/account"),
                ("/settings/keys/\(key)/revocation", "/settings/keys"),
                ("/settings/invitations/\(invitation)/revocation", "/settings/household"),
                ("/settings/members/\(ben.person)/removal", "/settings/household"),
            ]
            for (path, next) in actions {
                let page = try await anna.get("/settings")
                for _ in 0..<2 { #expect(try await anna.post(path, on: page).location == next, "\(path)") }
                // A new form for something that no longer exists.
                #expect(try await anna.post(path).status == .notFound, "\(path)")
            }
        }
    }

    @Test(.database) func `a wine and its bottles are stored once if the form is sent twice`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            // The same values from a new page are another wine, and other bottles.
            for expectedCount in [Int64](1...2) {
                let page = try await anna.get("/wines/new")
                let additionAnswer = try await anna.post("/wines", ["name": "Steinfeld"], on: page)
                let wine = try #require(additionAnswer.location)
                #expect(try await anna.post("/wines", ["name": "Steinfeld"], on: page).location == "/wines")
                for _ in 0..<2 {
                    #expect(try await anna.post("\(wine)/bottles", ["count": "6"], on: page).location == wine)
                }
                #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == expectedCount)
                #expect(try owner.query("SELECT count(*) FROM wine_bottle").first(Int64.self) == expectedCount)
            }
        }
    }

    @Test(.database) func `a form that is sent again after two minutes is stored again, but only once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let page = try await anna.get("/expenses/new")
            for expectedCount in [Int64](1...2) {
                for _ in 0..<2 {
                    _ = try await anna.post("/expenses", ["amount": "3,50", "what": "Kaffee"], on: page)
                }
                #expect(try owner.query("SELECT count(*) FROM expense").first(Int64.self) == expectedCount)
                try owner.query("UPDATE operation SET done_at = done_at - interval '2 minutes'")
            }
        }
    }
}
