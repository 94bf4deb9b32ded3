import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

extension ArchivedScene {
    /// Adds expenses and all related resources through the API.
    func addMoney() async throws {
        let ben = try await harness.join(anna, as: .member)
        let caller = try await harness.caller(anna)
        func make(_ path: String, _ json: String) async throws -> (path: String, tag: String) {
            let creationAnswer = try await caller.post("/api/v1/\(path)", json)
            try #require(creationAnswer.status == .created, "\(path): \(creationAnswer.text)")
            return (try #require(creationAnswer.location), try #require(creationAnswer.headers[.etag]))
        }
        func change(_ method: HTTP.Method, _ path: String, _ json: String) async throws {
            let answer = try await caller.send(
                method, path, type: "application/json", Array(json.utf8), fields: ["If-Match": "*"])
            try #require(answer.status == .ok, "\(path): \(answer.text)")
        }
        _ = try await make(
            "expenses", #"{"what": "Hotel", "amount_minor": 10000, "currency": "USD", "day": "2026-11-03"}"#)
        _ = try await make(
            "expenses", #"{"what": "Geheim", "amount_minor": 900, "day": "2026-11-03", "is_personal": true}"#)
        let category = try #require(
            try harness.owner().query(
                "SELECT id FROM category WHERE household_id = \(household) ORDER BY position, id LIMIT 1"
            ).first(CategoryID.self))
        let musical = #""what": "Xylophon", "labels": ["musik"], "category_id": "\#(category)""#
        let dinner = try await make("expenses", #"{"amount_minor": 3001, "day": "2026-11-04", \#(musical)}"#)
        let shares = #"[{"person_id": "\#(anna.person)"}, {"person_id": "\#(ben.person)"}]"#
        let equally = #""method": "equal", "shares": \#(shares)"#
        try await change(.put, "\(dinner.path)/split", #"{\#(equally), "is_default": true}"#)
        _ = try await make(
            "settlements",
            #"{"from_person": "\#(ben.person)", "to_person": "\#(anna.person)", "amount_minor": 500, "day": "2026-11-05"}"#
        )
        let rate = try await caller.send(
            .put, "/api/v1/exchange-rates/USD/2026-11-02", type: "application/json",
            Array(#"{"per_euro_millionths": 1250000}"#.utf8))
        try #require(rate.status == .created, "\(rate.text)")
        _ = try await make("budgets", #"{"name": "Alles", "limit_minor": 10000, "person_id": "\#(ben.person)"}"#)
        let rule = try await make(
            "expense-rules", #"{"contains": "xylophon", "labels": ["laut"], "people": ["\#(ben.person)"]}"#)
        try await change(.post, "\(rule.path)/application", "{}")
        _ = try await make("recurring-expenses", #"{"name": "Miete", "amount_minor": 80000}"#)
        let until = WallClock.today().adding(days: 100).iso
        let goal = try await make("goals", #"{"name": "Urlaub", "target_minor": 50000, "until": "\#(until)"}"#)
        try await change(.post, "\(goal.path)/deposits", #"{"amount_minor": 2000}"#)
        try await addBankFiles(caller)
        try await splitReceipt(with: ben)
    }

    /// Splits a receipt by line: the first line for one member, the others for both.
    private func splitReceipt(with ben: Browser) async throws {
        let owner = try harness.owner()
        let (receipt, line) = try #require(
            try owner.query(
                """
                SELECT r.id, l.id FROM receipt r JOIN receipt_line l ON l.receipt_id = r.id
                WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL AND r.discarded_at IS NULL LIMIT 1
                """
            ).first((ReceiptID, ReceiptLineID).self))
        let split = try await anna.post(
            "/expenses/\(receipt)/split",
            pairs: [
                ("method", "lines"), ("revision", "0"), ("paid-by", "\(anna.person)"), ("with-\(anna.person)", "1"),
                ("with-\(ben.person)", "1"), ("line-\(line)", "\(ben.person)"),
            ])
        try #require(split.status == .seeOther, "\(split.text)")
    }

    /// Enters the expense of the imported line again, and joins both expenses.
    private func addPair(_ caller: Caller) async throws {
        let entered = try await caller.post(
            "/api/v1/expenses", #"{"what": "Kino", "amount_minor": 900, "day": "2026-11-05"}"#)
        let id = try #require(try entered.json["id"]?.string, "\(entered.text)")
        let made = try #require(
            try harness.owner().query(
                "SELECT id FROM expense WHERE household_id = \(household) AND source = 'bank'"
            ).first(ExpenseID.self))
        let answer = try await anna.post("/expenses/\(made)/bank-pairs", ["other": id])
        try #require(answer.location == "/bank-files", "\(answer.text)")
    }

    /// Adds an imported bank file, and a bank file with assigned columns that waits for confirmation.
    private func addBankFiles(_ caller: Caller) async throws {
        for text in ["Datum;Empfänger;Betrag\n05.11.2026;Kino;-9,00\n", "Wann;Wo;Wieviel\n05.11.2026;Bad;-4,00\n"] {
            let answer = try await caller.send(.post, "/api/v1/bank-files", type: "text/csv", Array(text.utf8))
            let path = try #require(answer.location, "\(answer.text)")
            if text.hasPrefix("Datum") {
                let done = try await caller.post("\(path)/confirmation", "{}", ["If-Match": "*"])
                try #require(try done.json["made"]?.integer == 1, "\(done.text)")
                try await addPair(caller)
            } else {
                let mapped = try await caller.change(
                    .put, "\(path)/columns", #"{"roles": ["day", "payee", "amount"]}"#, "*")
                try #require(mapped.status == .ok, "\(mapped.text)")
            }
        }
    }
}
