import EventLoop
import Glibc

/// Opens connections to hosts. Must be used on its event loop.
package struct OutgoingConnections {
    private let loop: EventLoop
    private let tls: ClientTLS
    private let allowsPrivateNetworks: Bool

    /// The maximum number of addresses of a host that are tried.
    private static let maximumAddresses = 3
    /// How long an address may take to accept a connection if there are others to try.
    private static let maximumAttemptTime = Duration.seconds(10)

    package init(on loop: EventLoop, tls: ClientTLS, allowsPrivateNetworks: Bool) {
        self.loop = loop
        self.tls = tls
        self.allowsPrivateNetworks = allowsPrivateNetworks
    }

    /// Connects to the first address of the host that accepts. The name is resolved once.
    ///
    /// - Parameters:
    ///   - isSecure: whether to require TLS with a certificate for the host.
    ///   - time: the time limit for the name lookup, connecting and all use of the connection together.
    /// - Throws: `ClientError`.
    package func open(
        _ host: String, _ port: UInt16, isSecure: Bool, within time: Duration
    ) async throws -> ClientConnection {
        let end = EventLoop.monotonicNow() + time.nanoseconds
        let addresses = await NameLookup.addresses(of: host, on: loop, within: time)
        guard !addresses.isEmpty else {
            throw EventLoop.monotonicNow() >= end ? ClientError.timedOut : ClientError.unknownHost
        }
        let allowed = addresses.filter { allowsPrivateNetworks ? $0.isUnicast : $0.isPublic }
        guard !allowed.isEmpty else { throw ClientError.forbiddenAddress }
        return try await open(
            Array(allowed.prefix(Self.maximumAddresses)), port, as: host, isSecure: isSecure, until: end)
    }

    /// Connects to the first of the addresses that accepts. The time limit of an attempt leaves time for the addresses
    /// after it, because an IPv6 address does not answer if the network has no working IPv6.
    func open(
        _ addresses: [OutgoingAddress], _ port: UInt16, as host: String, isSecure: Bool, until end: Int64
    ) async throws -> ClientConnection {
        for (index, address) in addresses.enumerated() {
            let now = EventLoop.monotonicNow()
            let remainingCount = addresses.count - index - 1
            let limit =
                remainingCount == 0
                ? end : now + min((end - now) / Int64(remainingCount + 1), Self.maximumAttemptTime.nanoseconds)
            guard let connection = try await connect(address, port, waitingUntil: limit, until: end) else { continue }
            guard isSecure else { return connection }
            do {
                try await connection.handshake(tls, host: host)
                return connection
            } catch {
                connection.close()
                throw error
            }
        }
        throw EventLoop.monotonicNow() >= end ? ClientError.timedOut : ClientError.notReachable
    }

    /// Connects to an address; nil if it has not accepted the connection at the time `limit`.
    private func connect(
        _ address: OutgoingAddress, _ port: UInt16, waitingUntil limit: Int64, until end: Int64
    ) async throws -> ClientConnection? {
        let descriptor = address.connect(port: port)
        guard descriptor >= 0 else { return nil }
        let connection = try ClientConnection(descriptor, on: loop, until: end)
        if await connection.isConnected(until: limit) { return connection }
        connection.close()
        return nil
    }
}
