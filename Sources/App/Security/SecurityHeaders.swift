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

    /// Adds what is missing; a handler's own policy (a picture's sandbox, a secret link's referrer rule) stays.
    ///
    /// - Parameter host: for which the request came, without port.
    func apply(to response: inout Response, nonce: String, host: String) {
        func add(_ name: HeaderName, _ value: String) {
            if !response.headers.contains(name) { response.headers.append(name, value) }
        }
        add("X-Content-Type-Options", "nosniff")
        add("Referrer-Policy", "same-origin")
        add("Cross-Origin-Opener-Policy", "same-origin")
        add("Cross-Origin-Resource-Policy", "same-origin")
        add("Permissions-Policy", "camera=(self), geolocation=(), microphone=()")
        if let strictHost, host.lowercased() == strictHost { add("Strict-Transport-Security", "max-age=63072000") }
        add(.contentSecurityPolicy, Self.policy(nonce: nonce))
        // Pages show a household's data: no cache keeps them. Static files say otherwise themselves.
        add(.cacheControl, "no-store")
    }

    private static func policy(nonce: String) -> String {
        """
        default-src 'none'; script-src 'nonce-\(nonce)' 'strict-dynamic'; style-src 'self'; img-src 'self' blob:; \
        font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; object-src 'none'; frame-ancestors 'none'
        """
    }

    /// For pictures and downloads: nothing in them may run or load.
    static let sandbox = "default-src 'none'; sandbox"
}
