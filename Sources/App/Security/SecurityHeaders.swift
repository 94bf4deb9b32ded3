import HTTP

/// Headers that every answer carries; values after the OWASP cheat sheets.
struct SecurityHeaders: Sendable {
    private let isSecure: Bool

    /// - Parameter isSecure: people reach us by HTTPS, so browsers may insist on it.
    init(isSecure: Bool) { self.isSecure = isSecure }

    /// Adds what is missing; a handler's own policy (a picture's sandbox, a secret link's referrer rule) stays.
    func apply(to response: inout Response, nonce: String) {
        func add(_ name: HeaderName, _ value: String) {
            if !response.headers.contains(name) { response.headers.append(name, value) }
        }
        add("X-Content-Type-Options", "nosniff")
        add("Referrer-Policy", "same-origin")
        add("Cross-Origin-Opener-Policy", "same-origin")
        add("Cross-Origin-Resource-Policy", "same-origin")
        add("Permissions-Policy", "camera=(self), geolocation=(), microphone=()")
        if isSecure { add("Strict-Transport-Security", "max-age=63072000") }
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
