import Crypto

/// Base64 (RFC 4648 §4), as in `Authorization: Basic`. The padding may be missing.
enum Base64Text {
    /// Returns nil for text that is not valid Base64.
    static func decode(_ text: String) -> [UInt8]? {
        let unpaddedLength = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count - unpaddedLength <= 2,
            text.utf8.count.isMultiple(of: 4) || unpaddedLength == text.utf8.count,
            !text.utf8.contains(UInt8(ascii: "-")), !text.utf8.contains(UInt8(ascii: "_"))
        else { return nil }
        let urlSafe = text.prefix(unpaddedLength).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        return Base64URL.decode(String(urlSafe))
    }
}
