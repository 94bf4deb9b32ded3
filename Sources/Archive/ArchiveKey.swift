import Crypto

/// The key of an archive's authentication code, derived from a passphrase and the archive's salt. Its `description`
/// does not contain the key.
package struct ArchiveKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The 32 bytes derived from the passphrase. A job stores them until it is done.
    package let bytes: [UInt8]
    private let key: SecretKey

    /// Derives the key. Takes about 20 ms and 19 MiB.
    ///
    /// - Throws: `PasswordHashError`.
    package init(passphrase: Password, salt: [UInt8]) throws(PasswordHashError) {
        guard let key = ArchiveKey(try PassphraseKey.derive(passphrase, salt: salt)) else { throw .argon2(code: 0) }
        self = key
    }

    /// Restores a derived key; nil unless it has 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32, let key = SecretKey(bytes) else { return nil }
        self.bytes = bytes
        self.key = key.derived(for: "archive")
    }

    /// The content of `code.txt`: 64 hexadecimal digits and a line feed.
    func code(_ digest: [UInt8]) -> [UInt8] { Array((Hexadecimal.encode(key.authenticationCode(digest)) + "\n").utf8) }

    package var description: String { "ArchiveKey(…)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
