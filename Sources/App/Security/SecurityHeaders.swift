import HTTP

/// Headers that every answer carries; values after the OWASP cheat sheets.
struct SecurityHeaders: Sendable {
    /// The host for which browsers may insist on HTTPS.
    private let strictHost: String?

    /// - Parameters:
    ///   - address: our own.
    ///   - hasOwnAuthority: the certificate is of an authority of the house, which other devices do not know.
    init(address: BaseURL, hasOwnAuthority: Bool) {
        strictHost = address.isSecure && !hasOwnAuthority && PublicName.isLikely(address.host) ? address.host : nil
    }

    /// What does not depend on the request.
    private static let constant: Headers = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    ]

    /// What static files carry from the start: the same, and a policy in which nothing runs.
    static let ofFiles: Headers = {
        var headers = constant
        headers.append(.contentSecurityPolicy, policy(scripts: "'none'"))
        return headers
    }()

    /// Adds what is missing; a handler's own policy (a picture's sandbox, a secret link's referrer rule) stays.
    ///
    /// - Parameter host: for which the request came, without port.
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
        // Pages show a household's data: no cache keeps them. Static files say otherwise themselves.
        if !response.headers.contains(.cacheControl) { response.headers.append(.cacheControl, "no-store") }
    }

    /// Where browsers may insist on HTTPS, they are told so.
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

    /// For pictures and downloads: nothing in them may run or load.
    static let sandbox = "default-src 'none'; sandbox"
}
