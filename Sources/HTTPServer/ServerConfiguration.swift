import HTTP

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

/// A request that the server refused before it reached the responder, for the log.
package struct RefusedRequest: Sendable {
    /// The identifier of the request.
    package let id: RequestID
    /// The other end of the connection; forwarded addresses are not considered here.
    package let peer: PeerAddress
    /// Whether the connection is TLS.
    package let isSecure: Bool
    /// The status of the answer and the reason, which contains no data of the request.
    package let refusal: RequestRefusal
}

package struct ServerConfiguration: Sendable {
    /// The addresses that the server listens on. If one of them cannot be bound, the server does not start.
    package var addresses: [ListenAddress]
    /// PEM files: the chain, beginning with the server's certificate, and its key. Required for TLS addresses.
    package var certificate: (chain: String, key: String)?
    /// The host names that the server answers for; requests for others get 421. Any host by default.
    package var hosts: AllowedHosts
    /// Limits for connections on all addresses.
    package var limits: ServerLimits
    /// Returns the client that a trusted proxy reports for a request; nil without a proxy. With a proxy,
    /// `connectionsPerNetwork` limits the simultaneous requests of each client, not the connections of the proxy.
    package var forwardedPeer: (@Sendable (RequestHead) -> PeerAddress)?
    /// Called on a loop for every request that does not reach the responder.
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

/// Limits on time and resources of a client. Tests use shorter times.
package struct ServerLimits: Sendable {
    /// The time limit from accepting a connection to the end of its TLS handshake.
    package var handshakeTime: Duration = .seconds(10)
    /// The time limit from a request's first byte to the end of its head; afterwards the answer is 408.
    package var headTime: Duration = .seconds(10)
    /// The time limit from the end of one request to the first byte of the next.
    package var keepAliveTime: Duration = .seconds(15)
    /// The connection is closed after this many requests, pipelined or not.
    package var requestsPerConnection = 1000
    /// How long a client may pause reading an answer. After this time, it must read 8 KiB/s on average.
    package var writeTime: Duration = .seconds(30)
    /// The most unsent bytes that the kernel buffers for a client that reads slowly (TCP_NOTSENT_LOWAT), in addition to
    /// the bytes that are sent but not acknowledged.
    package var unsentBytes: Int32 = 256 * 1024
    /// The most connections in total, over all loops and addresses. Further connections are closed when accepted.
    package var connections = 8192
    /// The most connections for one IPv4 address or one IPv6 /64. With a trusted proxy, the most simultaneous requests
    /// of one client.
    package var connectionsPerNetwork = 256
    /// How long received bytes are discarded after the last answer, so that a reset does not destroy the answer.
    package var lingerTime: Duration = .seconds(3)
    /// The largest unread part of a body that is read and discarded, so that the connection can serve another request.
    package var drainBytes = 64 * 1024

    package init() {}
}
