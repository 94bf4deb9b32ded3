import HTTP

/// The headers of every response, with the values of the OWASP cheat sheets.
struct SecurityHeaders: Sendable {
    /// The host for which browsers are told to require HTTPS (HSTS); nil for none.
    private let strictHost: String?

    /// - Parameters:
    ///   - address: the address of this server.
    ///   - hasOwnAuthority: whether a private certificate authority, which other devices do not trust, issued the
    ///     server's certificate.
    init(address: BaseURL, hasOwnAuthority: Bool) {
        strictHost = address.isSecure && !hasOwnAuthority && PublicName.isLikely(address.host) ? address.host : nil
    }

    /// The headers that do not depend on the request.
    private static let constant: Headers = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    ]

    /// The headers of static files, with a policy that allows no scripts.
    static let ofFiles: Headers = {
        var headers = constant
        headers.append(.contentSecurityPolicy, policy(scripts: "'none'"))
        return headers
    }()

    /// Adds missing headers. Keeps those that a handler has set, such as the sandbox policy of pictures.
    ///
    /// - Parameter host: the host of the request, without the port.
    func apply(to response: inout Response, nonce: String, host: String) {
        if response.headers.contains(anyOf: Self.constant) {
            for (name, value) in Self.constant.pairs where !response.headers.contains(name) {
                response.headers.append(name, value)
            }
        } else {
            response.headers.append(contentsOf: Self.constant)
        }
        applyStrictTransport(to: &response, host: host)
        if !response.headers.contains(.contentSecurityPolicy) {
            response.headers.append(
                .contentSecurityPolicy, Self.policy(scripts: "'nonce-\(nonce)' 'strict-dynamic'"))
        }
        // Pages contain private data and must not be cached. Static files set their own value.
        if !response.headers.contains(.cacheControl) { response.headers.append(.cacheControl, "no-store") }
    }

    /// Adds HSTS if the request is for `strictHost`.
    func applyStrictTransport(to response: inout Response, host: String) {
        guard let strictHost, host.lowercased() == strictHost else { return }
        if !response.headers.contains("Strict-Transport-Security") {
            response.headers.append("Strict-Transport-Security", "max-age=63072000")
        }
    }

    private static func policy(scripts: String) -> String {
        """
        default-src 'none'; script-src \(scripts); style-src 'self'; img-src 'self' blob:; \
        font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; object-src 'none'; frame-ancestors 'none'
        """
    }

    /// The policy for pictures and downloads: no scripts and no loading.
    static let sandbox = "default-src 'none'; sandbox"
}
