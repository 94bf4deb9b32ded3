import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Expenses that are split between members, and payments that settle them.
@Suite(.timeLimit(.minutes(5))) struct SplitTests {
    @Test(.database) func `an expense is split between three members and settled with the fewest payments`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let eva = try await harness.join(anna, as: .member, name: "Eva Gruber")
            let id = try await anna.expense("100", "Pizzeria")
            let everybody = [anna, paul, eva].map { ("with-\($0.person)", "1") }
            let split = try await anna.post(
                "/expenses/\(id)/split",
                pairs: everybody + [("method", "equal"), ("revision", "1"), ("paid-by", "\(anna.person)")])
            #expect(split.location == "/balances")
            let page = try await paul.get("/balances")
            // 100.00 is 33.34 + 33.33 + 33.33. The person with the lowest identifier pays the largest part.
            #expect(page.text.contains("66,6"))
            #expect(page.text.ranges(of: "→ Anna Berger").count >= 2)
            let due = try harness.owner().query(
                "SELECT person_id, amount_minor FROM balance_month WHERE amount_minor < 0"
            ).decode((PersonID, Int64).self)
            #expect(due.count == 2 && due.map(\.1).reduce(0, +) <= -6_666)
            for (person, amount) in due {
                let paid = try await paul.post(
                    "/settlements",
                    [
                        "from-person": "\(person)", "to-person": "\(anna.person)",
                        "amount": "\(Amount(minorUnits: -amount).field(.german))", "currency": "EUR",
                    ])
                #expect(paid.status == .seeOther)
            }
            #expect(try await eva.get("/balances").text.contains("Alles ausgeglichen"))
            // Deleting a payment restores the debt; undoing the deletion settles it again.
            let settlement = try #require(
                try harness.owner().query("SELECT id FROM settlement LIMIT 1").first(SettlementID.self))
            _ = try await anna.post("/settlements/\(settlement)/removal")
            #expect(try await !eva.get("/balances").text.contains("Alles ausgeglichen"))
            _ = try await anna.post("/settlements/\(settlement)/restoration")
            #expect(try await eva.get("/balances").text.contains("Alles ausgeglichen"))
            let loggedCount = try harness.owner().query(
                "SELECT count(*) FROM change_log WHERE document_type = 'settlement'"
            ).first(Int64.self)
            #expect(loggedCount == 4)
        }
    }

    @Test(
        .database,
        arguments: [
            ("percent", ["60", "40"], true), ("percent", ["60", "30"], false), ("exact", ["7,50", "2,50"], true),
            ("exact", ["7,50", "2,51"], false), ("shares", ["2", "1"], true), ("shares", ["x", "1"], false),
            ("shares", ["0", "0"], false),
        ])
    func `the values of a split have to add up to the amount`(method: String, values: [String], isRight: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let people = zip([anna, paul], values).flatMap { [("with-\($0.person)", "1"), ("value-\($0.person)", $1)] }
            let answer = try await anna.post(
                "/expenses/\(id)/split", pairs: people + [("method", method), ("revision", "1")])
            #expect(answer.status == (isRight ? .seeOther : .unprocessableContent))
            #expect(try harness.owner().query("SELECT 1 FROM expense_share").isEmpty != isRight)
        }
    }

    @Test(.database, arguments: ["none", "save"])
    func `a split that was changed in the meantime is neither replaced nor removed`(action: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let bothPeople = [anna, paul].map { ("with-\($0.person)", "1") }
            let firstAnswer = try await anna.post(
                "/expenses/\(id)/split", pairs: bothPeople + [("method", "equal"), ("revision", "1")])
            #expect(firstAnswer.status == .seeOther)
            let secondAnswer = try await paul.post(
                "/expenses/\(id)/split",
                pairs: [("action", action), ("with-\(paul.person)", "1"), ("method", "equal"), ("revision", "1")])
            #expect(secondAnswer.status == .conflict && secondAnswer.text.contains("Pizza"))
            #expect(try harness.owner().query("SELECT count(*) FROM expense_share").first(Int64.self) == 2)
        }
    }

    @Test(
        .database, arguments: [("de", "90,5", "zusammen 90,5"), ("en", "90.5", "add up to 90.5")])
    func `the sum of wrong percentages is shown in the member's language`(
        language: String, typed: String, shown: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let id = try await anna.expense("10", "Pizza")
            let answer = try await anna.post(
                "/expenses/\(id)/split",
                ["with-\(anna.person)": "1", "value-\(anna.person)": typed, "method": "percent", "revision": "1"])
            #expect(answer.status == .unprocessableContent && answer.text.contains(shown))
        }
    }

    @Test(.database) func `a proposed payment is recorded once if two members record it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let bothPeople = [anna, paul].map { ("with-\($0.person)", "1") }
            _ = try await anna.post(
                "/expenses/\(id)/split",
                pairs: bothPeople + [("method", "equal"), ("revision", "1"), ("paid-by", "\(anna.person)")])
            let page = try await anna.get("/balances").text
            #expect(page.contains("name=\"proposed\"") && page.contains("name=\"amount\" value=\"5,00\""))
            for member in [anna, paul] {
                let paid = try await member.post(
                    "/settlements",
                    [
                        "from-person": "\(paul.person)", "to-person": "\(anna.person)", "amount": "5,00",
                        "currency": "EUR", "proposed": "1",
                    ])
                #expect(paid.location == "/balances")
            }
            #expect(try await paul.get("/balances").text.contains("Nicht eingetragen"))
            #expect(try harness.owner().query("SELECT count(*) FROM settlement").first(Int64.self) == 1)
            #expect(try await anna.get("/balances").text.contains("Alles ausgeglichen"))
        }
    }

    @Test(.database) func `a split counts in the month to which its receipt was moved in the meantime`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900)])
            try await harness.change(receipt, #"{"purchase_day": "2026-03-05"}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            let member = Member(
                household: anna.household, person: anna.person, name: "", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let shown = try await SplitExpense.find(receipt.relabelled(), member, harness.database)
            try await harness.change(receipt, #"{"purchase_day": "2026-04-05"}"#, by: anna)
            let edits = SplitEdits(database: harness.database)
            try await edits.split(
                shown.entry, .equal, [anna.person: 1, paul.person: 1], paidBy: anna.person,
                revision: shown.entry.revision, by: member)
            let owed = try scene.owner.query(
                "SELECT month::text, amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).decode((String, Int64).self)
            #expect(owed.map(\.0) == ["2026-04-01"] && owed.map(\.1) == [-450])
            try await harness.discard(receipt, by: anna)
            await #expect(throws: Refusal.self) {
                try await edits.split(shown.entry, nil, [:], paidBy: nil, revision: 1, by: member)
            }
        }
    }

    @Test(.database) func `only members of the household can take part in a split`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            let id = try await anna.expense("10", "Pizza")
            let answer = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [("with-\(stranger.person)", "1"), ("method", "equal"), ("revision", "1")])
            #expect(answer.status == .unprocessableContent)
            let settled = try await anna.post(
                "/settlements",
                ["from-person": "\(stranger.person)", "to-person": "\(anna.person)", "amount": "1", "currency": "EUR"])
            #expect(settled.status == .badRequest)
        }
    }
}
