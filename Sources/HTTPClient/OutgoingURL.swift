/// An `http` or `https` URL to which requests are sent.
package struct OutgoingURL: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    /// A host name in lower case, or a numeric address without brackets.
    package let host: String
    package let port: UInt16
    /// Path and query.
    package let target: String

    /// The maximum length of a URL in characters.
    package static let maximumLength = 2_000

    /// Parses an absolute URL of visible ASCII characters without user name and fragment. Nil for other texts.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let lower = text.prefix(8).lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return nil }
        isSecure = lower.hasPrefix("https://")
        let textAfterScheme = text.dropFirst(isSecure ? 8 : 7)
        let end = textAfterScheme.firstIndex { $0 == "/" || $0 == "?" } ?? textAfterScheme.endIndex
        guard !textAfterScheme.contains("#"), !textAfterScheme.contains("\\"), !textAfterScheme.contains("\"") else {
            return nil
        }
        let path = textAfterScheme[end...]
        target = path.hasPrefix("/") ? String(path) : "/\(path)"
        guard let (host, port) = Self.authority(textAfterScheme[..<end]) else { return nil }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }

    private static func authority(_ text: Substring) -> (host: String, port: UInt16?)? {
        var (host, port) = (text, nil as UInt16?)
        let afterAddress = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
        guard let afterAddress else { return nil }
        if let colon = text[afterAddress...].firstIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(digits), number > 0 else {
                return nil
            }
            (host, port) = (text[..<colon], number)
        }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), let address = OutgoingAddress(String(host.dropFirst().dropLast())) else {
                return nil
            }
            return (address.description, port)
        }
        let name = host.lowercased()
        let isName =
            (1...253).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasSuffix(".")
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 }
        return isName ? (name, port) : nil
    }

    /// The value of the field `Host`.
    var hostField: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(hostField)\(target)" }
}
