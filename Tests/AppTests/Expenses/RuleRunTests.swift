import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The list of runs, the limits of rules in other currencies, and receipts that change between a trial and its run.
@Suite(.timeLimit(.minutes(5))) struct RuleRunTests {
    @Test(.database) func `runs without visible expenses do not remove an older visible run from the list`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("50", "Diesel Shell")
            _ = try await anna.post("/rules", ["contains": "shell", "labels": "Auto", "action": "apply"])
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            try owner.query(
                """
                INSERT INTO expense_rule_run (household_id, id, rule_id, name, applied_at)
                SELECT \(anna.household), gen_random_uuid(), gen_random_uuid(), 'leer', now() + n * interval '1 minute'
                FROM generate_series(1, 12) n
                """)
            // The first page offers the undo in the message about the run and in the list, the second only in the list.
            _ = try await anna.get("/rules")
            let page = try await anna.get("/rules").text
            #expect(page.contains("/rules/runs/\(run)/removal"))
            #expect(!page.contains("„leer“"))
        }
    }

    @Test(.database) func `a member cannot undo a run that changed only personal expenses of another member`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            _ = try await anna.expense("50", "Diesel Shell", [("personal", "1")])
            _ = try await anna.post("/rules", ["contains": "shell", "labels": "Auto", "action": "apply"])
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            #expect(try await paul.post("/rules/runs/\(run)/removal").status == .notFound)
            #expect(try owner.query("SELECT labels FROM expense").first([String].self) == ["Auto"])
            #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules")
            #expect(try owner.query("SELECT labels FROM expense").first([String].self) == [])
        }
    }

    @Test(.database) func `undoing a run does not change personal expenses of another member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let personal = try await anna.expense("50", "Diesel Shell", [("personal", "1")])
            let shared = try await anna.expense("40", "Diesel Shell")
            _ = try await anna.post("/rules", ["contains": "shell", "labels": "Auto", "action": "apply"])
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            func labels(_ id: ExpenseID) throws -> [String]? {
                try owner.query("SELECT labels FROM expense WHERE id = \(id)").first([String].self)
            }
            // The second request finds nothing that is left to undo.
            for _ in 0..<2 { #expect(try await paul.post("/rules/runs/\(run)/removal").location == "/rules") }
            #expect(try labels(shared) == [] && labels(personal) == ["Auto"])
            #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules")
            #expect(try labels(personal) == [])
            #expect(try owner.query("SELECT 1 FROM expense_rule_run").isEmpty)
        }
    }

    @Test(.database) func `a rule with a limit finds receipts in another currency by their converted amount`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("DIESEL", 1_900)], stage: "confirmed", person: anna.person)
            try scene.owner.query("UPDATE receipt SET currency = 'PLN'")
            func isFound(_ limit: String, _ amount: String) async throws -> Bool {
                let trialAnswer = try await anna.post(
                    "/rules", ["contains": "hofer", limit: amount, "labels": "Urlaub", "action": "try"])
                return trialAnswer.text.contains("/receipts/\(receipt)")
            }
            // No exchange rate is known.
            #expect(try await !isFound("least", "4"))
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4"])
            // 19.00 złoty are 4.75 euros.
            #expect(try await isFound("least", "4,75"))
            #expect(try await !isFound("least", "4,76"))
            #expect(try await isFound("most", "4,75"))
            #expect(try await !isFound("most", "4,74"))
        }
    }

    @Test(.database) func `a rule with a limit applies to new expenses and receipts in another currency`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4"])
            for (text, most) in [("hofer", "4"), ("hofer", "5"), ("kino", "4"), ("kino", "5")] {
                _ = try await anna.post(
                    "/rules", ["contains": text, "most": most, "labels": "bis \(most)", "action": "save"])
            }
            // 19.00 złoty are 4.75 euros.
            let receipt = try await scene.receiptInChangeLog(harness, [("DIESEL", 1_900)])
            try await harness.change(receipt, #"{"currency": "PLN"}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            _ = try await anna.expense("19 PLN", "Kino", [("day", "2026-11-03")])
            let labels = try scene.owner.query("SELECT labels FROM expense").decode([String].self)
            #expect(labels == [["bis 5"], ["bis 5"]])
        }
    }

    @Test(.database) func `a rule is applied to a receipt whose day was removed after the trial`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("DIESEL", 900)], stage: "confirmed", person: anna.person)
            let member = Member(
                household: anna.household, person: anna.person, name: "", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let values = StoredRule.Values(
                contains: "hofer", minimumAmount: nil, maximumAmount: nil, category: nil, labels: ["Auto"], people: [])
            let rule = try await RuleEdits(database: harness.database).add(values, by: member)
            let trial = try await RuleTrial(database: harness.database, slowWork: harness.app.slowWork).run(
                values, after: [], member)
            try scene.owner.query("UPDATE receipt SET purchase_day = NULL WHERE id = \(receipt)")
            let run = try await RuleRuns(database: harness.database).apply(
                StoredRule(id: rule, values: values, revision: 1), trial, by: member)
            #expect(run?.count == 1)
            let labelled = try scene.owner.query("SELECT receipt_id FROM expense WHERE labels = '{Auto}'")
            #expect(try labelled.first(ReceiptID.self) == receipt)
        }
    }
}
