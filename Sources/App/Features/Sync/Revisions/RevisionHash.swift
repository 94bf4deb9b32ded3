import Crypto

/// Hashes for the revisions that the server creates: 32 hexadecimal digits.
enum RevisionHash {
    /// Hashes a text. The result depends only on the text, so all servers compute the same hash.
    static func make(_ text: String) -> String { Hexadecimal.encode(Array(sha256(text.utf8).prefix(16))) }
}
