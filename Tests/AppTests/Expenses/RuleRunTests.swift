import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The list of a household's rule runs.
@Suite(.timeLimit(.minutes(5))) struct RuleRunTests {
    @Test(.database) func `runs without visible expenses do not displace an older visible one`() async throws {
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
            // The first page also offers undo in the message about the run.
            _ = try await anna.get("/rules")
            let page = try await anna.get("/rules").text
            #expect(page.contains("/rules/runs/\(run)/removal"))
            #expect(!page.contains("„leer“"))
        }
    }
}
