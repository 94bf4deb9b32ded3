/// A field name (RFC 9110 §5.1), written as given and compared without regard to ASCII case.
package struct HeaderName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let name: String

    package init(_ name: String) { self.name = name }
    package init(stringLiteral name: String) { self.name = name }

    package static let accept: HeaderName = "Accept"
    package static let acceptEncoding: HeaderName = "Accept-Encoding"
    package static let acceptLanguage: HeaderName = "Accept-Language"
    package static let acceptRanges: HeaderName = "Accept-Ranges"
    package static let allow: HeaderName = "Allow"
    package static let authorization: HeaderName = "Authorization"
    package static let cacheControl: HeaderName = "Cache-Control"
    package static let connection: HeaderName = "Connection"
    package static let contentDisposition: HeaderName = "Content-Disposition"
    package static let contentEncoding: HeaderName = "Content-Encoding"
    package static let contentLength: HeaderName = "Content-Length"
    package static let contentRange: HeaderName = "Content-Range"
    package static let contentSecurityPolicy: HeaderName = "Content-Security-Policy"
    package static let contentType: HeaderName = "Content-Type"
    package static let cookie: HeaderName = "Cookie"
    package static let date: HeaderName = "Date"
    package static let etag: HeaderName = "ETag"
    package static let expect: HeaderName = "Expect"
    package static let host: HeaderName = "Host"
    package static let ifMatch: HeaderName = "If-Match"
    package static let ifModifiedSince: HeaderName = "If-Modified-Since"
    package static let ifNoneMatch: HeaderName = "If-None-Match"
    package static let ifRange: HeaderName = "If-Range"
    package static let lastModified: HeaderName = "Last-Modified"
    package static let location: HeaderName = "Location"
    package static let origin: HeaderName = "Origin"
    package static let range: HeaderName = "Range"
    package static let referer: HeaderName = "Referer"
    package static let retryAfter: HeaderName = "Retry-After"
    package static let secFetchSite: HeaderName = "Sec-Fetch-Site"
    package static let setCookie: HeaderName = "Set-Cookie"
    package static let transferEncoding: HeaderName = "Transfer-Encoding"
    package static let userAgent: HeaderName = "User-Agent"
    package static let vary: HeaderName = "Vary"

    package var description: String { name }

    package static func == (left: HeaderName, right: HeaderName) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(ASCII.lowercased(byte)) }
    }
}
