@_spi(_Unicode) import Swift

/// A password as entered, in Unicode normal form C, so that ä matches from every keyboard. Hashed without truncation.
package struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    /// The maximum length in UTF-8 bytes, which also limits the cost of hashing.
    package static let maximumBytes = 4096
    /// The minimum length in Unicode scalars, in normal form C.
    package static let minimumCharacters = 8

    let bytes: [UInt8]

    /// The reason why a password is refused.
    package enum Problem: Error, Equatable {
        case tooShort, tooLong
        /// One of the most common passwords.
        case common
        /// Contains a personal word, such as the member's or the household's name, and fewer than four other
        /// characters.
        case personal
    }

    /// Creates a password to be verified. Returns nil if it is empty or longer than any password that can be chosen.
    package init?(entered text: String) {
        let bytes = Self.normalised(text)
        guard (1...Self.maximumBytes).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Creates a password to be stored. It must have at least `minimum` characters (Unicode scalars) and at most
    /// ``maximumBytes``, and must be neither common nor personal.
    ///
    /// - Parameters:
    ///   - personal: words that an attacker would try first, such as the member's name. Words of fewer than four
    ///     characters are ignored.
    ///   - minimum: the minimum number of Unicode scalars, at least ``minimumCharacters``.
    /// - Throws: the first `Problem`, in the order of length, common words, personal words.
    package init(
        choosing text: String, personal: [String] = [], minimum: Int = Password.minimumCharacters
    ) throws(Problem) {
        // The length is checked before the normalisation, because normalising a long text is slow.
        guard text.utf8.count <= 2 * Self.maximumBytes else { throw .tooLong }
        let bytes = Self.normalised(text)
        let normal = String(decoding: bytes, as: UTF8.self)
        guard normal.unicodeScalars.count >= max(minimum, Self.minimumCharacters) else { throw .tooShort }
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        let lowercase = normal.lowercased()
        guard !CommonPasswords.contains(lowercase) else { throw .common }
        for word in personal.map({ $0.lowercased() }) where word.unicodeScalars.count >= 4 {
            // A password that contains a name needs at least four other characters.
            let otherCharacterCount = lowercase.unicodeScalars.count - word.unicodeScalars.count
            if otherCharacterCount < 4, lowercase.contains(word) { throw .personal }
        }
        self.bytes = bytes
    }

    private static func normalised(_ text: String) -> [UInt8] {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(text.utf8) }
        guard text.utf8.count <= 2 * maximumBytes else { return Array(text.utf8) }
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfc { scalars.append(scalar) }
        return Array(String(scalars).utf8)
    }

    package var description: String { "Password(…)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
