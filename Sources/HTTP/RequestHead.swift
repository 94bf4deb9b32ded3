package enum HTTPVersion: Sendable {
    case http10
    case http11
}

/// A name and its value: of a query, a form, a media type or a path parameter, decoded; of a cookie, as sent.
package struct NamedValue: Equatable, Sendable {
    package let name: String
    /// Empty if only a name was sent.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A complete, validated request head. Immutable; a class to avoid copying it.
package final class RequestHead: Sendable {
    /// The identifier of the request. Error pages show it, so that a user can quote it.
    package let id: RequestID
    /// The method as sent. HEAD is not replaced by GET, although routes for GET serve it.
    package let method: Method
    /// The target as sent, at most 8 KiB. Never logged, because it may contain a secret.
    package let target: String
    /// The path, percent-decoded segment by segment: `/a/b%20c` is `["a", "b c"]`, `/` is `[]`, `/a/` is `["a", ""]`.
    /// No segment is `.` or `..`, none contains `/`, `\` or a control.
    package let segments: [String]
    /// The query, decoded as a form (`+` is a space), at most 100 pairs.
    package let query: [NamedValue]
    /// All fields as sent, including Host and Cookie.
    package let headers: Headers
    /// The version of the request. Answers are always HTTP/1.1.
    package let version: HTTPVersion
    /// Whether the request came over TLS, to this server or to a trusted proxy.
    package let isSecure: Bool
    /// The client: the other end of the connection, or the address that a trusted proxy reports.
    package let peer: PeerAddress
    /// Host without port, lower case; empty for an HTTP/1.0 request without a Host field.
    package let host: String
    /// Port in the Host field; nil if it has none.
    package let port: Int?

    package init(
        id: RequestID = RequestID(0), method: Method = .get, target: String = "/", segments: [String] = [],
        query: [NamedValue] = [], headers: Headers = Headers(), version: HTTPVersion = .http11, isSecure: Bool = false,
        peer: PeerAddress = .loopback, host: String = "localhost", port: Int? = nil
    ) {
        self.id = id
        self.method = method
        self.target = target
        self.segments = segments
        self.query = query
        self.headers = headers
        self.version = version
        self.isSecure = isSecure
        self.peer = peer
        self.host = host
        self.port = port
    }

    /// The first query value of that name.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
