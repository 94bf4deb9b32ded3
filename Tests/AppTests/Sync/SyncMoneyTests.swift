import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Sync of expenses and plans. The checks and sums are the same as for forms, and a personal expense is visible only to
/// the member who entered it.
@Suite(.timeLimit(.minutes(5))) struct SyncMoneyTests {
    private static func person(_ browser: Browser) -> JSONValue { .string("person:\(browser.person)") }

    private static func expense(_ what: String, _ minor: Int64, day: String = "2026-03-05") -> JSONObject {
        [
            "type": "expense", "what": .string(what), "amount_minor": .integer(minor), "currency": "EUR",
            "day": .string(day),
        ]
    }

    private static func spentAmount(_ harness: AppHarness, _ browser: Browser) async throws -> Int64? {
        let caller = try await harness.caller(browser)
        return try await caller.get("/api/v1/spending?month=2026-03").json["spent_minor"]?.integer
    }

    @Test(.database) func `an expense can be pushed, counts in sums, and can be changed and deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let key = SyncScene.key(.expense)
            try await scene.edit(key) { $0 = Self.expense("Kino", 1200) }
            #expect(try await Self.spentAmount(harness, anna) == 1200)
            let body = try #require(try await scene.body(key))
            #expect(body["kind"] == "expense" && body["person"] == Self.person(anna) && body["discarded"] == false)
            try await scene.edit(key) {
                $0["amount_minor"] = 1500
                $0["paid_on"] = "2026-03-09"
            }
            #expect(try await Self.spentAmount(harness, anna) == 1500)
            #expect(try await scene.body(key)?["paid_on"] == "2026-03-09")
            try await scene.edit(key) { $0["discarded"] = true }
            #expect(try await Self.spentAmount(harness, anna) == 0)
            try await scene.edit(key) { $0["discarded"] = false }
            #expect(try await Self.spentAmount(harness, anna) == 1500)
            try await scene.delete(key)
            #expect(try await Self.spentAmount(harness, anna) == 0)
            #expect(try await scene.body(key) == nil)
        }
    }

    @Test(.database)
    func `changes of different fields are merged, and the overwritten value of a field is stored as lost`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let key = SyncScene.key(.expense)
            try await scene.edit(key) { $0 = Self.expense("Kino", 1200) }
            let base = try #require(try await scene.winner(key))
            let body = try #require(try await scene.body(key))
            try await scene.edit(key) { $0["amount_minor"] = 1300 }
            var mine = body
            mine["note"] = "mit Popcorn"
            mine["amount_minor"] = 1400
            try await scene.replicate(key, "2-zz", after: [base], mine)
            let mergedDocument = try #require(try await scene.body(key))
            #expect(mergedDocument["note"] == "mit Popcorn")
            let lost = try await scene.lostValues(key)
            #expect(lost.keys.contains("amount_minor"))
            #expect(try await Self.spentAmount(harness, anna) == mergedDocument["amount_minor"]?.integer)
            #expect(try await scene.leaves(key).count >= 1)
        }
    }

    @Test(.database) func `a personal expense is in no other member's feed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (mine, theirs) = (try await CouchClient(harness, anna), try await CouchClient(harness, ben))
            let key = SyncScene.key(.expense)
            try await SyncScene(harness, anna).edit(key) {
                $0 = Self.expense("Überraschung", 5000)
                $0["is_personal"] = true
            }
            #expect(try await mine.get("/\(key)").status == .ok)
            #expect(try await theirs.get("/\(key)").status == .notFound)
            #expect(try await !theirs.get("/_changes?include_docs=true&style=all_docs").text.contains("Überraschung"))
            let caller = try await harness.caller(ben)
            let rows = try await caller.get("/api/v1/households/\(anna.household)/sync").text
            #expect(!rows.contains("Überraschung") && rows.contains("\"expenses\""))
            await #expect(throws: DocumentFault.self) {
                try await SyncScene(harness, ben, role: .member).replicate(key, "9-x", Self.expense("Meins", 1))
            }
            #expect(try await Self.spentAmount(harness, ben) == 0)
            // After it is published, the expense is in all members' feeds.
            try await SyncScene(harness, anna).edit(key) { $0["is_personal"] = false }
            #expect(try await theirs.get("/\(key)").status == .ok)
            #expect(try await Self.spentAmount(harness, ben) == 5000)
        }
    }

    @Test(.database) func `the expense of a receipt is created once, and hidden with its receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            let (receipt, key) = (SyncScene.key(.receipt), SyncScene.key(.expense))
            let hiddenDay = WallClock.today().adding(days: 9).iso
            try await scene.edit(receipt) {
                $0 = SyncScene.receipt([SyncScene.line("SEIFE", 300)], stage: "confirmed")
                $0["hidden_until"] = .string(hiddenDay)
            }
            try await scene.edit(key) {
                $0 = ["type": "expense", "receipt": .string(receipt.description), "labels": ["bad"]]
            }
            let theirs = try await CouchClient(harness, ben)
            #expect(try await theirs.get("/\(key)").status == .notFound)
            try await scene.edit(receipt) { $0["hidden_until"] = .null }
            #expect(try await theirs.get("/\(key)").json["labels"] == ["bad"])
            await #expect(throws: DocumentFault.self) {
                try await scene.edit(SyncScene.key(.expense)) {
                    $0 = ["type": "expense", "receipt": .string(receipt.description)]
                }
            }
            try await scene.delete(receipt)
            #expect(try await scene.body(key) == nil)
        }
    }

    @Test(.database) func `balances follow pushed shares and settlements`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            let key = SyncScene.key(.expense)
            let shares = [anna, ben].map { JSONValue.object(["person": Self.person($0), "weight": 1]) }
            try await scene.edit(key) {
                $0 = Self.expense("Pizza", 2500)
                $0["paid_by"] = Self.person(anna)
                $0["split"] = "equal"
                $0["shares"] = .array(shares)
            }
            let caller = try await harness.caller(anna)
            func owedAmount() async throws -> Int64? {
                try await caller.get("/api/v1/balances").json["balances"]?.array?.first?["transfers"]?.array?.first?[
                    "amount_minor"]?.integer
            }
            #expect(try await owedAmount() == 1250)
            let payment = SyncScene.key(.settlement)
            try await scene.edit(payment) {
                $0 = [
                    "type": "settlement", "from": Self.person(ben), "to": Self.person(anna), "amount_minor": 1250,
                    "currency": "EUR", "day": "2026-03-06",
                ]
            }
            #expect(try await owedAmount() == nil)
            try await scene.edit(payment) { $0["discarded"] = true }
            #expect(try await owedAmount() == 1250)
            let stranger = JSONValue.object(["person": .string("person:\(PersonID.new())"), "weight": 1])
            await #expect(throws: DocumentFault.self) {
                try await scene.edit(key) { $0["shares"] = [stranger] }
            }
        }
    }

    @Test(.database) func `a payment that a client deleted is reported as gone on the page of balances`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            let payment = SyncScene.key(.settlement)
            try await scene.edit(payment) {
                $0 = [
                    "type": "settlement", "from": Self.person(ben), "to": Self.person(anna), "amount_minor": 1250,
                    "currency": "EUR", "day": "2026-03-06",
                ]
            }
            try await scene.delete(payment)
            for action in ["removal", "restoration"] {
                let answer = try await anna.post("/settlements/\(payment.id)/\(action)")
                #expect(answer.status == .seeOther && answer.location == "/balances")
            }
        }
    }

    @Test(.database) func `a budget of a former member can be changed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (sync, budget) = (SyncScene(harness, anna), SyncScene.key(.budget))
            try await sync.edit(budget) {
                $0 = [
                    "type": "budget", "name": "Kino", "period": "month", "starts_on": "2026-01-01",
                    "person": .string("person:\(ben.person)"),
                    "limits": [["valid_from": "2026-01-01", "limit_minor": 5_000]],
                ]
            }
            #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)
            try await sync.edit(budget) { $0["name"] = "Theater" }
            #expect(try await sync.body(budget)?["name"] == "Theater")
        }
    }

    @Test(.database) func `pushed rows of budgets, rules, recurring expenses and savings goals are stored`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let path = "/api/v1/households/\(anna.household)/sync"
            let (budget, rule, recurring, goal, deposit) = (
                BudgetID.new(), ExpenseRuleID.new(), RecurringExpenseID.new(), SavingsGoalID.new(),
                SavingsDepositID.new()
            )
            let until = WallClock.today().adding(days: 50).iso
            let today = WallClock.today().iso
            let pushed = try await caller.post(
                "\(path)?last_pulled_at=0",
                """
                {"budgets": {"created": [{"id": "\(budget)", "name": "Alles", "period": "month", "start_day": 1,
                    "starts_on": "2026-03-01"}], "updated": [], "deleted": []},
                "budget_limits": {"created": [{"id": "\(budget):2026-03-01", "budget_id": "\(budget)",
                    "limit_minor": 5000}], "updated": [], "deleted": []},
                "expense_rules": {"created": [{"id": "\(rule)", "contains": "omv", "labels": "[\\"auto\\"]"}],
                    "updated": [], "deleted": []},
                "recurring_expenses": {"created": [{"id": "\(recurring)", "name": "Miete", "interval": "month",
                    "starts_on": "2026-03-01", "amount_minor": 80000}], "updated": [], "deleted": []},
                "savings_goals": {"created": [{"id": "\(goal)", "name": "Urlaub", "target_minor": 50000,
                    "until": "\(until)"}], "updated": [], "deleted": []},
                "savings_deposits": {"created": [{"id": "\(deposit)", "goal_id": "\(goal)", "day": "\(today)",
                    "amount_minor": 700}], "updated": [], "deleted": []}}
                """)
            #expect(pushed.status == .ok, "\(pushed.text)")
            #expect(!pushed.text.contains("\(budget)"), "\(pushed.text)")
            for (list, name) in [
                ("budgets", "budgets"), ("expense-rules", "expense_rules"),
                ("recurring-expenses", "recurring_expenses"), ("goals", "goals"),
            ] {
                let foundEntries = try await caller.get("/api/v1/\(list)").json[name]?.array
                #expect(foundEntries?.count == 1, "\(list): \(pushed.text)")
            }
            #expect(try await caller.get("/api/v1/goals/\(goal)").json["saved_minor"]?.integer == 700)
            let pulled = try await caller.get(path).json
            let number = try #require(pulled["timestamp"]?.integer)
            let row = pulled["changes"]?["budget_limits"]?["created"]?.array?.first
            #expect(row?["budget_id"]?.string == budget.description && row?["limit_minor"]?.integer == 5000)
            let pushAnswer = try await caller.post(
                "\(path)?last_pulled_at=\(number)",
                #"{"savings_deposits": {"created": [], "updated": [], "deleted": ["\#(deposit)"]}}"#)
            #expect(pushAnswer.status == .ok, "\(pushAnswer.text)")
            #expect(try await caller.get("/api/v1/goals/\(goal)").json["saved_minor"]?.integer == 0)
        }
    }

    @Test(
        .database,
        arguments: [
            ["type": "expense", "amount_minor": 5, "day": "2026-03-01"],
            ["type": "expense", "what": "x", "day": "2026-03-01"],
            ["type": "expense", "what": "x", "amount_minor": 0, "day": "2026-03-01"],
            ["type": "expense", "what": "x", "amount_minor": 5, "day": "1800-03-01"],
            ["type": "expense", "what": "x", "amount_minor": 5, "day": "2026-03-01", "currency": "eur"],
            ["type": "expense", "what": "x", "amount_minor": 5, "day": "2026-03-01", "paid_by": "anna"],
            [
                "type": "expense", "what": "x", "amount_minor": 5, "day": "2026-03-01",
                "category": "category:0192f0c1-2b3c-7d4e-8f50-0123456789ab",
            ],
            ["type": "expense", "what": "x", "amount_minor": 5, "day": "2026-03-01", "labels": ["a,b"]],
            ["type": "expense", "receipt": "receipt:0192f0c1-2b3c-7d4e-8f50-0123456789ab"],
        ] as [JSONObject]) func `an expense that violates a rule is refused with a reason`(_ body: JSONObject)
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let key = SyncScene.key(.expense)
            await #expect(throws: DocumentFault.self) { try await scene.edit(key) { $0 = body } }
            #expect(try await scene.body(key) == nil)
        }
    }
}
