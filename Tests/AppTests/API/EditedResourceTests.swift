import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Behaviour that all editable resources of the API have in common.
@Suite(.timeLimit(.minutes(5))) struct EditedResourceTests {
    struct Sample: CustomTestStringConvertible {
        let name: String
        let new: String
        /// A changed field; nil for resources without PATCH.
        let change: String?

        var testDescription: String { name }
    }

    private static let samples = [
        Sample(
            name: "expenses", new: #"{"what": "Kino", "amount_minor": 900, "day": "2026-03-05"}"#,
            change: #"{"amount_minor": 901}"#),
        Sample(name: "budgets", new: #"{"name": "Essen", "limit_minor": 9000}"#, change: #"{"limit_minor": 9100}"#),
        Sample(
            name: "goals", new: #"{"name": "Urlaub", "target_minor": 9000, "until": "2099-01-01"}"#,
            change: #"{"target_minor": 9100}"#),
        Sample(
            name: "expense-rules", new: #"{"contains": "wirt", "labels": ["Wort"]}"#,
            change: #"{"contains": "gasthaus"}"#),
        Sample(
            name: "recurring-expenses", new: #"{"name": "Miete", "amount_minor": 9000}"#,
            change: #"{"amount_minor": 9100}"#),
        Sample(
            name: "settlements", new: #"{"amount_minor": 500, "from_person": "BEN", "to_person": "ANNA"}"#, change: nil),
    ]

    @Test(.database, arguments: samples)
    func `a resource is created, changed and removed with its ETag`(sample: Sample) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let new = sample.new.replacing("ANNA", with: "\(anna.person)").replacing("BEN", with: "\(ben.person)")
            let all = "/api/v1/\(sample.name)"
            let creationAnswer = try await caller.post(all, new, ["Idempotency-Key": "once"])
            #expect(creationAnswer.status == .created, "\(creationAnswer.text)")
            let secondAnswer = try await caller.post(all, new, ["Idempotency-Key": "once"])
            #expect(secondAnswer.location == creationAnswer.location && secondAnswer.text == creationAnswer.text)
            let one = try #require(creationAnswer.location)
            var tag = try #require(creationAnswer.headers[.etag])
            let currentAnswer = try await caller.get(one)
            #expect(currentAnswer.text == creationAnswer.text && currentAnswer.headers[.etag] == tag)
            let list = try await caller.get(all).json[sample.name.replacing("-", with: "_")]?.array
            #expect(try list?.map { $0["id"] } == [creationAnswer.json["id"]])

            if let change = sample.change {
                func patch(_ fields: KeyValuePairs<String, String>) async throws -> Answer {
                    try await caller.send(.patch, one, type: "application/json", Array(change.utf8), fields: fields)
                }
                #expect(try await patch([:]).status == .preconditionRequired)
                let changeAnswer = try await patch(["If-Match": tag])
                #expect(changeAnswer.status == .ok, "\(changeAnswer.text)")
                let stale = try await patch(["If-Match": tag])
                #expect(stale.status == .preconditionFailed && stale.headers[.etag] == changeAnswer.headers[.etag])
                #expect(try await caller.send(.delete, one, fields: ["If-Match": tag]).status == .preconditionFailed)
                tag = try #require(changeAnswer.headers[.etag])
            }
            #expect(try await caller.send(.delete, one).status == .preconditionRequired)
            #expect(try await caller.send(.delete, one, fields: ["If-Match": tag]).status == .noContent)
            #expect(try await caller.get(one).status == .notFound)
            #expect(try await caller.send(.delete, one, fields: ["If-Match": "*"]).status == .notFound)
        }
    }

    @Test(.database) func `every change of a document with a revision requires its ETag`() async throws {
        let document = try APIDescriptionTests.document()
        try await AppHarness.run { harness in
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let (caller, connection) = (try await harness.caller(mine.owner), try harness.owner())
            // The first request with the key stores the time of use, so it is sent before the checksums are computed.
            #expect(try await caller.get("/api/v1/members/me").status == .ok)
            let checksumsBefore = try mine.checksums(connection)
            var count = 0
            for route in harness.app.routes.routes {
                let operation = document["paths"]?[route.pattern]?[route.method.name.lowercased()]
                let parameters = (operation?["parameters"]?.array ?? []).compactMap { $0["$ref"]?.string }
                guard parameters.contains("#/components/parameters/IfMatch") else { continue }
                func send(
                    _ fields: KeyValuePairs<String, String>, _ value: (String) -> String
                ) async throws -> Answer {
                    try await caller.send(
                        route.method, route.pattern.replacing(#/\{(\w+)\}/#) { value(String($0.output.1)) },
                        type: "application/json", Array(APIBodies.of(route, [:]).utf8), fields: fields)
                }
                let request = "\(route.method) \(route.pattern)"
                let missing = try await send([:]) { mine.first($0) }
                #expect(missing.status == .preconditionRequired, "\(request): \(missing.status)")
                #expect(missing.problem == "problem-precondition-required", "\(request)")
                let stale = try await send(["If-Match": "\"999999\""]) { mine.first($0) }
                #expect(stale.status == .preconditionFailed, "\(request): \(stale.status)")
                #expect(stale.problem == "problem-precondition-failed", "\(request)")
                #expect(stale.headers[.etag] != nil && stale.headers[.etag] == missing.headers[.etag], "\(request)")
                let unknownID = OperationID.new().description
                let unknownAnswer = try await send(["If-Match": "*"]) { $0 == "day" ? mine.first($0) : unknownID }
                #expect(unknownAnswer.status == .notFound, "\(request): \(unknownAnswer.status)")
                #expect(unknownAnswer.problem == "problem-not-found", "\(request)")
                count += 1
            }
            #expect(count > 30)
            #expect(try mine.checksums(connection) == checksumsBefore)
        }
    }

    /// Sends a change with a separate browser, so that changes can be simultaneous.
    private static func change(
        _ path: String, _ json: String, _ tag: String, key: String, _ harness: AppHarness
    ) async throws -> Status {
        try await Caller(browser: harness.browser(), key: key).post(path, json, ["If-Match": tag]).status
    }

    @Test(.database, arguments: ["deposit", "move", "undo"])
    func `only one of two simultaneous changes with the same ETag is stored`(name: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            var resource = ""
            var (path, json) = ("", "{}")
            switch name {
            case "deposit":
                let creationAnswer = try await caller.post(
                    "/api/v1/goals", #"{"name": "Urlaub", "target_minor": 9000, "until": "2099-01-01"}"#)
                resource = try #require(creationAnswer.location)
                (path, json) = ("\(resource)/deposits", #"{"amount_minor": 100}"#)
            case "move":
                for text in ["wirt", "gasthaus"] {
                    let ruleAnswer = try await caller.post(
                        "/api/v1/expense-rules", #"{"contains": "\#(text)", "labels": ["Wort"]}"#)
                    resource = try #require(ruleAnswer.location)
                }
                (path, json) = ("\(resource)/move", #"{"up": true}"#)
            default:
                let receipt = try await harness.scene(anna).receiptInChangeLog(harness, [("MILCH", 150)])
                try await caller.patch(receipt, #"{"total_minor": 390}"#)
                resource = "/api/v1/receipts/\(receipt)"
                let change = try await caller.get("\(resource)/history").json["changes"]?.array?.first
                path = "\(resource)/history/\(try #require(change?["id"]?.integer))/undo"
            }
            let tag = try #require(try await caller.get(resource).headers[.etag])

            let (owner, locking) = (try harness.owner(), try harness.owner())
            try locking.query("BEGIN")
            // Stops both requests between their check of the ETag and their change.
            try locking.query("SELECT 1 FROM household WHERE id = \(anna.household) FOR NO KEY UPDATE")
            let (target, body, key) = (path, json, caller.key)
            async let first = Self.change(target, body, tag, key: key, harness)
            async let second = Self.change(target, body, tag, key: key, harness)
            try await owner.waitForBlockedStatement(count: 2)
            try locking.query("COMMIT")
            let statuses = [try await first, try await second]
            #expect(statuses.contains(.ok) && statuses.contains(.conflict), "\(statuses)")
        }
    }
}
