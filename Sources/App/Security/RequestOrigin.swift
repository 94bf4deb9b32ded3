import HTTP

/// Whether a request that changes something was sent by a page of ours (OWASP: fetch metadata, then Origin, then Referer).
struct RequestOrigin: Sendable {
    private let origins: Set<String>

    /// - Parameter origins: our own, such as `https://bon.example.at`.
    init(origins: Set<String>) { self.origins = origins }

    /// The CSRF token is checked as well; this refuses what browsers themselves call foreign.
    func isOwn(_ head: RequestHead) -> Bool {
        if let site = head.headers[.secFetchSite] {
            return site == "same-origin" || site == "none"
        }
        if let origin = head.headers[.origin] {
            return origins.contains(origin) || origin == Self.origin(of: head)
        }
        guard let referer = head.headers[.referer] else {
            // No browser: a client of the API, a script. The token alone decides.
            return true
        }
        return (origins.union([Self.origin(of: head)])).contains { referer == $0 || referer.hasPrefix($0 + "/") }
    }

    /// Whether the browser itself says that a page of ours sent the request: what is silent about it is no browser.
    func isSurelyOwn(_ head: RequestHead) -> Bool {
        if let site = head.headers[.secFetchSite] { return site == "same-origin" }
        return head.headers[.origin] != nil && isOwn(head)
    }

    /// The path of our own page that the request came from, as far as the browser says; not the request's own.
    func pageBefore(_ head: RequestHead) -> String? {
        guard let referer = head.headers[.referer] else { return nil }
        for origin in origins.union([Self.origin(of: head)]) where referer.hasPrefix(origin + "/") {
            let target = String(referer.dropFirst(origin.count))
            let path = Redirect.ownPath(target)
            return path == target && target != head.target ? path : nil
        }
        return nil
    }

    /// What the browser called us by; the host has been checked before.
    private static func origin(of head: RequestHead) -> String {
        "\(head.isSecure ? "https" : "http")://\(head.host)\(head.port.map { ":\($0)" } ?? "")"
    }
}
