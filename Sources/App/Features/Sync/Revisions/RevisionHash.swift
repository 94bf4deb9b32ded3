import Crypto

/// Hashes for the server's revisions: 32 hexadecimal digits.
enum RevisionHash {
    /// Returns the same hash for the same text on every server.
    static func make(_ text: String) -> String { Hexadecimal.encode(Array(sha256(text.utf8).prefix(16))) }
}
