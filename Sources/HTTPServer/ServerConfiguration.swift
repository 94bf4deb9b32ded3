import HTTP

package struct ServerConfiguration: Sendable {
    /// The addresses that the server listens on. If one of them cannot be bound, the server does not start.
    package var addresses: [ListenAddress]
    /// PEM files: the chain, beginning with the server's certificate, and its key. Required for TLS addresses.
    package var certificate: (chain: String, key: String)?
    /// The minimum time between two checks whether the files of the certificate have changed.
    package var certificateInterval = Duration.seconds(60)
    /// Called on a loop after changed files of the certificate were read.
    package var onReload: @Sendable (CertificateReload) -> Void = { _ in }
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
