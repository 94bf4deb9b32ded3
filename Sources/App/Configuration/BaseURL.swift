/// The scheme, host and port of the server, without a path.
package struct BaseURL: Sendable, Equatable, CustomStringConvertible {
    package let isSecure: Bool
    /// In lower case.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?

    /// Parses `http://` or `https://` with a host, an optional port and an optional slash. Returns nil for anything
    /// else.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        let rest: Substring
        if lowered.hasPrefix("https://") {
            isSecure = true
            rest = lowered.dropFirst(8)
        } else if lowered.hasPrefix("http://") {
            isSecure = false
            rest = lowered.dropFirst(7)
        } else {
            return nil
        }
        let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            guard let port = UInt16(authority[authority.index(after: colon)...]) else { return nil }
            host = String(authority[..<colon])
            self.port = Int(port)
        } else {
            host = String(authority)
            port = nil
        }
        guard HostName.isValid(host) else { return nil }
    }

    package var description: String {
        "\(isSecure ? "https" : "http")://\(host)\(port.map { ":\($0)" } ?? "")"
    }
}
