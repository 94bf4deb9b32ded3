import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The limits of an expense's labels.
@Suite(.timeLimit(.minutes(5))) struct LabelTests {
    @Test(.database) func `an expense that already has 20 labels keeps them when several expenses get another label`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let labels = (1...20).map { "b\($0)" }
            let full = try await anna.expense("20", "Kino", [("labels", labels.joined(separator: ","))])
            let other = try await anna.expense("30", "Theater", [("labels", "z")])
            let same = try await anna.expense("40", "Oper", [("labels", "a")])
            let changeAnswer = try await anna.post(
                "/expenses/changes",
                pairs: [
                    ("expense", "\(full)"), ("expense", "\(other)"), ("expense", "\(same)"), ("labels", "a"),
                    ("action", "label"),
                ])
            #expect(changeAnswer.location == "/expenses/list")
            let page = try await anna.get("/expenses/list").text
            // The expense that already has the label is not counted as changed.
            #expect(
                page.contains(
                    "Geänderte Ausgaben und Belege: 1. Nicht geändert, weil sie zu viele Schlagwörter hätten: 1"))
            func storedLabels(_ id: ExpenseID) throws -> [String]? {
                try harness.owner().query("SELECT labels FROM expense WHERE id = \(id)").first([String].self)
            }
            #expect(try storedLabels(full) == labels)
            #expect(try storedLabels(other) == ["z", "a"])
        }
    }

    @Test(.database) func `undoing a change of labels keeps a label that was removed and added again later`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await anna.expense("20", "Kino")
            func save(_ labels: String) async throws {
                let revision = try #require(
                    try owner.query("SELECT revision FROM expense WHERE id = \(id)").first(Int64.self))
                let saveAnswer = try await anna.post(
                    "/expenses/\(id)",
                    [
                        "amount": "20", "what": "Kino", "day": WallClock.today().iso, "labels": labels,
                        "revision": "\(revision)",
                    ])
                try #require(saveAnswer.status == .seeOther, "\(saveAnswer.text)")
            }
            func storedLabels() throws -> [String]? {
                try owner.query("SELECT labels FROM expense WHERE id = \(id)").first([String].self)
            }
            _ = try await anna.post(
                "/expenses/changes",
                pairs: [("expense", "\(id)"), ("labels", "Urlaub, Italien"), ("action", "label")])
            let page = try await anna.get("/expenses/list").text
            let undo = try #require(
                page.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/changes\/removal\?revision=\d+)"/#))
            try await save("Italien")
            try await save("Italien, Urlaub")
            _ = try await anna.post(String(undo.output.1))
            #expect(try storedLabels() == ["Urlaub"])
            // The same applies to the labels that a rule has added.
            _ = try await anna.post("/rules", ["contains": "kino", "labels": "Abend, Film", "action": "apply"])
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            try await save("Urlaub, Film")
            try await save("Urlaub, Film, Abend")
            _ = try await anna.post("/rules/runs/\(run)/removal")
            #expect(try storedLabels() == ["Urlaub", "Abend"])
        }
    }

    @Test(.database) func `labels are sorted as in German`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("20", "Kino", [("labels", "Zoo,Öl,oben")])
            let page = try await anna.get("/expenses/list").text
            let positions = ["oben", "Öl", "Zoo"].compactMap {
                page.firstRange(of: "<option value=\"\($0)\"")?.lowerBound
            }
            #expect(positions.count == 3 && positions == positions.sorted())
        }
    }

    @Test(.database) func `a rule sets the category of an expense whose 20 labels include the rule's labels`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let labels = (1...20).map { "b\($0)" }
            let id = try await anna.expense("20", "Kinobar", [("labels", labels.joined(separator: ","))])
            try owner.query("UPDATE expense SET category_id = NULL, category_source = 'suggested'")
            let category = try #require(
                try owner.query("SELECT id FROM category ORDER BY position, id LIMIT 1").first(CategoryID.self))
            _ = try await anna.post(
                "/rules",
                ["contains": "kinobar", "category": "\(category)", "labels": "b1, b20", "action": "apply"])
            let storedCategory = try owner.query("SELECT category_id FROM expense WHERE id = \(id)").first(
                CategoryID.self)
            #expect(storedCategory == category)
            #expect(try owner.query("SELECT labels FROM expense").first([String].self) == labels)
        }
    }

    @Test(.database) func `labels that exceed the limit together are refused with an error at their field`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let labels = (10...25).map { "\($0)" + String(repeating: "x", count: 38) }.joined(separator: ",")
            let expense = try await anna.post("/expenses", ["amount": "5", "what": "Kino", "labels": labels])
            let rule = try await anna.post("/rules", ["contains": "kino", "labels": labels])
            for answer in [expense, rule] {
                #expect(
                    answer.status == .unprocessableContent && answer.text.contains("zusammen mit höchstens 600 Zeichen")
                )
            }
        }
    }
}
