import CArgon2

/// What Argon2id costs; the defaults are OWASP's (Password Storage Cheat Sheet, 2026).
package struct PasswordCost: Sendable, Equatable {
    /// KiB.
    package var memory: UInt32
    /// Times the memory is gone through.
    package var passes: UInt32
    /// Parts of the memory that could be worked on side by side.
    package var lanes: UInt32

    package init(memory: UInt32 = 19_456, passes: UInt32 = 2, lanes: UInt32 = 1) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }
}

/// A stored password: Argon2id in the encoded form `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
package struct PasswordHash: Sendable, Equatable {
    /// Under 128 ASCII characters; salt and parameters included, the password not.
    package let encoded: String

    /// A hash read from the database.
    package init(encoded: String) { self.encoded = encoded }

    /// Made with other parameters than those of today: hash again at the next sign-in that succeeds.
    package func needsRehash(_ cost: PasswordCost = PasswordCost()) -> Bool {
        let parameters = "m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
        return !encoded.hasPrefix("$argon2id$v=19$\(parameters)$")
    }

    /// Takes about 20 ms and 19 MiB: only `PasswordHasher` calls it, off the event loops.
    ///
    /// - Throws: `PasswordHashError` with what libargon2 said.
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

    /// A hash of these parameters that no known password has, without the time to compute one: salt and hash are drawn.
    static func decoy(_ cost: PasswordCost) -> PasswordHash {
        func drawn(_ count: Int) -> String {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            let bytes = Random.bytes((count * 8 + 5) / 6)
            // Base64 without padding; the last letter holds no more bits than the bytes have.
            let spare = bytes.count * 6 - count * 8
            return String(
                bytes.enumerated().map { index, byte in
                    let six = Int(byte & 63)
                    return alphabet[index == bytes.count - 1 ? (six >> spare) << spare : six]
                })
        }
        let parameters = "m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
        return PasswordHash(encoded: "$argon2id$v=19$\(parameters)$\(drawn(16))$\(drawn(32))")
    }

    /// As slow as `make`. A hash that cannot be read matches no password.
    func matches(_ password: [UInt8]) -> Bool { comparison(password) == ARGON2_OK.rawValue }

    /// What libargon2 says: equal, different (-35), or that the hash cannot be read.
    func comparison(_ password: [UInt8]) -> Int32 { argon2id_verify(encoded, password, password.count) }
}

/// Why a password was neither hashed nor compared.
package enum PasswordHashError: Error, Equatable {
    /// Too many wait already: answer 503 with Retry-After.
    case busy
    /// libargon2 refused, most likely for want of memory.
    case argon2(code: Int32)
}
