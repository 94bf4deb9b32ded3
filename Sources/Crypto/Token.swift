/// A secret somebody holds (session cookie, invitation, API key): 256 random bits as 43 characters of base64url.
///
/// Only `hash` is stored. The bits are random, so one round of SHA-256 is enough; looking the hash up in an index gives
/// nothing away about the token.
package struct Token: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// A new one, which nobody has drawn before.
    package static func random() -> Token { Token(bytes: Random.bytes(32)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nothing unless `text` can be a token at all.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// What is handed out, once.
    package var secret: String { Base64URL.encode(bytes) }

    /// What is stored: 32 bytes.
    package var hash: [UInt8] { sha256(bytes) }

    package var description: String { "Token(…)" }
}

/// Proof that a form came from a page of this session.
///
/// A token is 16 random bytes and the HMAC of session and these bytes; both change with every page, so the length of a
/// compressed page tells nothing about the next one (BREACH).
package struct CSRFTokens: Sendable {
    private let key: SecretKey

    /// - Parameter key: the session's secret; an own key is derived from it.
    package init(key: SecretKey) { self.key = key.derived(for: "csrf") }

    /// A token of 64 characters for one page.
    ///
    /// - Parameter session: what identifies the session, such as its token's hash; before sign-in the cookie of the visit.
    package func make(session: [UInt8]) -> String {
        let salt = Random.bytes(16)
        return Base64URL.encode(salt + code(salt, session))
    }

    /// Whether a token was made by ``make(session:)`` for this session; any other text is not valid, and nothing is
    /// thrown.
    package func isValid(_ token: String, session: [UInt8]) -> Bool {
        guard token.utf8.count == 64, let bytes = Base64URL.decode(token), bytes.count == 48 else { return false }
        return constantTimeEqual(Array(bytes[16...]), code(Array(bytes[..<16]), session))
    }

    private func code(_ salt: [UInt8], _ session: [UInt8]) -> [UInt8] { key.authenticationCode(salt + session) }
}
