/// A field name (RFC 9110 §5.1), kept as given and compared without regard to ASCII case.
package struct HeaderName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it is sent: a token (RFC 9110 §5.6.2).
    package let name: String

    package init(_ name: String) { self.name = name }
    package init(stringLiteral name: String) { self.name = name }

    /// Media types that the client accepts (RFC 9110 §12.5.1).
    package static let accept: HeaderName = "Accept"
    /// Content codings that the client accepts (RFC 9110 §12.5.3).
    package static let acceptEncoding: HeaderName = "Accept-Encoding"
    /// Languages of the user, with weights (RFC 9110 §12.5.4).
    package static let acceptLanguage: HeaderName = "Accept-Language"
    /// Whether the server supports ranges of the resource (RFC 9110 §14.3).
    package static let acceptRanges: HeaderName = "Accept-Ranges"
    /// Methods of the resource; required with 405 (RFC 9110 §10.2.1).
    package static let allow: HeaderName = "Allow"
    /// Credentials (RFC 9110 §11.6.2). Never logged.
    package static let authorization: HeaderName = "Authorization"
    /// The caches that may keep a response, and how long (RFC 9111 §5.2).
    package static let cacheControl: HeaderName = "Cache-Control"
    /// Whether the connection stays open, and which fields apply to this hop only (RFC 9110 §7.6.1).
    package static let connection: HeaderName = "Connection"
    /// Codings applied to the representation, such as gzip (RFC 9110 §8.4).
    package static let contentEncoding: HeaderName = "Content-Encoding"
    /// Bytes of the body (RFC 9110 §8.6).
    package static let contentLength: HeaderName = "Content-Length"
    /// The bytes that are sent, and the size of the whole representation (RFC 9110 §14.4).
    package static let contentRange: HeaderName = "Content-Range"
    /// Restricts what a page may load and run (W3C Content Security Policy).
    package static let contentSecurityPolicy: HeaderName = "Content-Security-Policy"
    /// Media type of the body (RFC 9110 §8.3).
    package static let contentType: HeaderName = "Content-Type"
    /// Cookies that the server has set (RFC 6265 §5.4). Never logged.
    package static let cookie: HeaderName = "Cookie"
    /// The time at which the message was created (RFC 9110 §6.6.1).
    package static let date: HeaderName = "Date"
    /// Validator of the representation (RFC 9110 §8.8.3).
    package static let etag: HeaderName = "ETag"
    /// `100-continue`: the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    package static let expect: HeaderName = "Expect"
    /// Name and port of the server in the address that the client requests (RFC 9110 §7.2).
    package static let host: HeaderName = "Host"
    /// Perform the request only if the representation has one of these tags (RFC 9110 §13.1.1).
    package static let ifMatch: HeaderName = "If-Match"
    /// Perform the request only if the representation has changed since this time. Ignored if there is an
    /// `If-None-Match` (RFC 9110 §13.1.3).
    package static let ifModifiedSince: HeaderName = "If-Modified-Since"
    /// Perform the request only if the representation has none of these tags (RFC 9110 §13.1.2).
    package static let ifNoneMatch: HeaderName = "If-None-Match"
    /// Send the range only if the representation has this tag; otherwise send all of it (RFC 9110 §13.1.5).
    package static let ifRange: HeaderName = "If-Range"
    /// Target of a redirect, or the created resource (RFC 9110 §10.2.2).
    package static let location: HeaderName = "Location"
    /// Scheme, host and port of the page that sends a request (RFC 6454 §7). Checked for requests that change data.
    package static let origin: HeaderName = "Origin"
    /// The requested part of the representation (RFC 9110 §14.2).
    package static let range: HeaderName = "Range"
    /// The page that the request comes from (RFC 9110 §10.1.3).
    package static let referer: HeaderName = "Referer"
    /// The number of seconds to wait before the next request, or a date (RFC 9110 §10.2.3).
    package static let retryAfter: HeaderName = "Retry-After"
    /// Relation between the page that sends the request and this server: `same-origin`, `cross-site`, … (W3C Fetch
    /// Metadata).
    package static let secFetchSite: HeaderName = "Sec-Fetch-Site"
    /// One cookie (RFC 6265 §4.1).
    package static let setCookie: HeaderName = "Set-Cookie"
    /// Codings of the message itself; only `chunked` is supported (RFC 9112 §6.1).
    package static let transferEncoding: HeaderName = "Transfer-Encoding"
    /// Name and version that the client claims (RFC 9110 §10.1.5).
    package static let userAgent: HeaderName = "User-Agent"
    /// Request fields that the response depends on, for caches (RFC 9110 §12.5.5).
    package static let vary: HeaderName = "Vary"

    package var description: String { name }

    package static func == (left: HeaderName, right: HeaderName) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(ASCII.lowercased(byte)) }
    }
}
