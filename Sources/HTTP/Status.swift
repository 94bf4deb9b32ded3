/// A response status code with the reason phrase of the registry (RFC 9110 §15).
package struct Status: Hashable, Sendable, CustomStringConvertible {
    /// Three digits, 100 … 599.
    package let code: Int

    package init(_ code: Int) { self.code = code }

    /// 100: the client may send the body (RFC 9110 §15.2.1).
    package static let `continue` = Status(100)
    /// 200: the request succeeded (RFC 9110 §15.3.1).
    package static let ok = Status(200)
    /// 201: created; `Location` has the address (RFC 9110 §15.3.2).
    package static let created = Status(201)
    /// 202: accepted, not yet processed (RFC 9110 §15.3.3).
    package static let accepted = Status(202)
    /// 204: succeeded, without a body (RFC 9110 §15.3.5).
    package static let noContent = Status(204)
    /// 206: the requested range (RFC 9110 §15.3.7).
    package static let partialContent = Status(206)
    /// 302: moved temporarily; POST may become GET (RFC 9110 §15.4.3).
    package static let found = Status(302)
    /// 303: succeeded; GET the page at `Location` (RFC 9110 §15.4.4).
    package static let seeOther = Status(303)
    /// 304: the client's copy is current; no body (RFC 9110 §15.4.5).
    package static let notModified = Status(304)
    /// 308: moved permanently, same method (RFC 9110 §15.4.9).
    package static let permanentRedirect = Status(308)
    /// 400: malformed head or body (RFC 9110 §15.5.1).
    package static let badRequest = Status(400)
    /// 401: credentials are missing or invalid (RFC 9110 §15.5.2).
    package static let unauthorized = Status(401)
    /// 403: not allowed, even with credentials (RFC 9110 §15.5.4).
    package static let forbidden = Status(403)
    /// 404: does not exist, or the user may not know that it exists (RFC 9110 §15.5.5).
    package static let notFound = Status(404)
    /// 405: method not supported; `Allow` lists the supported ones (RFC 9110 §15.5.6).
    package static let methodNotAllowed = Status(405)
    /// 406: no representation matches the Accept fields (RFC 9110 §15.5.7).
    package static let notAcceptable = Status(406)
    /// 408: the request was too slow (RFC 9110 §15.5.9).
    package static let requestTimeout = Status(408)
    /// 409: conflicts with the current state (RFC 9110 §15.5.10).
    package static let conflict = Status(409)
    /// 410: permanently removed (RFC 9110 §15.5.11).
    package static let gone = Status(410)
    /// 412: a condition such as `If-Match` is false (RFC 9110 §15.5.13).
    package static let preconditionFailed = Status(412)
    /// 413: the body is too large (RFC 9110 §15.5.14).
    package static let contentTooLarge = Status(413)
    /// 414: the request line is too long (RFC 9110 §15.5.15).
    package static let uriTooLong = Status(414)
    /// 415: the media type or coding of the body is not supported (RFC 9110 §15.5.16).
    package static let unsupportedMediaType = Status(415)
    /// 416: no byte of the range exists (RFC 9110 §15.5.17).
    package static let rangeNotSatisfiable = Status(416)
    /// 417: unknown expectation in `Expect` (RFC 9110 §15.5.18).
    package static let expectationFailed = Status(417)
    /// 421: the server does not answer for this host (RFC 9110 §15.5.20).
    package static let misdirectedRequest = Status(421)
    /// 422: well-formed, but the contents cannot be used (RFC 9110 §15.5.21).
    package static let unprocessableContent = Status(422)
    /// 428: a condition such as `If-Match` is required (RFC 6585 §3).
    package static let preconditionRequired = Status(428)
    /// 429: too many requests in too short a time (RFC 6585 §4).
    package static let tooManyRequests = Status(429)
    /// 431: too many header fields, or too large ones (RFC 6585 §5).
    package static let requestHeaderFieldsTooLarge = Status(431)
    /// 500: an error of the server (RFC 9110 §15.6.1).
    package static let internalServerError = Status(500)
    /// 501: unknown method or transfer coding (RFC 9110 §15.6.2).
    package static let notImplemented = Status(501)
    /// 503: temporarily unavailable; `Retry-After` may say how long (RFC 9110 §15.6.4).
    package static let serviceUnavailable = Status(503)
    /// 505: unsupported major version of HTTP (RFC 9110 §15.6.6).
    package static let httpVersionNotSupported = Status(505)
    /// 507: not enough storage space (RFC 4918 §11.5).
    package static let insufficientStorage = Status(507)

    /// Whether a response with this status never has a body (RFC 9110 §6.4.1).
    package var isBodiless: Bool { code < 200 || code == 204 || code == 304 }

    package var description: String { "\(code) \(reason)" }

    /// The registered phrase, empty for codes outside the registry.
    package var reason: String {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }
}
