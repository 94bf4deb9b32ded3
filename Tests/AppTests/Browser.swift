import Domain
import Foundation
import HTTP

@testable import App

/// A browser that keeps cookies and sends the form token of its page. Confined to one test.
final class Browser {
    private let app: App
    private let language: String
    /// The values of the cookies by name. A name includes its prefix, such as `__Host-`.
    var cookies: [String: String] = [:]
    /// The person who signed up or joined with this browser.
    var person = PersonID(high: 0, low: 0)
    var household = HouseholdID(high: 0, low: 0)
    /// The address that its connections come from.
    var peer = PeerAddress.loopback

    init(app: App, language: String) {
        self.app = app
        self.language = language
    }

    func get(_ target: String) async throws -> Answer { try await send(.get, target, type: nil, []) }

    /// Sends a form with the token of `page`, or of a page that every member may see.
    func post(_ target: String, _ fields: KeyValuePairs<String, String> = [:], on page: Answer? = nil) async throws
        -> Answer
    {
        try await post(target, pairs: fields.map { ($0.key, $0.value) }, on: page)
    }

    /// Sends fields that a test computes. A name can occur several times.
    func post(_ target: String, pairs: [(String, String)], on page: Answer? = nil) async throws -> Answer {
        let fields = [("csrf", try await token(page))] + pairs
        let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await send(.post, target, type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    /// Sends a multipart form with token, `fields` and one file, in this order.
    func upload(
        _ target: String, field: String, fileName: String, type: String, _ bytes: [UInt8], on page: Answer? = nil,
        fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        let boundary = "----harness"
        var body: [UInt8] = []
        for (name, value) in [("csrf", try await token(page))] + fields.map({ ($0.key, $0.value) }) {
            body += Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body += Array(
            """
            --\(boundary)\r\nContent-Disposition: form-data; name="\(field)"; filename="\(fileName)"\r\n\
            Content-Type: \(type)\r\n\r\n
            """.utf8)
        body += bytes
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return try await send(.post, target, type: "multipart/form-data; boundary=\(boundary)", body)
    }

    /// Sends any request with the cookies of this browser; `fields` are added to the head.
    ///
    /// - Throws: `RequestRefusal` if the server would answer without calling the app.
    func send(
        _ method: HTTP.Method, _ target: String, type: String?, _ body: [UInt8],
        fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        try await send(method, target, type: type, body: RequestBody(body), fields: fields)
    }

    func send(
        _ method: HTTP.Method, _ target: String, type: String?, body: RequestBody,
        fields: KeyValuePairs<String, String>
    ) async throws -> Answer {
        try await send(method, target, type: type, body: body, pairs: fields.map { ($0.key, $0.value) })
    }

    func send(
        _ method: HTTP.Method, _ target: String, type: String?, _ body: [UInt8], pairs fields: [(String, String)]
    ) async throws -> Answer {
        try await send(method, target, type: type, body: RequestBody(body), pairs: fields)
    }

    private func send(
        _ method: HTTP.Method, _ target: String, type: String?, body: RequestBody, pairs fields: [(String, String)]
    ) async throws -> Answer {
        var text = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost:8080\r\nAccept-Language: \(language)\r\n"
        if !cookies.isEmpty {
            text +=
                "Cookie: \(cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))\r\n"
        }
        if let type {
            text += "Content-Type: \(type)\r\nContent-Length: \(body.declaredLength ?? 0)\r\n"
            if !fields.contains(where: { $0.0 == "Sec-Fetch-Site" }) { text += "Sec-Fetch-Site: same-origin\r\n" }
        }
        for field in fields { text += "\(field.0): \(field.1)\r\n" }
        let input = Array((text + "\r\n").utf8)
        var parser = RequestParser()
        var position = 0
        guard case .head(let message)? = try parser.next(input, &position, end: input.count) else {
            throw IncompleteHead(text: text)
        }
        let head = try RequestHead(
            validating: message, id: RequestID(1), peer: peer, isSecure: false, hosts: app.hosts)
        let response = await app.respond(head, body)
        for field in response.headers.values(.setCookie) { storeCookie(field) }
        return try await Answer(response)
    }

    struct IncompleteHead: Error {
        let text: String
    }

    private func token(_ page: Answer?) async throws -> String {
        if let token = page?.token { return token }
        return try await get("/settings").token ?? ""
    }

    private func storeCookie(_ field: String) {
        let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        cookies[String(pair[0])] = field.contains("Max-Age=0") ? nil : String(pair[1])
    }
}
