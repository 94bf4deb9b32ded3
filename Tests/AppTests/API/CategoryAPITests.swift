import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Programs add and rename categories, with the same checks as on the page.
@Suite(.timeLimit(.minutes(5))) struct CategoryAPITests {
    @Test(.database) func `a category is added once, and renamed with its ETag`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let all = "/api/v1/categories"
            let fuel = try #require(
                try await caller.get(all).json["categories"]?.array?.first { $0["name"]?.string == "Tanken" })
            let parent = try #require(fuel["id"]?.string)
            func add(_ name: String, _ key: String = "") async throws -> Answer {
                let body = #"{"name": "\#(name)", "parent_id": "\#(parent)"}"#
                guard !key.isEmpty else { return try await caller.post(all, body) }
                return try await caller.post(all, body, ["Idempotency-Key": key])
            }
            let creationAnswer = try await add("Waschanlage", "eins")
            #expect(creationAnswer.status == .created, "\(creationAnswer.text)")
            #expect(try creationAnswer.json["name"] == "Waschanlage" && creationAnswer.json["colour"] == fuel["colour"])
            // The state after a server was killed before it stored the answer.
            try harness.owner().query(
                "UPDATE idempotent_request SET status = NULL, leased_until = now() - interval '1 second'")
            #expect(try await add("Waschanlage", "eins").status == .conflict)
            let takenNameAnswer = try await add("Waschanlage")
            #expect(
                takenNameAnswer.status == .unprocessableContent && takenNameAnswer.text.contains("is taken"),
                "\(takenNameAnswer.text)")
            let one = try #require(creationAnswer.location)
            let tag = try #require(creationAnswer.headers[.etag])
            func rename(_ name: String) async throws -> Answer {
                try await caller.change(.patch, one, #"{"name": "\#(name)"}"#, tag)
            }
            #expect(try await rename("Autowäsche").json["name"] == "Autowäsche")
            #expect(try await rename("Reifen").status == .preconditionFailed)
            #expect(try await caller.get(one).json["name"] == "Autowäsche")
        }
    }

    @Test(.database) func `refuses a category with an empty name, an unknown parent or unknown fields`()
        async throws
    {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let answer = try await caller.post(
                "/api/v1/categories", #"{"name": " ", "parent_id": "\#(CategoryID.new())", "x": 1}"#)
            #expect(answer.status == .unprocessableContent)
            let fields = (try answer.json["errors"]?.array ?? []).compactMap { $0["field"]?.string }
            #expect(Set(fields) == ["name", "parent_id", "x"], "\(answer.text)")
        }
    }
}
