import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// The history of a receipt in the API: reading it, undoing changes, and deciding about values that a
/// merge did not keep.
@Suite(.timeLimit(.minutes(5))) struct HistoryAPITests {
    private func changes(_ caller: Caller, _ path: String) async throws -> [JSONValue] {
        try #require(try await caller.get(path).json["changes"]?.array)
    }

    @Test(.database) func `lists a change with its person, and undoes it by a new change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let receipt = try await harness.scene(anna).receiptInChangeLog(harness, [("MILCH", 150)])
            try await caller.patch(receipt, #"{"total_minor": 390}"#)
            let path = "/api/v1/receipts/\(receipt)/history"
            let newest = try #require(try await changes(caller, path).first)
            #expect(newest["kind"] == "changed" && newest["by"] == "Anna Berger" && newest["can_undo"] == true)
            #expect(newest["details"]?.array?.first?["field"] == "total_minor")
            let undo = "\(path)/\(newest["id"]?.integer ?? 0)/undo"
            #expect(try await caller.post(undo, "{}").status == .preconditionRequired)
            #expect(try await caller.post(undo, "{}", ["If-Match": "\"0\""]).status == .preconditionFailed)
            let undone = try await caller.post(undo, "{}", ["If-Match": "*"])
            #expect(undone.status == .ok && undone.headers[.etag] != nil)
            #expect(try undone.json["total_minor"]?.integer != 390)
            #expect(try await changes(caller, path).count == 3)
            // Undoing the change again has no effect.
            #expect(try await caller.post(undo, "{}", ["If-Match": "*"]).status == .ok)
            #expect(try await changes(caller, path).count == 3)
            #expect(try await caller.post("\(path)/999999/undo", "{}", ["If-Match": "*"]).status == .notFound)
        }
    }

    @Test(.database) func `does not undo a change whose fields were changed again later`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let receipt = try await harness.scene(anna).receiptInChangeLog(harness, [("MILCH", 150)])
            try await caller.patch(receipt, #"{"total_minor": 390}"#)
            try await caller.patch(receipt, #"{"total_minor": 400}"#)
            let path = "/api/v1/receipts/\(receipt)/history"
            let older = try await changes(caller, path)[1]
            #expect(older["can_undo"] == false)
            let undo = "\(path)/\(older["id"]?.integer ?? 0)/undo"
            #expect(try await caller.post(undo, "{}", ["If-Match": "*"]).status == .conflict)
            let viewer = try await harness.caller(try await harness.join(anna, as: .viewer))
            #expect(try await changes(viewer, path).count == 3)
            #expect(try await viewer.post(undo, "{}", ["If-Match": "*"]).status == .forbidden)
        }
    }

    @Test(.database) func `splits a long history into pages`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let receipt = try await harness.scene(anna).receiptInChangeLog(harness, [("MILCH", 150)])
            for total in 1...24 { try await caller.patch(receipt, #"{"total_minor": \#(200 + total)}"#) }
            let path = "/api/v1/receipts/\(receipt)/history"
            let first = try await caller.get(path).json
            let next = try #require(first["next"]?.string)
            let remainingPage = try await caller.get("\(path)?cursor=\(next)").json
            let ids = [first, remainingPage].flatMap { $0["changes"]?.array ?? [] }.compactMap { $0["id"]?.integer }
            #expect(ids.count == 25 && ids == Array(Set(ids)).sorted(by: >))
            #expect(remainingPage["next"] == .null)
        }
    }

    @Test(.database) func `stores or dismisses a value that a merge did not keep`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            for stores in [true, false] {
                let (sync, key) = try await HistoryTests.mergedReceipt(harness, anna, ben)
                let history = "/api/v1/receipts/\(key.id)/history"
                let lost = try #require(try await caller.get(history).json["lost_values"]?.array?.first)
                #expect(lost["field"] == "total_minor" && lost["value"] == 149)
                let path = "/api/v1/receipts/\(key.id)/lost-values/\(lost["id"]?.string ?? "")"
                let answer =
                    stores
                    ? try await caller.post(path, "{}", ["If-Match": "*"])
                    : try await caller.send(.delete, path, fields: ["If-Match": "*"])
                #expect(answer.status == (stores ? .ok : .noContent), "\(answer.text)")
                #expect(try await sync.body(key)?["total_minor"] == (stores ? 149 : 139))
                #expect(try await caller.get(history).json["lost_values"]?.array?.isEmpty == true)
            }
        }
    }
}
