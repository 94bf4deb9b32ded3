import Domain
import HTTP
import JSON
import Testing

@testable import App

/// A program that calls the API with a key.
struct Caller {
    let browser: Browser
    let key: String

    func get(_ target: String, _ fields: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        try await send(.get, target, fields: fields)
    }

    /// Sends JSON text.
    func post(
        _ target: String, _ json: String, _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        try await send(.post, target, type: "application/json", Array(json.utf8), fields: fields)
    }

    func send(
        _ method: HTTP.Method, _ target: String, type: String? = nil, _ body: [UInt8] = [],
        fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        let all = [("Authorization", "Bearer \(key)")] + fields.map { ($0.key, $0.value) }
        return try await browser.send(method, target, type: type, body, pairs: all)
    }

    /// Creates a resource.
    ///
    /// - Returns: the resource's path, ETag and document.
    func create(_ name: String, _ json: String) async throws -> (path: String, tag: String, json: JSONValue) {
        let answer = try await post("/api/v1/\(name)", json)
        try #require(answer.status == .created, "\(name): \(answer.text)")
        return (try #require(answer.location), try #require(answer.headers[.etag]), try answer.json)
    }

    /// Sends JSON text with an ETag.
    func change(_ method: HTTP.Method, _ path: String, _ json: String, _ tag: String) async throws -> Answer {
        try await send(method, path, type: "application/json", Array(json.utf8), fields: ["If-Match": tag])
    }

    /// Changes the current revision of a receipt.
    func patch(_ receipt: ReceiptID, _ json: String) async throws {
        let answer = try await change(.patch, "/api/v1/receipts/\(receipt)", json, "*")
        try #require(answer.status == .ok, "\(answer.text)")
    }

    /// Confirms the current revision of a receipt.
    func confirm(_ receipt: ReceiptID) async throws {
        let answer = try await post(
            "/api/v1/receipts/\(receipt)/confirmation", #"{"accepts_unusual_amounts": true}"#, ["If-Match": "*"])
        try #require(answer.status == .ok, "\(answer.text)")
    }

    /// Discards the current revision of a receipt.
    func discard(_ receipt: ReceiptID) async throws {
        let answer = try await post("/api/v1/receipts/\(receipt)/discard", "{}", ["If-Match": "*"])
        try #require(answer.status == .ok, "\(answer.text)")
    }
}

extension AppHarness {
    /// Creates a key for the person who uses `browser`, and returns a program that uses the key.
    func caller(
        _ browser: Browser, scopes: Set<KeyScope> = Set(KeyScope.allCases), days: Int? = nil
    ) async throws -> Caller {
        let key = try await APIKeys(database: database).create(
            "Test", scopes: scopes, days: days, for: browser.person, in: browser.household)
        return Caller(browser: self.browser(), key: key.secret)
    }
}

extension Answer {
    /// The body as JSON.
    var json: JSONValue { get throws { try JSONValue(reading: bytes) } }

    /// The fragment of a problem document's type; nil for other answers.
    var problem: String? {
        guard headers[.contentType] == "application/problem+json" else { return nil }
        return (try? json)?["type"]?.string.map { String($0.split(separator: "#").last ?? "") }
    }
}
