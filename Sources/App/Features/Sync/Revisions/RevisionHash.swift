import Crypto

/// Hashes for the revisions that the server creates: 32 hexadecimal digits.
enum RevisionHash {
    /// Hashes a text. The result depends on the text only, so every server computes the same one.
    static func make(_ text: String) -> String { Hexadecimal.encode(Array(sha256(text.utf8).prefix(16))) }
}
