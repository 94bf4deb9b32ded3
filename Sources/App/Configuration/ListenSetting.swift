/// A numeric address and a port: `127.0.0.1:8080`, `0.0.0.0:8080`, `[::1]:8080`.
package struct ListenSetting: Sendable, Equatable, CustomStringConvertible {
    /// For IPv6 without the brackets.
    package let host: String
    /// 0 lets the kernel choose, for tests.
    package let port: UInt16

    /// Returns nil without a port, or for an IPv6 address without brackets. The server checks the address itself when
    /// it starts.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 < 128 && $0 > 32 }) else { return nil }
        self.host = String(host)
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
