import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Programs manage expenses through the API, with the same checks as on the pages.
@Suite(.timeLimit(.minutes(5))) struct ExpenseAPITests {
    @Test(.database) func `an expense needs only text and amount; the API chooses category and payer`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let (path, tag, made) = try await caller.create("expenses", #"{"what": "Diesel", "amount_minor": 6210}"#)
            #expect(made["home_minor"]?.integer == 6210 && made["paid_by"]?.string == anna.person.description)
            let categories = try await caller.get("/api/v1/categories").json["categories"]?.array ?? []
            let fuel = categories.first { $0["name"]?.string == "Tanken" }
            #expect(made["category_id"]?.string == fuel?["id"]?.string && fuel != nil)
            let changeAnswer = try await caller.change(.patch, path, #"{"labels": ["auto"], "category_id": null}"#, tag)
            #expect(changeAnswer.status == .ok, "\(changeAnswer.text)")
            #expect(try changeAnswer.json["labels"]?.array?.compactMap(\.string) == ["auto"])
            #expect(try changeAnswer.json["category_id"] == .null)
            #expect(try await caller.change(.patch, path, "{}", tag).status == .preconditionFailed)
            let spending = try await caller.get("/api/v1/spending").json
            #expect(spending["spent_minor"]?.integer == 6210)
            #expect(try await anna.get("/expenses/list").text.contains("Diesel"))
            let next = try #require(changeAnswer.headers[.etag])
            #expect(try await caller.send(.delete, path, fields: ["If-Match": next]).status == .noContent)
            #expect(try await caller.get(path).status == .notFound)
            #expect(try await caller.get("/api/v1/spending").json["spent_minor"]?.integer == 0)
            #expect(try await caller.post("\(path)/restoration", "{}").status == .ok)
            #expect(try await caller.get("/api/v1/spending").json["spent_minor"]?.integer == 6210)
        }
    }

    @Test(.database) func `a repeated request with the same Idempotency-Key creates one expense`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let json = #"{"what": "Kino", "amount_minor": 1200}"#
            let firstAnswer = try await caller.post("/api/v1/expenses", json, ["Idempotency-Key": "kino-1"])
            let secondAnswer = try await caller.post("/api/v1/expenses", json, ["Idempotency-Key": "kino-1"])
            #expect(firstAnswer.status == .created && secondAnswer.location == firstAnswer.location)
            let all = try await caller.get("/api/v1/expenses").json["expenses"]?.array
            #expect(all?.count == 1)
        }
    }

    @Test(.database) func `the list of expenses has pages and refuses a changed cursor`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            for day in ["2026-03-01", "2026-03-02", "2026-03-02", "2026-03-04"] {
                _ = try await caller.create("expenses", #"{"what": "Kaffee", "amount_minor": 300, "day": "\#(day)"}"#)
            }
            var seen: [String] = []
            var target: String? = "/api/v1/expenses?limit=2"
            while let next = target, seen.count < 10 {
                let page = try await caller.get(next).json
                seen += (page["expenses"]?.array ?? []).compactMap { $0["id"]?.string }
                target = page["next"]?.string.map { "/api/v1/expenses?limit=2&cursor=\($0)" }
            }
            #expect(seen.count == 4 && Set(seen).count == 4)
            let cursor = try #require(
                try await caller.get("/api/v1/expenses?limit=2").json["next"]?.string)
            let otherAnswer = try await caller.get("/api/v1/expenses?limit=2&kind=income&cursor=\(cursor)")
            #expect(otherAnswer.status == .badRequest && otherAnswer.problem == "problem-invalid-cursor")
            let wrong = try await caller.get("/api/v1/expenses?kind=gift")
            #expect(wrong.status == .badRequest)
            let march = try await caller.get("/api/v1/expenses?from=2026-03-02&to=2026-03-03").json
            #expect(march["expenses"]?.array?.count == 2)
            for days in ["from=2.3.26&to=3.3.26", "from=2026-03-02", "from=2026-03-03&to=2026-03-02", "from=&to="] {
                #expect(try await caller.get("/api/v1/expenses?\(days)").status == .badRequest, "\(days)")
            }
        }
    }

    @Test(.database) func `a personal expense is not in answers to other members`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let other = try await harness.caller(try await harness.join(anna, as: .member))
            let (path, tag, _) = try await caller.create(
                "expenses", #"{"what": "Geschenk", "amount_minor": 5000, "is_personal": true}"#)
            #expect(try await other.get(path).status == .notFound)
            #expect(try await other.get("/api/v1/expenses").json["expenses"]?.array?.isEmpty == true)
            #expect(try await other.get("/api/v1/spending").json["spent_minor"]?.integer == 0)
            #expect(try await other.change(.patch, path, #"{"what": "X"}"#, tag).status == .notFound)
            #expect(try await other.send(.delete, path, fields: ["If-Match": "*"]).status == .notFound)
            #expect(try await other.post("\(path)/restoration", "{}").status == .notFound)
            #expect(try await caller.get("/api/v1/spending").json["spent_minor"]?.integer == 5000)
        }
    }

    @Test(.database) func `only the person who entered an expense can make it personal`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let other = try await harness.caller(try await harness.join(anna, as: .member))
            let (path, tag, _) = try await caller.create("expenses", #"{"what": "Kino", "amount_minor": 900}"#)
            let refusal = try await other.change(.patch, path, #"{"is_personal": true}"#, tag)
            #expect(refusal.status == .unprocessableContent && refusal.problem == "problem-invalid-fields")
            let noted = try await other.change(.patch, path, #"{"is_personal": false, "note": "3D"}"#, tag)
            #expect(noted.status == .ok, "\(noted.text)")
            let hidingAnswer = try await caller.change(.patch, path, #"{"is_personal": true}"#, "*")
            #expect(try hidingAnswer.json["is_personal"]?.bool == true)
        }
    }

    @Test(.database, arguments: [#""is_personal": true"#, #""kind": "withdrawal""#])
    func `a personal expense and a withdrawal cannot be split`(field: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let (path, tag, _) = try await caller.create(
                "expenses", #"{"what": "Geld", "amount_minor": 900, \#(field)}"#)
            let refusal = try await caller.change(
                .put, "\(path)/split",
                #"{"method": "equal", "shares": [{"person_id": "\#(anna.person)"}]}"#, tag)
            #expect(refusal.status == .conflict && refusal.problem == "problem-conflict", "\(refusal.text)")
            let removalAnswer = try await caller.send(.delete, "\(path)/split", fields: ["If-Match": tag])
            #expect(removalAnswer.status == .conflict)
        }
    }

    @Test(.database) func `the error names every invalid field of an expense`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let answer = try await caller.post(
                "/api/v1/expenses",
                #"{"amount_minor": 0, "currency": "eur", "day": "2026-02-30", "kind": "gift", "labels": ["a,b"], "x": 1}"#
            )
            #expect(answer.status == .unprocessableContent)
            let names = (try answer.json["errors"]?.array ?? []).compactMap {
                $0["name"]?.string ?? $0["field"]?.string
            }
            #expect(Set(names) == ["what", "amount_minor", "currency", "day", "kind", "labels", "x"], "\(answer.text)")
        }
    }

    @Test(.database) func `an expense can be split, and a settlement makes the balance zero`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let bert = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let (path, tag, _) = try await caller.create("expenses", #"{"what": "Pizza", "amount_minor": 2501}"#)
            let shares = "[\(#"{"person_id": "\#(anna.person)"}"#), \(#"{"person_id": "\#(bert.person)"}"#)]"
            let split = try await caller.change(
                .put, "\(path)/split", #"{"method": "equal", "shares": \#(shares)}"#, tag)
            #expect(split.status == .ok, "\(split.text)")
            let parts = try (split.json["shares"]?.array ?? []).compactMap { $0["amount_minor"]?.integer }
            #expect(parts.reduce(0, +) == 2501)
            let balances = try await caller.get("/api/v1/balances").json["balances"]?.array ?? []
            let transfer = try #require(balances.first?["transfers"]?.array?.first)
            let amount = try #require(transfer["amount_minor"]?.integer)
            #expect(amount == 1250 || amount == 1251)
            let (settled, secondTag, _) = try await caller.create(
                "settlements",
                #"{"from_person": "\#(bert.person)", "to_person": "\#(anna.person)", "amount_minor": \#(amount)}"#)
            #expect(try await caller.get("/api/v1/balances").json["balances"]?.array?.isEmpty == true)
            #expect(try await caller.send(.delete, settled, fields: ["If-Match": secondTag]).status == .noContent)
            #expect(try await caller.get("/api/v1/balances").json["balances"]?.array?.isEmpty == false)
            #expect(try await caller.post("\(settled)/restoration", "{}").status == .ok)
            let next = try #require(split.headers[.etag])
            #expect(try await caller.send(.delete, "\(path)/split", fields: ["If-Match": next]).status == .ok)
            #expect(try await caller.get(path).json["split"] == .null)
        }
    }

    @Test(.database)
    func `an expense is sent again, not answered with 304, if its exchange rate or its receipt has changed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let (path, tag, made) = try await caller.create(
                "expenses",
                #"{"what": "Hotel", "amount_minor": 10000, "currency": "USD", "day": "2026-03-05"}"#)
            #expect(made["home_minor"] == .null)
            let rate = try await caller.send(
                .put, "/api/v1/exchange-rates/USD/2026-03-05", type: "application/json",
                Array(#"{"per_euro_millionths": 1250000}"#.utf8))
            #expect(rate.status == .created, "\(rate.text)")
            let converted = try await caller.get(path, ["If-None-Match": tag])
            #expect(converted.status == .ok)
            #expect(try converted.json["home_minor"]?.integer == 8000)

            let receipt = try harness.scene(anna).receipt([("TOMATEN", 151)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let bought = try await caller.get("/api/v1/expenses/\(receipt)")
            let boughtTag = try #require(bought.headers[.etag])
            try await caller.patch(receipt, #"{"store": "Greissler"}"#)
            let renamed = try await caller.get("/api/v1/expenses/\(receipt)", ["If-None-Match": boughtTag])
            #expect(renamed.status == .ok)
            #expect(try renamed.json["payee"]?.string == "Greissler")
        }
    }
}
