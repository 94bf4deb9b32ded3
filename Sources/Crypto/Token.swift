/// A secret that identifies its holder (session cookie, invitation, API key): 256 random bits, as 43 characters of
/// base64url.
///
/// The server stores only `hash`. One round of SHA-256 is enough because the bits are random. The time of an index
/// lookup by hash reveals nothing about the token.
package struct Token: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Creates a new token.
    package static func random() -> Token { Token(bytes: Random.bytes(32)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns nil unless `text` has the form of a token.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The text given to the holder, once.
    package var secret: String { Base64URL.encode(bytes) }

    /// The value that is stored: 32 bytes.
    package var hash: [UInt8] { sha256(bytes) }

    package var description: String { "Token(…)" }
}

/// Tokens that prove that a form was sent from a page of the same session (CSRF protection).
///
/// A token consists of 16 random bytes and the HMAC of the session and these bytes. Both change with every page, so
/// that compressed lengths reveal nothing (BREACH).
package struct CSRFTokens: Sendable {
    private let key: SecretKey

    /// - Parameter key: the session's secret, from which a key is derived.
    package init(key: SecretKey) { self.key = key.derived(for: "csrf") }

    /// Creates a token of 64 characters for one page.
    ///
    /// - Parameter session: a value that identifies the session, such as the hash of its token, or the visitor's cookie
    ///   before sign-in.
    package func make(session: [UInt8]) -> String {
        let salt = Random.bytes(16)
        return Base64URL.encode(salt + code(salt, session))
    }

    /// Whether a token was made by ``make(session:)`` for this session.
    package func isValid(_ token: String, session: [UInt8]) -> Bool {
        guard token.utf8.count == 64, let bytes = Base64URL.decode(token), bytes.count == 48 else { return false }
        return constantTimeEqual(Array(bytes[16...]), code(Array(bytes[..<16]), session))
    }

    private func code(_ salt: [UInt8], _ session: [UInt8]) -> [UInt8] { key.authenticationCode(salt + session) }
}
