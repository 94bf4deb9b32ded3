import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Programs manage budgets, rules, rates and related resources through the API, with the same checks as on the pages.
@Suite(.timeLimit(.minutes(5))) struct MoneyAPITests {
    @Test(.database) func `a budget that will be exceeded at the current rate of spending has the alert "tight"`()
        async throws
    {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            _ = try await caller.create("expenses", #"{"what": "Kino", "amount_minor": 6000}"#)
            // The period began 10 to 13 days ago, so its spending can be estimated.
            let startDay = min(28, WallClock.today().adding(days: -10).day)
            let (_, _, made) = try await caller.create(
                "budgets", #"{"name": "Alles", "limit_minor": 10000, "start_day": \#(startDay)}"#)
            #expect(made["current"]?["alert"]?.string == "tight")
        }
    }

    @Test(.database) func `creates and changes budgets, goals and deposits`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            _ = try await caller.create("expenses", #"{"what": "Kino", "amount_minor": 4500}"#)
            let (budget, tag, made) = try await caller.create("budgets", #"{"name": "Alles", "limit_minor": 5000}"#)
            #expect(made["current"]?["spent_minor"]?.integer == 4500)
            #expect(made["current"]?["alert"]?.string == "nearly")
            let same = try await caller.post("/api/v1/budgets", #"{"name": "Alles", "limit_minor": 1}"#)
            #expect(same.status == .unprocessableContent)
            let changeAnswer = try await caller.change(.patch, budget, #"{"limit_minor": 10000}"#, tag)
            #expect(try changeAnswer.json["current"]?["left_minor"]?.integer == 5500)
            #expect(try changeAnswer.json["name"]?.string == "Alles")
            let next = try #require(changeAnswer.headers[.etag])
            #expect(try await caller.send(.delete, budget, fields: ["If-Match": next]).status == .noContent)

            let until = WallClock.today().adding(days: 200).iso
            let (goal, secondTag, _) = try await caller.create(
                "goals", #"{"name": "Urlaub", "target_minor": 90000, "until": "\#(until)"}"#)
            let depositAnswer = try await caller.change(
                .post, "\(goal)/deposits", #"{"amount_minor": 30000}"#, secondTag)
            #expect(try depositAnswer.json["saved_minor"]?.integer == 30000, "\(depositAnswer.text)")
            let deposit = try #require(try depositAnswer.json["deposits"]?.array?.first?["id"]?.string)
            let removalAnswer = try await caller.send(
                .delete, "\(goal)/deposits/\(deposit)", fields: ["If-Match": depositAnswer.headers[.etag] ?? ""])
            #expect(try removalAnswer.json["saved_minor"]?.integer == 0)
        }
    }

    @Test(.database) func `a rule can be tried, applied and undone`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (expense, _, _) = try await caller.create("expenses", #"{"what": "Xylophon", "amount_minor": 900}"#)
            let (rule, tag, _) = try await caller.create(
                "expense-rules", #"{"contains": "xylophon", "labels": ["musik"]}"#)
            #expect(try await caller.get("\(rule)/trial").json["count"]?.integer == 1)
            let run = try await caller.change(.post, "\(rule)/application", "{}", tag)
            #expect(try run.json["changed"]?.integer == 1)
            #expect(try await caller.get(expense).json["labels"]?.array?.count == 1)
            let id = try #require(try run.json["run_id"]?.string)
            #expect(try await caller.send(.delete, "/api/v1/expense-rule-runs/\(id)").status == .noContent)
            #expect(try await caller.get(expense).json["labels"]?.array?.isEmpty == true)
            let (second, secondTag, _) = try await caller.create(
                "expense-rules", #"{"contains": "zither", "labels": ["musik"]}"#)
            #expect(try await caller.change(.post, "\(second)/move", #"{"up": true}"#, secondTag).status == .ok)
            let order = try await caller.get("/api/v1/expense-rules").json["expense_rules"]?.array
            #expect(order?.first?["contains"]?.string == "zither")
            let empty = try await caller.post("/api/v1/expense-rules", #"{"labels": ["musik"]}"#)
            #expect(empty.status == .unprocessableContent)
        }
    }

    @Test(.database) func `a recurring expense states its next date and whether a payment is missing`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, tag, made) = try await caller.create(
                "recurring-expenses", #"{"name": "Miete", "amount_minor": 90000, "starts_on": "2026-03-01"}"#)
            #expect(made["next"]?.string == "2026-03-01" && made["is_missing"]?.bool == true)
            let changeAnswer = try await caller.change(.patch, path, #"{"amount_minor": 95000}"#, tag)
            #expect(try changeAnswer.json["amount_minor"]?.integer == 95000)
            #expect(try await caller.get("/api/v1/recurring-expenses/proposals").status == .ok)
            let next = try #require(changeAnswer.headers[.etag])
            #expect(try await caller.send(.delete, path, fields: ["If-Match": next]).status == .noContent)
        }
    }

    @Test(.database) func `adding a rate converts an expense to the household's currency`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, _, made) = try await caller.create(
                "expenses",
                #"{"what": "Museum", "amount_minor": 2000, "currency": "USD", "day": "2026-03-05"}"#)
            #expect(made["home_minor"] == .null)
            let address = "/api/v1/exchange-rates/USD/2026-03-04"
            func put(_ rate: Int, _ tag: String? = nil) async throws -> Answer {
                try await caller.send(
                    .put, address, type: "application/json", Array(#"{"per_euro_millionths": \#(rate)}"#.utf8),
                    fields: tag.map { ["If-Match": $0] } ?? [:])
            }
            #expect(try await put(1_250_000, "*").status == .preconditionFailed)
            let rate = try await put(1_000_000)
            #expect(rate.status == .created && rate.location == address, "\(rate.text)")
            let tag = try #require(rate.headers[.etag])
            #expect(try await caller.get(path).json["home_minor"]?.integer == 2000)
            #expect(try await put(1_250_000).status == .preconditionRequired)
            let changeAnswer = try await put(1_250_000, tag)
            #expect(changeAnswer.status == .ok && changeAnswer.headers[.etag] != tag, "\(changeAnswer.text)")
            #expect(try await put(1_100_000, tag).status == .preconditionFailed)
            let currentAnswer = try await caller.get(address)
            #expect(
                currentAnswer.headers[.etag] == changeAnswer.headers[.etag] && currentAnswer.text == changeAnswer.text)
            #expect(try await caller.get(path).json["home_minor"]?.integer == 1600)
            #expect(
                try await caller.get("/api/v1/exchange-rates?currency=USD").json["exchange_rates"]?.array?.count == 1)
            #expect(try await caller.send(.delete, address, fields: ["If-Match": tag]).status == .preconditionFailed)
            let current = try #require(changeAnswer.headers[.etag])
            #expect(try await caller.send(.delete, address, fields: ["If-Match": current]).status == .noContent)
            #expect(try await caller.get(path).json["home_minor"] == .null)
            // A rate that is added again has its first revision again, but another ETag.
            #expect(try await put(1_500_000).status == .created)
            #expect(try await put(1_100_000, tag).status == .preconditionFailed)
            #expect(try await caller.get(address, ["If-None-Match": tag]).status == .ok)
            let euro = try await caller.send(
                .put, "/api/v1/exchange-rates/EUR/2026-03-04", type: "application/json", Array("{}".utf8))
            #expect(euro.status == .notFound)
        }
    }

    @Test(.database) func `a bank file is uploaded, imported once, and its import undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let table = "Datum;Name;Betrag\n05.03.2026;OMV;-62,10\n06.03.2026;Arbeitgeber;2000,00\n"
            let answer = try await caller.send(
                .post, "/api/v1/bank-files?name=bank.csv", type: "text/csv", Array(table.utf8))
            #expect(answer.status == .created, "\(answer.text)")
            let path = try #require(answer.location)
            #expect(try answer.json["bookings"]?.array?.count == 2)
            let other = try await harness.caller(try await harness.join(anna, as: .member))
            #expect(try await other.get(path).status == .notFound)
            let tag = try #require(answer.headers[.etag])
            let mapped = try await caller.change(
                .put, "\(path)/columns", #"{"roles": ["day", "payee", "amount"]}"#, tag)
            let current = try #require(mapped.headers[.etag])
            let decisions = #"{"decisions": [{"row": 1, "decision": "skip"}]}"#
            #expect(try await caller.post("\(path)/confirmation", decisions).status == .preconditionRequired)
            let early = try await caller.change(.post, "\(path)/confirmation", decisions, tag)
            #expect(early.status == .preconditionFailed)
            let done = try await caller.change(.post, "\(path)/confirmation", decisions, current)
            #expect(try done.json["made"]?.integer == 1, "\(done.text)")
            let currentAnswer = try await caller.get(path)
            #expect(try currentAnswer.json["is_imported"]?.bool == true)
            #expect(try currentAnswer.json["bookings"]?.array?.count == 1)
            #expect(try await caller.change(.post, "\(path)/confirmation", "{}", "*").status == .conflict)
            #expect(try await caller.send(.delete, path).status == .preconditionRequired)
            #expect(try await caller.send(.delete, path, fields: ["If-Match": current]).status == .preconditionFailed)
            let last = try #require(currentAnswer.headers[.etag])
            #expect(try await caller.send(.delete, path, fields: ["If-Match": last]).status == .noContent)
            #expect(try await caller.get("/api/v1/expenses").json["expenses"]?.array?.isEmpty == true)
            let unknown = try await caller.send(.post, "/api/v1/bank-files", type: "text/csv", [0xff, 0x00, 0x01])
            #expect(unknown.status == .unprocessableContent && unknown.problem == "problem-invalid-fields")
        }
    }
}
