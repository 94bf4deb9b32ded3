/// The mailbox from which mail is fetched: `imaps://user@host:port/folder`, over TLS only.
package struct Mailbox: Sendable, Equatable {
    package let host: String
    package let port: UInt16
    package let user: String
    package let folder: String

    /// The maximum length of the URL in bytes of UTF-8.
    package static let maximumBytes = 1_000

    /// Parses the URL. User and folder are percent-encoded; without a path, the folder is INBOX. Nil for other texts.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, text.lowercased().hasPrefix("imaps://") else { return nil }
        let textAfterScheme = text.dropFirst(8)
        let slash = textAfterScheme.firstIndex(of: "/") ?? textAfterScheme.endIndex
        guard let at = textAfterScheme[..<slash].lastIndex(of: "@") else { return nil }
        let authority = textAfterScheme[textAfterScheme.index(after: at)..<slash]
        let colon = authority.lastIndex(of: ":") ?? authority.endIndex
        host = authority[..<colon].lowercased()
        guard !host.isEmpty,
            host.utf8.allSatisfy({ ($0 >= 0x2D && $0 <= 0x39 && $0 != 0x2F) || ($0 >= 97 && $0 <= 122) })
        else { return nil }
        if colon == authority.endIndex {
            port = 993
        } else {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            port = number
        }
        guard let user = Self.decoded(textAfterScheme[..<at]), Self.isQuotable(user), !user.isEmpty else { return nil }
        self.user = user
        let path = slash == textAfterScheme.endIndex ? "" : textAfterScheme[textAfterScheme.index(after: slash)...]
        guard let folder = Self.decoded(path), Self.isQuotable(folder) else { return nil }
        self.folder = folder.isEmpty ? "INBOX" : folder
    }

    /// The user name if it is a mail address; otherwise nil.
    package var address: String? { user.contains("@") ? user : nil }

    /// Whether a text can be sent as a quoted string (RFC 9051 §4.3): visible ASCII and spaces.
    package static func isQuotable(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var remainingBytes = text.utf8[...]
        while let byte = remainingBytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = remainingBytes.popFirst().flatMap(hexadecimalValue),
                let low = remainingBytes.popFirst().flatMap(hexadecimalValue)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
