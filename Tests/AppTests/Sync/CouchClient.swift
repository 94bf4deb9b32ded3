import Domain
import HTTP
import JSON
import Testing

@testable import App

/// A CouchDB client that uses an API key.
struct CouchClient {
    let caller: Caller
    let base: String

    init(_ harness: AppHarness, _ browser: Browser) async throws {
        caller = try await harness.caller(browser, scopes: [.sync])
        base = "/api/v1/couch/\(browser.household)"
    }

    func get(_ path: String) async throws -> Answer { try await caller.get(base + path) }

    func post(_ path: String, _ body: JSONValue) async throws -> Answer {
        try await caller.post(base + path, String(decoding: body.bytes, as: UTF8.self))
    }

    func put(_ path: String, _ body: JSONValue) async throws -> Answer {
        try await caller.send(.put, base + path, type: "application/json", body.bytes)
    }

    func delete(_ path: String) async throws -> Answer { try await caller.send(.delete, base + path) }

    /// Pushes revisions as a replicator does, and returns the refused ones.
    func push(_ documents: [JSONValue]) async throws -> [JSONValue] {
        let answer = try await post("/_bulk_docs", ["docs": .array(documents), "new_edits": false])
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.json.array ?? []
    }

    /// All rows of `_changes`, by document id.
    func changes(_ query: String = "") async throws -> [String: JSONValue] {
        let rows = try await get("/_changes?style=all_docs\(query)").json["results"]?.array ?? []
        return Dictionary(rows.compactMap { row in row["id"]?.string.map { ($0, row) } }) { _, last in last }
    }

    /// Returns a revision as replicators send it.
    ///
    /// - Parameter names: the revision, such as `2-b`, and its ancestors from new to old.
    static func revision(_ id: String, _ names: [String], _ body: JSONValue, deleted: Bool = false) -> JSONValue {
        var object = body.object ?? JSONObject()
        object["_id"] = .string(id)
        object["_rev"] = .string(names[0])
        let parts = names.map { $0.split(separator: "-", maxSplits: 1).map(String.init) }
        object["_revisions"] = [
            "start": .number(parts[0][0]), "ids": .array(parts.map { .string($0[1]) }),
        ]
        if deleted { object["_deleted"] = true }
        return .object(object)
    }
}
