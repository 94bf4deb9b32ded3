import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Deleted rules and recurring expenses are restored from the change log. Rules apply to due payments.
@Suite(.timeLimit(.minutes(5))) struct PlanRestorationTests {
    @Test(.database) func `deleting a rule is undone once; the rule gets its former place`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for word in ["Shell", "OMV", "Wirt"] {
                _ = try await anna.post("/rules", ["contains": "\(word)", "labels": "Wort", "action": "save"])
            }
            func rules() throws -> [String] {
                try owner.query("SELECT contains FROM expense_rule ORDER BY position, id").decode(String.self)
            }
            let rulesBefore = try rules()
            let id = try #require(
                try owner.query("SELECT id FROM expense_rule WHERE position = 2").first(ExpenseRuleID.self))
            _ = try await anna.post("/rules/\(id)/removal", ["revision": "1"])
            #expect(try rules().count == 2)
            let undo = "/rules/\(id)/restoration"
            #expect(try await anna.get("/rules").text.contains("action=\"\(undo)\""))
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/rules") }
            #expect(try rules() == rulesBefore)
            #expect(try await anna.post("/rules/\(ExpenseRuleID.new())/restoration").status == .notFound)
        }
    }

    @Test(.database) func `undoing a deletion again after the sweeper has removed old operations creates no duplicate`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.post("/rules", ["contains": "OMV", "labels": "Wort", "action": "save"])
            _ = try await anna.post(
                "/recurring", ["name": "Miete", "amount": "800", "day": WallClock.today().iso])
            let rule = try #require(try owner.query("SELECT id FROM expense_rule").first(ExpenseRuleID.self))
            let rent = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            for path in ["/rules/\(rule)", "/recurring/\(rent)"] {
                _ = try await anna.post("\(path)/removal", ["revision": "1"])
                _ = try await anna.post("\(path)/restoration")
            }
            try owner.query("UPDATE operation SET done_at = now() - interval '31 days'")
            try owner.query("UPDATE change_log SET changed_at = changed_at - interval '31 days'")
            try await Sweeper.run(harness.database)
            for path in ["/rules/\(rule)", "/recurring/\(rent)"] { _ = try await anna.post("\(path)/restoration") }
            #expect(try owner.query("SELECT 1 FROM expense_rule").count == 1)
            #expect(try owner.query("SELECT 1 FROM recurring_expense").count == 1)
            #expect(try await anna.get("/rules").text.contains("nicht mehr rückgängig machen"))
        }
    }

    @Test(.database) func `a rule is not restored without its category`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let category = CategoryID.new()
            try owner.query(
                """
                INSERT INTO category (household_id, id, name, position) VALUES (\(anna.household), \(category), 'Neu', 99)
                """)
            _ = try await anna.post("/rules", ["contains": "OMV", "category": "\(category)", "action": "save"])
            let id = try #require(try owner.query("SELECT id FROM expense_rule").first(ExpenseRuleID.self))
            _ = try await anna.post("/rules/\(id)/removal", ["revision": "1"])
            try owner.query("DELETE FROM category WHERE id = \(category)")
            _ = try await anna.post("/rules/\(id)/restoration")
            #expect(try await anna.get("/rules").text.contains("nicht mehr rückgängig machen"))
            #expect(try owner.query("SELECT 1 FROM expense_rule").isEmpty)
        }
    }

    @Test(.database) func `only members who could see a recurring expense can undo its deletion`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            _ = try await anna.post(
                "/recurring", ["name": "Sparplan", "amount": "20", "day": WallClock.today().iso, "personal": "1"])
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            _ = try await anna.post("/recurring/\(id)/removal", ["revision": "1"])
            let undo = "/recurring/\(id)/restoration"
            #expect(try await anna.get("/recurring").text.contains("action=\"\(undo)\""))
            #expect(try await paul.post(undo).status == .notFound)
            for _ in 0..<2 { #expect(try await anna.post(undo).location == "/recurring") }
            #expect(try await anna.get("/recurring").text.contains("Sparplan"))
            #expect(try owner.query("SELECT 1 FROM recurring_expense WHERE is_personal").count == 1)
        }
    }

    @Test(.database) func `a due payment that is saved gets the labels and the split of the matching rule`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let today = WallClock.today().iso
            _ = try await anna.post("/recurring", ["name": "Miete", "amount": "800", "day": today])
            _ = try await anna.post(
                "/rules",
                pairs: [
                    ("contains", "miete"), ("labels", "Wohnung"), ("person", "\(anna.person)"),
                    ("person", "\(paul.person)"), ("action", "save"),
                ])
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            _ = try await anna.post("/recurring/\(id)/expense", ["due": today])
            let labels = try owner.query("SELECT labels FROM expense WHERE source = 'recurring'").first([String].self)
            #expect(labels == ["Wohnung"])
            let balance = try owner.query(
                "SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).decode(Int64.self)
            #expect(balance == [-40_000])
        }
    }

    @Test(.database) func `a dismissed proposal is proposed again after the dismissal is undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for month in 0...3 {
                let day = WallClock.today().month.adding(-month).firstDay.iso
                _ = try await anna.expense("30", "Fitness", [("day", day)])
            }
            let key = try #require(try owner.query("SELECT payee_key FROM expense LIMIT 1").first(String.self))
            _ = try await anna.post("/recurring/proposals", ["key": key, "amount": "3000", "action": "dismiss"])
            let page = try await anna.get("/recurring").text
            #expect(!page.contains("Vorschläge"))
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            #expect(page.contains("action=\"/recurring/\(id)/removal\""))
            _ = try await anna.post("/recurring/\(id)/removal")
            #expect(try await anna.get("/recurring").text.contains("Vorschläge"))
        }
    }
}
