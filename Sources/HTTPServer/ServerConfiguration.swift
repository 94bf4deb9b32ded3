import HTTP

/// Where a server listens: a numeric address or `localhost`, and a port (0 lets the kernel choose).
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// How the address speaks.
    package enum Security: Equatable, Sendable {
        case plain
        case tls
        /// Plain HTTP that answers everything with 308 to `https://` on that port of the same host.
        case redirect(port: Int)
    }

    /// Without brackets round an address of IPv6.
    package let host: String
    /// 0 lets the kernel choose, for tests.
    package let port: UInt16
    /// `tls` needs the configuration's certificate.
    package let security: Security

    package init(host: String, port: UInt16, security: Security = .plain) {
        self.host = host
        self.port = port
        self.security = security
    }

    /// Reads `127.0.0.1:8080`, `[::]:8080` or `localhost:8080`.
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

/// A request that the server answered itself, for the log.
package struct RefusedRequest: Sendable {
    /// As the client was told, if it could be told anything.
    package let id: RequestID
    /// The connection's other end: a proxy's word for somebody else is not asked here.
    package let peer: PeerAddress
    /// Whether the connection is TLS.
    package let isSecure: Bool
    /// The status that was sent and the reason, which quotes nothing of the request.
    package let refusal: RequestRefusal
}

/// Everything a server is told at start.
package struct ServerConfiguration: Sendable {
    /// All of them are listened on; one that cannot be had stops the start.
    package var addresses: [ListenAddress]
    /// PEM files: the chain with the server's certificate first, and its key; needed for TLS addresses.
    package var certificate: (chain: String, key: String)?
    /// Which Host fields are answered; others get 421. Any, unless said otherwise.
    package var hosts: AllowedHosts
    /// The same for every address.
    package var limits: ServerLimits
    /// Called on a loop for every request that never reached the responder.
    package var onRefusal: @Sendable (RefusedRequest) -> Void

    package init(
        addresses: [ListenAddress], certificate: (chain: String, key: String)? = nil,
        hosts: AllowedHosts = AllowedHosts(), limits: ServerLimits = ServerLimits(),
        onRefusal: @escaping @Sendable (RefusedRequest) -> Void = { _ in }
    ) {
        self.addresses = addresses
        self.certificate = certificate
        self.hosts = hosts
        self.limits = limits
        self.onRefusal = onRefusal
    }
}

/// What one client may cost. Tests shorten the times.
package struct ServerLimits: Sendable {
    /// From accepting a connection to the end of its TLS handshake.
    package var handshakeTime: Duration = .seconds(10)
    /// From a request's first byte to the end of its head; 408 after it.
    package var headTime: Duration = .seconds(10)
    /// From the end of one request to the first byte of the next.
    package var keepAliveTime: Duration = .seconds(15)
    /// After the answer to the last of them the connection is closed.
    package var requestsPerConnection = 1000
    /// How long a client may read nothing; after that it must have read 8 KiB/s on average.
    package var writeTime: Duration = .seconds(30)
    /// Bytes of an answer that the kernel keeps for a client that reads slowly, beside what is on its way.
    package var unsentBytes: Int32 = 256 * 1024
    /// Over all loops and addresses; more are closed as they are accepted.
    package var connections = 4096
    /// For one IPv4 address or one IPv6 /64.
    package var connectionsPerNetwork = 256
    /// How long bytes are thrown away after the last answer, so that the client sees it before a reset.
    package var lingerTime: Duration = .seconds(3)
    /// An unread rest of a body up to this size is read and dropped to keep the connection.
    package var drainBytes = 64 * 1024

    package init() {}
}
