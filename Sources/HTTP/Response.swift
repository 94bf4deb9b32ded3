/// The client is gone: stop writing.
package struct Disconnected: Error {
    package init() {}
}

/// Where a streamed response goes.
package protocol ResponseWriter: Sendable {
    /// Sends these bytes and waits until the connection's buffer has taken them; a client that reads nothing for
    /// 30 s counts as gone.
    func send(_ bytes: [UInt8]) async throws(Disconnected)
}

/// A response: status, headers and a body in one of its forms.
///
/// The server adds Date, Content-Length or Transfer-Encoding and Connection, and drops the body for HEAD, 204 and 304.
package struct Response: Sendable {
    /// Final: 200 or more; the server itself sends 100.
    package var status: Status
    /// Without what the server adds.
    package var headers: Headers
    /// Not yet compressed.
    package var body: Body
    /// Whether the server may gzip a body of bytes.
    ///
    /// Compression shows by its length when a secret and chosen text lie in one body (BREACH). So the server only
    /// compresses answers to GET without a query, and CSRF tokens must be masked anew in every response.
    /// Turn it off for a page that shows a secret beside anything a stranger may have written.
    package var isCompressible: Bool

    /// How the server gets at the bytes.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A static file, or a range of it, already chosen for this request.
        case file(FileBody)
        /// Written piece by piece by a closure; chunked unless a length is given. The closure runs in a child task
        /// that is cancelled when the client goes away.
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

    /// A redirect to a path of our own (see `Redirect.ownPath`).
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

/// What the server calls for every request, on the connection's own event loop, when the head is complete.
package typealias Responder = @Sendable (RequestHead, RequestBody) async -> Response
