import CArgon2

/// Cost parameters of Argon2id. The defaults are those of OWASP (Password Storage Cheat Sheet, 2026).
package struct PasswordCost: Sendable, Equatable {
    /// The memory of one evaluation in KiB.
    package var memory: UInt32
    /// Number of passes over the memory.
    package var passes: UInt32
    /// Number of parts of the memory that can be processed in parallel.
    package var lanes: UInt32

    package init(memory: UInt32 = 19_456, passes: UInt32 = 2, lanes: UInt32 = 1) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }
}

/// A stored password: Argon2id in the encoded form `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
package struct PasswordHash: Sendable, Equatable {
    /// Fewer than 128 ASCII characters, including salt and parameters.
    package let encoded: String

    /// A hash read from the database.
    package init(encoded: String) { self.encoded = encoded }

    /// Whether the hash was made with other parameters than `cost`. If so, the password is hashed again at the next
    /// successful sign-in.
    package func needsRehash(_ cost: PasswordCost = PasswordCost()) -> Bool {
        let parameters = "m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
        return !encoded.hasPrefix("$argon2id$v=19$\(parameters)$")
    }

    /// Hashes a password with a new salt. Takes about 20 ms and 19 MiB. Only `PasswordHasher` calls it, outside the
    /// event loops.
    ///
    /// - Throws: `PasswordHashError` with the error code of libargon2.
    static func make(_ password: [UInt8], _ cost: PasswordCost) throws(PasswordHashError) -> PasswordHash {
        let salt = Random.bytes(16)
        var text = [CChar](
            repeating: 0,
            count: argon2_encodedlen(cost.passes, cost.memory, cost.lanes, UInt32(salt.count), 32, Argon2_id))
        let result = argon2id_hash_encoded(
            cost.passes, cost.memory, cost.lanes, password, password.count, salt, salt.count, 32, &text, text.count)
        guard result == ARGON2_OK.rawValue else { throw .argon2(code: result) }
        return PasswordHash(
            encoded: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Creates a hash with these parameters that no known password matches. Salt and hash are random, so no password is
    /// hashed.
    static func decoy(_ cost: PasswordCost) -> PasswordHash {
        func randomBase64(bytes count: Int) -> String {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            let bytes = Random.bytes((count * 8 + 5) / 6)
            // Base64 without padding. Unused bits of the last character are zero.
            let spare = bytes.count * 6 - count * 8
            return String(
                bytes.enumerated().map { index, byte in
                    let six = Int(byte & 63)
                    return alphabet[index == bytes.count - 1 ? (six >> spare) << spare : six]
                })
        }
        let parameters = "m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
        let (salt, hash) = (randomBase64(bytes: 16), randomBase64(bytes: 32))
        return PasswordHash(encoded: "$argon2id$v=19$\(parameters)$\(salt)$\(hash)")
    }

    /// Verifies a password. Takes as long as `make`. Returns false immediately for a malformed hash.
    ///
    /// - Throws: `PasswordHashError` if libargon2 got no memory or no thread.
    func matches(_ password: [UInt8]) throws(PasswordHashError) -> Bool { try Self.isMatch(comparison(password)) }

    /// Whether a result of ``comparison(_:)`` means that the password is right.
    ///
    /// - Throws: `PasswordHashError` for a lack of memory or threads, which must not count as a wrong password.
    static func isMatch(_ result: Int32) throws(PasswordHashError) -> Bool {
        switch result {
        case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue, ARGON2_THREAD_FAIL.rawValue: throw .argon2(code: result)
        default: return result == ARGON2_OK.rawValue
        }
    }

    /// Returns the result of libargon2: equal (0), different (-35), or an error, such as for a malformed hash.
    func comparison(_ password: [UInt8]) -> Int32 { argon2id_verify(encoded, password, password.count) }
}

/// The reason why a password could not be hashed or verified.
package enum PasswordHashError: Error, Equatable {
    /// Too many evaluations are waiting: 503 with Retry-After.
    case busy
    /// libargon2 failed, most likely for lack of memory.
    case argon2(code: Int32)
}
