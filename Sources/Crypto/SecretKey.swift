import COpenSSL

/// A key for HMAC-SHA-256 (RFC 2104). Its description does not contain its bytes.
package struct SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// Creates a key. Returns nil for fewer than 16 bytes.
    ///
    /// - Parameter bytes: the output of a random generator or of a key derivation.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= 16 else { return nil }
        self.bytes = Array(bytes)
    }

    private init(derived bytes: [UInt8]) { self.bytes = bytes }

    /// A new key of 32 random bytes.
    package static func random() -> SecretKey { SecretKey(derived: Random.bytes(32)) }

    /// Returns the authentication code of a message: 32 bytes.
    package func authenticationCode(_ message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let code = HMAC(
                EVP_sha256(), bytes, Int32(bytes.count), message, message.count, buffer.baseAddress, nil)
            precondition(code != nil, "OpenSSL failed to compute an HMAC")
            count = 32
        }
    }

    /// Whether `code` is the authentication code of `message`. Compares in constant time. A code that does not have 32
    /// bytes is invalid.
    package func isValid(_ code: [UInt8], for message: some Collection<UInt8>) -> Bool {
        constantTimeEqual(code, authenticationCode(message))
    }

    /// Derives a key for one purpose, such as `csrf`, and one context, such as a person (HKDF-SHA-256, RFC 5869,
    /// without salt, 32 bytes).
    package func derived(for purpose: String, _ context: [UInt8] = []) -> SecretKey {
        let extracted = SecretKey(derived: [UInt8](repeating: 0, count: 32)).authenticationCode(bytes)
        let information = Array(purpose.utf8) + [0] + context + [1]
        return SecretKey(derived: SecretKey(derived: extracted).authenticationCode(information))
    }

    package var description: String { "SecretKey(…)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether the values are equal. Compares in constant time. Values of different length are unequal.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// MD5 (RFC 1321): 16 bytes. Not secure: only for protocols that identify content by MD5, such as CouchDB's
/// attachments.
package func md5(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
        let result = EVP_Digest(bytes, bytes.count, buffer.baseAddress, nil, EVP_md5(), nil)
        precondition(result == 1, "OpenSSL failed to compute an MD5 digest")
        count = 16
    }
}
