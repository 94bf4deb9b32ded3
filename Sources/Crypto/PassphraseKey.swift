import CArgon2

/// Derives key material from passphrases with Argon2id (RFC 9106).
package enum PassphraseKey {
    /// Returns a key of 32 bytes. Takes about 20 ms and 19 MiB, the default cost of passwords, so it must not be called
    /// on an event loop that serves requests.
    ///
    /// - Throws: `PasswordHashError` with the error code of libargon2.
    package static func derive(_ passphrase: Password, salt: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        let cost = PasswordCost()
        var key = [UInt8](repeating: 0, count: 32)
        let bytes = passphrase.bytes
        let result = argon2id_hash_raw(
            cost.passes, cost.memory, cost.lanes, bytes, bytes.count, salt, salt.count, &key, key.count)
        guard result == ARGON2_OK.rawValue else { throw .argon2(code: result) }
        return key
    }
}
