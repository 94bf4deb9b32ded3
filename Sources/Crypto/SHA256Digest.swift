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
