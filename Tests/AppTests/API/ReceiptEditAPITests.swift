import Domain
import HTTP
import JSON
import Postgres
import Templates
import TestSupport
import Testing

@testable import App

/// Programs enter, change and confirm receipts through the API, with the same checks as on the review page.
@Suite(.timeLimit(.minutes(5))) struct ReceiptEditAPITests {
    private static let milk = #"{"printed_name": "VOLLMILCH 1L", "total_minor": 149, "vat_class": "A"}"#

    /// Creates an empty manual receipt, and returns its path and ETag.
    private static func createDraft(_ caller: Caller) async throws -> (path: String, tag: String) {
        let creationAnswer = try await caller.post("/api/v1/receipts/drafts", "{}")
        try #require(creationAnswer.status == .created)
        return (try #require(creationAnswer.location), try #require(creationAnswer.headers[.etag]))
    }

    @Test(.database) func `a receipt entered by a program counts as spending after its confirmation`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let (path, tag) = try await Self.createDraft(caller)
            let today = WallClock.today().iso
            let saveAnswer = try await caller.send(
                .patch, path, type: "application/json",
                Array(
                    #"{"store": "Greissler", "purchase_day": "\#(today)", "total_minor": 149, "lines": [\#(Self.milk)]}"#
                        .utf8),
                fields: ["If-Match": tag])
            #expect(saveAnswer.status == .ok, "\(saveAnswer.text)")
            let receipt = try saveAnswer.json
            #expect(receipt["store"]?.string == "Greissler" && receipt["lines"]?.array?.count == 1)
            let line = try #require(receipt["lines"]?.array?.first)
            #expect(
                line["unit_price_thousandths"]?.integer == 149_000 && line["quantity_thousandths"]?.integer == 1_000)
            let next = try #require(saveAnswer.headers[.etag])
            let confirmationAnswer = try await caller.post("\(path)/confirmation", "{}", ["If-Match": next])
            #expect(confirmationAnswer.status == .ok, "\(confirmationAnswer.text)")
            #expect(try confirmationAnswer.json["state"]?.string == "confirmed")
            #expect(try await anna.get("/receipts").text.contains("Greissler"))
            let overview = try await caller.get("/api/v1/overview").json
            #expect(overview["spending"]?.array?.first?["amount_minor"]?.integer == 149)
        }
    }

    @Test(.database) func `a change needs the current ETag`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, tag) = try await Self.createDraft(caller)
            let without = try await caller.send(.patch, path, type: "application/json", Array("{}".utf8))
            #expect(without.status == .preconditionRequired && without.problem == "problem-precondition-required")
            let change = Array(#"{"store": "Greissler"}"#.utf8)
            func save(_ tag: String) async throws -> Answer {
                try await caller.send(.patch, path, type: "application/json", change, fields: ["If-Match": tag])
            }
            #expect(try await save("").status == .preconditionRequired)
            #expect(try await save(tag).status == .ok)
            let stale = try await save(tag)
            #expect(stale.status == .preconditionFailed && stale.problem == "problem-precondition-failed")
            #expect(stale.headers[.etag] == (try await caller.get(path).headers[.etag]))
            #expect(try await save("W/\(stale.headers[.etag] ?? "")").status == .ok)
        }
    }

    @Test(.database) func `the ETag of a receipt changes when one of its products is renamed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("TOMATEN", 151)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            _ = try await anna.post("/matching/new-products")
            let storedProduct = try scene.owner.query("SELECT id, revision FROM product").first((ProductID, Int64).self)
            let (product, revision) = try #require(storedProduct)
            let caller = try await harness.caller(anna)
            let paths = ["/api/v1/receipts/\(receipt)", "/api/v1/receipts/\(receipt)/lines"]
            let tag = try #require(try await caller.get(paths[0]).headers[.etag])
            let renameAnswer = try await anna.post(
                "/products/\(product)", ["revision": "\(revision)", "name": "Rispentomaten", "category": ""])
            #expect(renameAnswer.status == .seeOther)
            for path in paths {
                let secondAnswer = try await caller.get(path, ["If-None-Match": tag])
                #expect(secondAnswer.status == .ok && secondAnswer.text.contains("Rispentomaten"), "\(path)")
            }
        }
    }

    @Test(.database) func `a change between the check of the ETag and the write is a conflict`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try harness.scene(anna).receipt([("TOMATEN", 151)], pages: 0)
            let member = SyncScene(harness, anna).member
            // Loads the receipt, as a request does to check If-Match.
            let loaded = try await StoredReceiptQueries(database: harness.database).receipt(receipt, member)
            try await harness.change(receipt, #"{"store": "Greissler"}"#, by: anna)
            let form = ReviewForm(
                loaded.draft, revision: loaded.revision, identity: "test", .german, harness.app.texts[Language.german])
            await #expect(throws: Conflict.self) {
                _ = try await ReceiptEdits(database: harness.database).save(
                    receipt, form, confirms: false, mergesLate: false, member)
            }
        }
    }

    @Test(.database) func `the error names every invalid field`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, _) = try await Self.createDraft(caller)
            let wrong = """
                {"purchase_day": "2026-02-30", "total_minor": 1.5, "note": "x", "currency": "XXX",
                 "lines": [{"printed_name": "", "total_minor": null}, 7, {"id": "\(ReceiptLineID.new())"}]}
                """
            let answer = try await caller.change(.patch, path, wrong, "*")
            #expect(answer.status == .unprocessableContent && answer.problem == "problem-invalid-fields")
            let fields = Set(try answer.json["errors"]?.array?.compactMap { $0["field"]?.string } ?? [])
            #expect(
                fields.isSuperset(of: [
                    "purchase_day", "total_minor", "note", "currency", "lines/0/printed_name", "lines/0/total_minor",
                    "lines/1", "lines/2/id",
                ]), "\(fields)")
            for (body, type, status) in [
                ("{", "application/json", Status.badRequest), ("[]", "application/json", .badRequest),
                (#"{"store": "a", "store": "b"}"#, "application/json", .badRequest),
                ("store=a", "application/x-www-form-urlencoded", .unsupportedMediaType),
            ] {
                let refusal = try await caller.send(
                    .patch, path, type: type, Array(body.utf8), fields: ["If-Match": "*"])
                #expect(refusal.status == status, "\(body)")
            }
        }
    }

    @Test(.database) func `the error names an amount that is too large`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, _) = try await Self.createDraft(caller)
            func save(_ amount: Int64) async throws -> Answer {
                let line = #"{"printed_name": "GOLD", "total_minor": \#(amount)}"#
                return try await caller.change(.patch, path, #"{"total_minor": \#(amount), "lines": [\#(line)]}"#, "*")
            }
            for amount in [Money.limit + 1, -Money.limit - 1] {
                let refusal = try await save(amount)
                #expect(refusal.status == .unprocessableContent, "\(refusal.text)")
                let fields = try refusal.json["errors"]?.array?.compactMap { $0["field"]?.string }
                #expect(fields == ["total_minor", "lines/0/total_minor"])
            }
            for amount in [Money.limit, -Money.limit] {
                let saveAnswer = try await save(amount)
                #expect(saveAnswer.status == .ok, "\(saveAnswer.text)")
                #expect(try saveAnswer.json["total_minor"]?.integer == amount)
            }
        }
    }

    @Test(.database) func `lines are added, changed and deleted`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, _) = try await Self.createDraft(caller)
            let additionAnswer = try await caller.post("\(path)/lines", Self.milk, ["If-Match": "*"])
            #expect(additionAnswer.status == .created)
            let id = try #require(try additionAnswer.json["lines"]?.array?.first?["id"]?.string)
            let changeAnswer = try await caller.change(
                .patch, "\(path)/lines/\(id)", #"{"quantity_thousandths": 2000}"#, "*")
            // The unit price is computed from amount and quantity, as on the review page.
            #expect(try changeAnswer.json["lines"]?.array?.first?["unit_price_thousandths"]?.integer == 74_500)
            let removalAnswer = try await caller.send(.delete, "\(path)/lines/\(id)", fields: ["If-Match": "*"])
            #expect(removalAnswer.status == .ok)
            #expect(try removalAnswer.json["lines"]?.array?.isEmpty == true)
            #expect(
                try await caller.send(.delete, "\(path)/lines/\(id)", fields: ["If-Match": "*"]).status == .notFound)
        }
    }

    @Test(.database) func `a receipt is discarded and restored`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, tag) = try await Self.createDraft(caller)
            let discardAnswer = try await caller.post("\(path)/discard", "{}", ["If-Match": tag])
            #expect(try discardAnswer.json["state"]?.string == "discarded")
            #expect(try await caller.get("/api/v1/receipts").json["receipts"]?.array?.isEmpty == true)
            #expect(try await caller.get("/api/v1/receipts?state=discarded").json["receipts"]?.array?.count == 1)
            let restorationAnswer = try await caller.post("\(path)/restoration", "{}", ["If-Match": "*"])
            #expect(try restorationAnswer.json["state"]?.string == "review")
            let secondAnswer = try await caller.post("\(path)/rereading", "{}", ["If-Match": "*"])
            #expect(secondAnswer.status == .conflict && secondAnswer.problem == "problem-conflict")
        }
    }

    @Test(.database) func `a repeated request adds its line once`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let (path, tag) = try await Self.createDraft(caller)
            for _ in 0..<2 {
                let additionAnswer = try await caller.post(
                    "\(path)/lines", Self.milk, ["If-Match": tag, "Idempotency-Key": "zeile-1"])
                #expect(additionAnswer.status == .created)
            }
            #expect(try await caller.get("\(path)/lines").json["lines"]?.array?.count == 1)
        }
    }

    @Test(.database) func `imports a table after its confirmation, and exports its rows`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp(language: "en"))
            let table = "Name;Price;Category;Shop;Datum\r\nMilch;1,49;;Spar;04.03.2026\r\nkaputt;;;;\r\n"
            let answer = try await caller.send(.post, "/api/v1/imports?name=a.csv", type: "text/csv", Array(table.utf8))
            #expect(answer.status == .created, "\(answer.text)")
            #expect(try answer.json["new"]?.integer == 1 && answer.json["not_understood"]?.array?.count == 1)
            let path = try #require(answer.location)
            let confirmationAnswer = try await caller.post("\(path)/confirmation", "{}")
            #expect(try confirmationAnswer.json["imported"]?.integer == 1)
            #expect(try await caller.get(path).status == .notFound)
            #expect(try await caller.get("/api/v1/export.csv").text.contains("Milch"))
            let wrong = try await caller.send(.post, "/api/v1/imports", type: "text/csv", Array("x".utf8))
            #expect(wrong.status == .unprocessableContent)
        }
    }

    @Test(.database)
    func `a key can create a key with at most its own scopes; a repeated request does not show the new key`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.admin, .read])
            let refusal = try await caller.post("/api/v1/keys", #"{"name": "x", "scopes": ["write"]}"#)
            #expect(refusal.status == .unprocessableContent)
            func make() async throws -> JSONValue {
                try await caller.post(
                    "/api/v1/keys", #"{"name": "x", "scopes": ["read"], "days": 30}"#, ["Idempotency-Key": "k"]
                ).json
            }
            let first = try await make()
            let secret = try #require(first["key"]?.string)
            #expect(try await Caller(browser: harness.browser(), key: secret).get("/api/v1/members").status == .ok)
            let second = try await make()
            #expect(second["id"] == first["id"] && second["key"]?.isNull == true)
            let id = first["id"]?.string ?? ""
            #expect(try await caller.send(.delete, "/api/v1/keys/\(id)").status == .noContent)
            #expect(try await caller.send(.delete, "/api/v1/keys/\(id)").status == .notFound)
        }
    }
}
