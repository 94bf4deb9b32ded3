import COpenSSL

/// SHA-256 (FIPS 180-4): 32 bytes.
package func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var digest = SHA256Digest()
    digest.update(bytes)
    return digest.finish()
}

/// SHA-256 of data that arrives in pieces, such as an upload.
package struct SHA256Digest: ~Copyable {
    private let context: OpaquePointer

    /// Creates a digest of no bytes.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("OpenSSL cannot start a SHA-256 digest")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes. The digest does not depend on how they are split.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let result =
            bytes.withContiguousStorageIfAvailable { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
            ?? Array(bytes).withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(result == 1, "OpenSSL failed to update a SHA-256 digest")
    }

    /// Returns the digest of all bytes so far, and resets the value.
    package mutating func finish() -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            // The buffer is uninitialised: a failure must not return its content.
            precondition(
                EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1, "OpenSSL failed to finish a SHA-256 digest")
            count = 32
        }
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "OpenSSL cannot start a SHA-256 digest")
        return digest
    }
}

/// A key for HMAC-SHA-256 (RFC 2104). Its description does not contain its bytes.
package struct SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// - Parameter bytes: at least 16, from a random generator or a key derivation. Returns nil if fewer.
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

    /// Compares in constant time. A code that does not have 32 bytes is invalid.
    package func isValid(_ code: [UInt8], for message: some Collection<UInt8>) -> Bool {
        constantTimeEqual(code, authenticationCode(message))
    }

    /// Derives a key for one purpose, such as `csrf`, or for one household (HKDF-SHA-256, RFC 5869, without salt, 32
    /// bytes).
    package func derived(for purpose: String, _ context: [UInt8] = []) -> SecretKey {
        let extracted = SecretKey(derived: [UInt8](repeating: 0, count: 32)).authenticationCode(bytes)
        let information = Array(purpose.utf8) + [0] + context + [1]
        return SecretKey(derived: SecretKey(derived: extracted).authenticationCode(information))
    }

    package var description: String { "SecretKey(…)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Compares in constant time. Values of different length are unequal.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
