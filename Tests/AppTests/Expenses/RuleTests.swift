import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Members try a rule, save it, apply it to earlier expenses, and undo the changes.
@Suite(.timeLimit(.minutes(5))) struct RuleTests {
    private func keys(_ owner: SynchronousConnection) throws -> [String] {
        try owner.query(
            """
            SELECT coalesce(c.key, '-') FROM expense e LEFT JOIN category c ON c.id = e.category_id
            WHERE e.discarded_at IS NULL ORDER BY e.id
            """
        ).decode(String.self)
    }

    @Test(.database) func `a rule is tried before it is saved, applied on request, and undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("50", "Diesel Shell")
            _ = try await anna.expense("8", "Shell Kaffee")
            _ = try await anna.expense("20", "Kino")
            let keysBefore = try keys(owner)
            let travel = try owner.category("travel")
            let rule: KeyValuePairs = ["contains": "shell", "category": "\(travel)", "labels": "Auto", "action": "try"]
            let trialAnswer = try await anna.post("/rules", rule)
            #expect(
                trialAnswer.status == .ok && trialAnswer.text.contains("Frühere Ausgaben, die sich ändern würden: 2"))
            #expect(try keys(owner) == keysBefore)
            #expect(try owner.query("SELECT count(*) FROM expense_rule").first(Int64.self) == 0)
            let saveAnswer = try await anna.post(
                "/rules", ["contains": "shell", "category": "\(travel)", "labels": "Auto", "action": "apply"])
            #expect(saveAnswer.location == "/rules")
            let page = try await anna.get("/rules").text
            #expect(page.contains("Geänderte Ausgaben: 2") && page.contains("„shell“"))
            #expect(try keys(owner) == ["travel", "travel", keysBefore[2]])
            #expect(try owner.query("SELECT count(*) FROM expense WHERE 'Auto' = ANY(labels)").first(Int64.self) == 2)
            let sums = try owner.query(
                "SELECT sum(amount_minor)::bigint FROM expense_day WHERE category_id = \(travel)")
            #expect(try sums.first(Int64.self) == 5_800)
            // The rule applies to a new expense immediately.
            _ = try await anna.expense("60", "Shell Diesel")
            #expect(try keys(owner).last == "travel")
            #expect(try await anna.get("/expenses/suggestion?what=Shell").text.contains("Regel: shell"))
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            for _ in 0..<2 { #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules") }
            #expect(try keys(owner) == keysBefore + ["travel"])
            #expect(try owner.query("SELECT count(*) FROM expense WHERE 'Auto' = ANY(labels)").first(Int64.self) == 1)
        }
    }

    @Test(.database, arguments: ["gifts", nil] as [String?])
    func `a run can be undone after the earlier category was merged or removed`(target: String?) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (dining, travel) = (try owner.category("dining"), try owner.category("travel"))
            _ = try await anna.expense("12", "Pizza")
            #expect(try keys(owner) == ["dining"])
            _ = try await anna.post("/rules", ["contains": "pizza", "category": "\(travel)", "action": "apply"])
            #expect(try keys(owner) == ["travel"])
            var fields = [("revision", "1")]
            if let target {
                let other = try owner.category(target)
                fields.append(("other-category", "\(other)"))
            }
            let removalAnswer = try await anna.post("/settings/categories/\(dining)/removal", pairs: fields)
            #expect(removalAnswer.location == "/settings/stores-and-categories")
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules")
            #expect(try keys(owner) == [target ?? "-"])
        }
    }

    @Test(.database)
    func `a category that a person chose takes precedence over a rule, also for other expenses with the same text`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (gifts, travel) = (try owner.category("gifts"), try owner.category("travel"))
            let first = try await anna.expense("50", "Shell")
            let changeAnswer = try await anna.post(
                "/expenses/\(first)", ["amount": "50", "what": "Shell", "revision": "1", "category": "\(gifts)"])
            #expect(changeAnswer.status == .seeOther)
            _ = try await anna.expense("12", "Shell Shop", [("category", "none")])
            let trialAnswer = try await anna.post(
                "/rules", ["contains": "shell", "category": "\(travel)", "action": "try"])
            // A person chose the category of the first expense. The choice also applies to the text `Shell Shop`.
            #expect(trialAnswer.text.contains("Frühere Ausgaben, die sich ändern würden: 0"))
            _ = try await anna.post("/rules", ["contains": "shell", "category": "\(travel)", "action": "save"])
            _ = try await anna.expense("30", "Shell")
            #expect(try keys(owner).last == "gifts")
            #expect(
                try await anna.get("/expenses/suggestion?what=Shell").text.contains("früher so gewählt: Shell"))
        }
    }

    @Test(.database) func `a rule is applied to earlier receipts by their store, and undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let travel = try scene.owner.category("travel")
            let receipts = try [900, 400, 700].map {
                try scene.receipt([("DIESEL", $0)], stage: "confirmed", person: anna.person)
            }
            let waitingReceipt = try scene.receipt([("DIESEL", 900)])
            // The second receipt is hidden. A person chose the category of the third receipt.
            try scene.owner.query(
                "UPDATE receipt SET hidden_until = \(WallClock.today().adding(days: 9)) WHERE id = \(receipts[1])")
            try await harness.database.write(anna.household, by: anna.person) { changes in
                try await PriceHistory.update(receipts, changes)
                try await ReceiptCompletion.write(
                    receipts[2], ReviewDraft(),
                    ReceiptCompletion.Choice(category: try scene.owner.category("gifts")),
                    changes)
            }
            func spentAmount() throws -> Int64? {
                try scene.owner.query(
                    "SELECT sum(amount_minor)::bigint FROM expense_day WHERE category_id = \(travel)"
                ).first(Int64?.self) ?? nil
            }
            func rows() throws -> [String] {
                try scene.owner.query(
                    """
                    SELECT coalesce(c.key, '-') || array_to_string(e.labels, ',') || e.split FROM receipt r
                    LEFT JOIN expense e ON e.receipt_id = r.id LEFT JOIN category c ON c.id = e.category_id
                    WHERE r.id = ANY(\(receipts)) ORDER BY array_position(\(receipts)::uuid[], r.id)
                    """
                ).decode(String?.self).map { $0 ?? "none" }
            }
            let rule: [(String, String)] = [
                ("contains", "hofer"), ("category", "\(travel)"), ("labels", "Auto"), ("person", "\(anna.person)"),
                ("person", "\(paul.person)"),
            ]
            let tried = try await anna.post("/rules", pairs: rule + [("action", "try")]).text
            #expect(tried.contains("ändern würden: 3") && tried.contains("/receipts/\(receipts[0])"))
            #expect(!tried.contains("\(waitingReceipt)") && tried.contains("Geschenke"))
            #expect(try rows() == ["none", "none", "gifts"])
            // Paul does not see the hidden receipt.
            #expect(try await paul.post("/rules", pairs: rule + [("action", "try")]).text.contains("würden: 2"))
            _ = try await anna.post("/rules", pairs: rule + [("action", "apply")])
            #expect(try rows() == ["travelAutoequal", "travelAuto", "giftsAutoequal"])
            #expect(try await anna.get("/rules").text.contains("· geänderte Ausgaben: 3"))
            #expect(try await paul.get("/rules").text.contains("· geänderte Ausgaben: 2"))
            #expect(try spentAmount() == 900)
            let owed = try scene.owner.query(
                "SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).first(Int64.self)
            #expect(owed == -800)
            let run = try #require(try scene.owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            _ = try await anna.post("/rules/runs/\(run)/removal")
            #expect(try rows() == ["-", "-", "gifts"] && spentAmount() == nil)
            #expect(try scene.owner.query("SELECT 1 FROM balance_month").isEmpty)
        }
    }

    @Test(.database) func `a receipt whose lines already have the category of the rule is not counted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let travel = try scene.owner.category("travel")
            let receipts = try [[("DIESEL", 900)], [("DIESEL", 900), ("BREZE", 100)]].map {
                try scene.receipt($0, stage: "confirmed", person: anna.person)
            }
            func trialPage() async throws -> String {
                try await anna.post("/rules", ["contains": "hofer", "category": "\(travel)", "action": "try"]).text
            }
            #expect(try await trialPage().contains("ändern würden: 2"))
            try scene.owner.query("UPDATE receipt_line SET category_id = \(travel) WHERE printed_name = 'DIESEL'")
            let tried = try await trialPage()
            #expect(tried.contains("ändern würden: 1") && tried.contains("\(receipts[1])"))
            // The total exceeds the lines, and the difference has no category.
            try scene.owner.query("UPDATE receipt SET total_minor = 950 WHERE id = \(receipts[0])")
            #expect(try await trialPage().contains("ändern würden: 2"))
        }
    }

    @Test(.database) func `a category chosen for a receipt is suggested for expenses of the same payee`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let gifts = try scene.owner.category("gifts")
            let receipt = try scene.receipt([("DIESEL", 900)])
            try scene.owner.query("UPDATE receipt SET printed_store = '{\"name\": \"Mooshuber\"}'")
            let page = try await anna.get("/receipts/\(receipt)/review")
            let line = try scene.keys(receipt)[0]
            let done = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "1", "store": "Mooshuber", "day": "2026-11-02", "total": "9,00", "line": "\(line)",
                    "name-\(line)": "DIESEL", "total-\(line)": "9,00", "category": "\(gifts)",
                ], on: page)
            #expect(done.status == .seeOther)
            _ = try await anna.expense("12", "Mooshuber")
            #expect(try keys(scene.owner).last == "gifts")
        }
    }

    @Test(.database) func `a rule can have amount limits and a split, and the first matching rule applies`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let (gifts, travel) = (try owner.category("gifts"), try owner.category("travel"))
            _ = try await anna.expense("9", "Zug eins")
            _ = try await anna.expense("90", "Zug zwei")
            _ = try await anna.post(
                "/rules", ["contains": "zug", "most": "10", "category": "\(gifts)", "action": "save"])
            let secondAnswer = try await anna.post(
                "/rules",
                [
                    "contains": "zug", "category": "\(travel)", "person": "\(anna.person)", "action": "apply",
                ])
            #expect(secondAnswer.location == "/rules")
            // The first rule matches the cheaper expense.
            #expect(
                try owner.query("SELECT what FROM expense WHERE split = 'equal'").decode(String.self) == ["Zug zwei"])
            let rules = try owner.query("SELECT id FROM expense_rule ORDER BY position").decode(ExpenseRuleID.self)
            _ = try await anna.post("/rules/\(rules[1])/place", ["direction": "up"])
            #expect(
                try owner.query("SELECT id FROM expense_rule ORDER BY position").decode(ExpenseRuleID.self)
                    == [rules[1], rules[0]])
            _ = try await anna.expense("8", "Zug drei")
            #expect(try keys(owner).last == "travel")
            #expect(try owner.query("SELECT count(*) FROM expense_share").first(Int64.self) == 2)
        }
    }

    @Test(.database) func `undoing a run keeps a split that was changed after the run`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let changedExpense = try await anna.expense("30", "Zug eins")
            _ = try await anna.expense("30", "Zug zwei")
            _ = try await anna.post(
                "/rules",
                pairs: [
                    ("contains", "zug"), ("category", ""), ("person", "\(anna.person)"), ("person", "\(paul.person)"),
                    ("action", "apply"),
                ])
            let split = try await anna.post(
                "/expenses/\(changedExpense)/split",
                pairs: [("with-\(paul.person)", "1"), ("method", "equal"), ("revision", "2")])
            #expect(split.status == .seeOther)
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules")
            let remainingExpenses = try owner.query("SELECT what FROM expense WHERE split = 'equal'").decode(
                String.self)
            #expect(remainingExpenses == ["Zug eins"])
            #expect(try owner.query("SELECT person_id FROM expense_share").decode(PersonID.self) == [paul.person])
        }
    }

    @Test(.database) func `a rule with a former member can be changed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let creationAnswer = try await caller.post(
                "/api/v1/expense-rules",
                #"{"contains": "zither", "people": ["\#(anna.person)", "\#(paul.person)"]}"#)
            let path = try #require(creationAnswer.location)
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            let changeAnswer = try await caller.change(.patch, path, #"{"contains": "xylophon"}"#, "*")
            #expect(changeAnswer.status == .ok, "\(changeAnswer.text)")
            #expect(try changeAnswer.json["people"]?.array?.count == 2)
        }
    }

    @Test(
        .database,
        arguments: [
            (["contains": "", "category": ""], "contains-error"),
            (["contains": "x", "category": ""], "category-error"),
            (["contains": "x", "least": "abc"], "least-error"),
            (["contains": "x", "least": "5", "most": "4"], "most-error"),
        ])
    func `a rule needs a condition, an action and valid limits`(fields: [String: String], error: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/rules", pairs: fields.map { ($0.key, $0.value) })
            #expect(answer.status == .unprocessableContent && answer.text.contains(error))
        }
    }
}
