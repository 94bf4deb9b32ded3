import HTTP

/// Checks whether our own page sent a request (OWASP: Sec-Fetch-Site, else Origin, else Referer).
struct RequestOrigin: Sendable {
    private let origins: Set<String>

    /// - Parameter origins: the origins of this server, such as `https://bon.example.at`.
    init(origins: Set<String>) { self.origins = origins }

    /// Returns false if the browser reports another site as the sender. Without such headers, only the CSRF token
    /// protects the request.
    func isOwn(_ head: RequestHead) -> Bool {
        if let site = head.headers[.secFetchSite] {
            return site == "same-origin" || site == "none"
        }
        if let origin = head.headers[.origin] {
            return origins.contains(origin) || origin == Self.origin(of: head)
        }
        guard let referer = head.headers[.referer] else {
            // Not a browser, so only the token decides.
            return true
        }
        return (origins.union([Self.origin(of: head)])).contains { referer == $0 || referer.hasPrefix($0 + "/") }
    }

    /// Whether the browser confirms that our own page sent the request. False without the headers.
    func isSurelyOwn(_ head: RequestHead) -> Bool {
        if let site = head.headers[.secFetchSite] { return site == "same-origin" }
        return head.headers[.origin] != nil && isOwn(head)
    }

    /// The path and query of our own page that sent the request; nil if they are unknown or equal to the path and query
    /// of the request.
    func pageBefore(_ head: RequestHead) -> String? {
        guard let referer = head.headers[.referer] else { return nil }
        for origin in origins.union([Self.origin(of: head)]) where referer.hasPrefix(origin + "/") {
            let target = String(referer.dropFirst(origin.count))
            let path = Redirect.ownPath(target)
            return path == target && target != head.target ? path : nil
        }
        return nil
    }

    /// The origin that the browser used. The host has already been checked.
    private static func origin(of head: RequestHead) -> String {
        "\(head.isSecure ? "https" : "http")://\(head.host)\(head.port.map { ":\($0)" } ?? "")"
    }
}
