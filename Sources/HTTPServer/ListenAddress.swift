/// An address to listen on: numeric or `localhost`, and a port.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// The protocol spoken at the address.
    package enum Security: Equatable, Sendable {
        case plain
        case tls
        /// Plain HTTP. Every request is redirected with 308 to `https://` on this port of the same host.
        case redirect(port: Int)
    }

    /// The host, without brackets for IPv6.
    package let host: String
    /// With 0, the kernel chooses a port, for tests.
    package let port: UInt16
    /// `tls` needs a certificate in the configuration.
    package let security: Security

    package init(host: String, port: UInt16, security: Security = .plain) {
        self.host = host
        self.port = port
        self.security = security
    }

    /// Parses `127.0.0.1:8080`, `[::]:8080` or `localhost:8080`.
    package init?(_ text: String, security: Security = .plain) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard SocketAddress(host: String(host), port: port) != nil else { return nil }
        self.init(host: String(host), port: port, security: security)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
