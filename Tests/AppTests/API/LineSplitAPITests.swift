import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Programs read and write who took which line of a receipt.
@Suite(.timeLimit(.minutes(5))) struct LineSplitAPITests {
    @Test(.database) func `a receipt is split by line, and the answer names who took which line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
            try await harness.confirm(receipt, by: anna)
            let lines = try scene.keys(receipt)
            let path = "/api/v1/expenses/\(receipt)"
            #expect(try await caller.get(path).json["taken"] == [])
            let wine: JSONValue = ["line_id": .string("\(lines[0])"), "person_id": .string("\(paul.person)")]
            let both: JSONValue = .array([anna.person, paul.person].sorted().map { .string("\($0)") })
            func put(_ body: JSONValue) async throws -> Answer {
                try await caller.send(
                    .put, "\(path)/split", type: "application/json", body.bytes, fields: ["If-Match": "*"])
            }
            let payer = JSONValue.string("\(anna.person)")
            let split = try await put(["method": "lines", "taken": [wine], "shared_by": both, "paid_by": payer])
            try #require(split.status == .ok, "\(split.text)")
            for json in [try split.json, try await caller.get(path).json] {
                #expect(json["split"] == "lines" && json["taken"] == [wine] && json["shared_by"] == both)
                // Paul pays the wine and half of the bread.
                let shares = (json["shares"]?.array ?? []).first { $0["person_id"]?.string == "\(paul.person)" }
                #expect(shares?["amount_minor"]?.integer == 1_050)
            }
            let equal = try await put(["method": "equal", "shares": [["person_id": .string("\(paul.person)")]]])
            #expect(try equal.json["taken"] == [] && equal.json["shared_by"] == [])
        }
    }

    @Test(.database) func `refuses a split by line with unknown lines or unpaid lines`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
            try await harness.confirm(receipt, by: anna)
            let line = JSONValue.string("\(try scene.keys(receipt)[0])")
            let person = JSONValue.string("\(anna.person)")
            let taken: JSONValue = ["line_id": line, "person_id": person]
            func errors(_ path: String, _ members: JSONObject) async throws -> [String] {
                var body: JSONObject = ["method": "lines", "paid_by": person]
                for member in members { body[member.name] = member.value }
                let answer = try await caller.send(
                    .put, path, type: "application/json", JSONValue.object(body).bytes, fields: ["If-Match": "*"])
                #expect(answer.status == .unprocessableContent, "\(answer.text)")
                return (try answer.json["errors"]?.array ?? []).compactMap { $0["field"]?.string }
            }
            let path = "/api/v1/expenses/\(receipt)/split"
            #expect(try await errors(path, [:]) == ["shared_by"])
            #expect(try await errors(path, ["taken": [taken]]) == ["shared_by"])
            #expect(try await errors(path, ["taken": [taken, taken], "shared_by": [person]]) == ["taken/1/line_id"])
            let foreign: JSONValue = ["line_id": .string("\(ReceiptLineID.new())"), "person_id": person]
            #expect(try await errors(path, ["taken": [foreign], "shared_by": [person]]) == ["taken/0/line_id"])
            #expect(
                try await errors(path, ["shared_by": [.string("\(PersonID.new())")]]) == ["shared_by"])
            #expect(try await errors(path, ["shares": [], "shared_by": [person]]) == ["shares"])
            let creationAnswer = try await caller.post("/api/v1/expenses", #"{"what": "Kino", "amount_minor": 900}"#)
            let expense = try #require(creationAnswer.location)
            #expect(try await errors("\(expense)/split", ["shared_by": [person]]).contains("method"))
        }
    }
}
