import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Changing and deleting expenses.
@Suite(.timeLimit(.minutes(5))) struct ExpenseEditTests {
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

    @Test(.database) func `several selected expenses are given a category or labels, or are deleted, by one request`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (one, two) = (try await anna.expense("1", "Eins"), try await anna.expense("2", "Zwei"))
            let leisure = try owner.category("leisure")
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
            #expect(dashboard.contains("Paul Huber") && dashboard.contains("member=\(ExpenseFilter.withoutPayer)"))
            let list = try await anna.get("/expenses/list?member=\(ExpenseFilter.withoutPayer)").text
            #expect(list.contains("Zoo") && !list.contains("Kino"))
        }
    }

    @Test(.database) func `a category with expenses is deleted only by a merge, and the merge moves the expenses`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("10", "Kino")
            let (leisure, travel) = (
                try owner.category("leisure"), try owner.category("travel")
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
