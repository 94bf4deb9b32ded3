/// The client has disconnected; stop writing.
package struct Disconnected: Error {
    package init() {}
}

/// A response: status, headers and body.
///
/// The server adds Date, Connection, and Content-Length or Transfer-Encoding. It drops the body for HEAD, 204 and 304.
package struct Response: Sendable {
    /// A final status, 200 or more. The server sends 100 itself.
    package var status: Status
    /// The header fields, without those that the server adds.
    package var headers: Headers
    /// The uncompressed body.
    package var body: Body
    /// Whether the server may gzip a body of bytes.
    ///
    /// The lengths of compressed bodies reveal a secret if the body also contains text that an attacker chooses
    /// (BREACH). So the server compresses only answers to GET and HEAD without a query, and CSRF tokens must be masked
    /// differently in every response. Set this to false for a page that shows both a secret and another person's text.
    package var isCompressible: Bool

    /// The source of the bytes.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A static file or a range of it.
        case file(FileBody)
        /// A body that a closure writes; chunked unless a length is given. The closure runs in a separate task that is
        /// cancelled when the client disconnects.
        case stream(length: Int?, @Sendable (any ResponseWriter) async throws -> Void)
    }

    package init(
        _ status: Status = .ok, headers: Headers = Headers(), body: Body = .none, isCompressible: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCompressible = isCompressible
    }

    /// Plain text in UTF-8.
    package static func text(_ text: String) -> Response { .text(.ok, text) }

    /// Plain text in UTF-8.
    package static func text(_ status: Status, _ text: String) -> Response {
        Response(status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// A page in UTF-8.
    package static func html(_ page: [UInt8]) -> Response { .html(.ok, page) }

    /// A page in UTF-8.
    package static func html(_ status: Status, _ page: [UInt8]) -> Response {
        Response(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(page))
    }

    /// A JSON document.
    package static func json(_ document: [UInt8]) -> Response { .json(.ok, document) }

    /// A JSON document.
    package static func json(_ status: Status, _ document: [UInt8]) -> Response {
        Response(status, headers: ["Content-Type": "application/json"], body: .bytes(document))
    }

    /// A redirect. `Redirect.ownPath` must check a location that comes from a request.
    package static func redirect(to location: String, _ status: Status = .seeOther) -> Response {
        Response(status, headers: ["Location": location])
    }

    /// Server-sent events: never compressed, never cached.
    package static func events(_ write: @escaping @Sendable (any ResponseWriter) async throws -> Void) -> Response {
        Response(
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream(length: nil, write), isCompressible: false)
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral pairs: (HeaderName, String)...) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }
}

/// Called for every request on the connection's event loop when the head is complete.
package typealias Responder = @Sendable (RequestHead, RequestBody) async -> Response
