/// A field name (RFC 9110 §5.1), written as given and compared without regard to ASCII case.
package struct HeaderName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// A token, in the spelling that is sent.
    package let name: String

    package init(_ name: String) { self.name = name }
    package init(stringLiteral name: String) { self.name = name }

    /// Media types the client can take (RFC 9110 §12.5.1).
    package static let accept: HeaderName = "Accept"
    /// Content codings the client can take (RFC 9110 §12.5.3).
    package static let acceptEncoding: HeaderName = "Accept-Encoding"
    /// Languages the person reads, with weights (RFC 9110 §12.5.4).
    package static let acceptLanguage: HeaderName = "Accept-Language"
    /// Whether ranges of the resource may be asked for (RFC 9110 §14.3).
    package static let acceptRanges: HeaderName = "Accept-Ranges"
    /// Methods that the resource knows; due with 405 (RFC 9110 §10.2.1).
    package static let allow: HeaderName = "Allow"
    /// Credentials (RFC 9110 §11.6.2). Never logged.
    package static let authorization: HeaderName = "Authorization"
    /// Who may keep a response and for how long (RFC 9111 §5.2).
    package static let cacheControl: HeaderName = "Cache-Control"
    /// Whether the connection stays open, and which fields are for this hop only (RFC 9110 §7.6.1).
    package static let connection: HeaderName = "Connection"
    /// Whether to show or to save, and under which name (RFC 6266).
    package static let contentDisposition: HeaderName = "Content-Disposition"
    /// Codings applied to the representation, such as gzip (RFC 9110 §8.4).
    package static let contentEncoding: HeaderName = "Content-Encoding"
    /// Bytes of the body (RFC 9110 §8.6).
    package static let contentLength: HeaderName = "Content-Length"
    /// Which part is sent, and of how many bytes (RFC 9110 §14.4).
    package static let contentRange: HeaderName = "Content-Range"
    /// What a page may load and run (W3C Content Security Policy).
    package static let contentSecurityPolicy: HeaderName = "Content-Security-Policy"
    /// Media type of the body (RFC 9110 §8.3).
    package static let contentType: HeaderName = "Content-Type"
    /// What the server set before (RFC 6265 §5.4). Never logged.
    package static let cookie: HeaderName = "Cookie"
    /// When the message was made (RFC 9110 §6.6.1).
    package static let date: HeaderName = "Date"
    /// Validator of the representation (RFC 9110 §8.8.3).
    package static let etag: HeaderName = "ETag"
    /// `100-continue`: the client waits for leave to send the body (RFC 9110 §10.1.1).
    package static let expect: HeaderName = "Expect"
    /// Name and port that the client believes it talks to (RFC 9110 §7.2).
    package static let host: HeaderName = "Host"
    /// Only if the representation is still one of these (RFC 9110 §13.1.1).
    package static let ifMatch: HeaderName = "If-Match"
    /// Only if changed since; looked at without `If-None-Match` alone (RFC 9110 §13.1.3).
    package static let ifModifiedSince: HeaderName = "If-Modified-Since"
    /// Only if the representation is none of these (RFC 9110 §13.1.2).
    package static let ifNoneMatch: HeaderName = "If-None-Match"
    /// The range only if the representation is still this one, else all of it (RFC 9110 §13.1.5).
    package static let ifRange: HeaderName = "If-Range"
    /// To the second; weaker than an entity tag (RFC 9110 §8.8.2).
    package static let lastModified: HeaderName = "Last-Modified"
    /// Where a redirect leads, or what was created (RFC 9110 §10.2.2).
    package static let location: HeaderName = "Location"
    /// Scheme, host and port of the page that sends a request (RFC 6454 §7); what writes are checked by.
    package static let origin: HeaderName = "Origin"
    /// Which part of the representation is wanted (RFC 9110 §14.2).
    package static let range: HeaderName = "Range"
    /// The page that the request comes from (RFC 9110 §10.1.3).
    package static let referer: HeaderName = "Referer"
    /// Seconds, or a date, to wait (RFC 9110 §10.2.3).
    package static let retryAfter: HeaderName = "Retry-After"
    /// How the page that asks and this server relate: `same-origin`, `cross-site`, … (W3C Fetch Metadata).
    package static let secFetchSite: HeaderName = "Sec-Fetch-Site"
    /// One cookie (RFC 6265 §4.1).
    package static let setCookie: HeaderName = "Set-Cookie"
    /// Codings of the message itself; `chunked` alone is read here (RFC 9112 §6.1).
    package static let transferEncoding: HeaderName = "Transfer-Encoding"
    /// What the client calls itself (RFC 9110 §10.1.5).
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
