import EventLoop
import Glibc

/// Opens connections to hosts. Must be used on its event loop.
package struct OutgoingConnections {
    private let loop: EventLoop
    private let tls: ClientTLS
    private let allowsPrivateNetworks: Bool

    /// The most addresses of a host that are tried.
    private static let mostAddresses = 3

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
        let found = await NameLookup.addresses(of: host, on: loop, within: time)
        guard !found.isEmpty else {
            throw EventLoop.monotonicNow() >= end ? ClientError.timedOut : ClientError.unknownHost
        }
        let allowed = found.filter { allowsPrivateNetworks ? $0.isUnicast : $0.isPublic }
        guard !allowed.isEmpty else { throw ClientError.forbiddenAddress }
        for address in allowed.prefix(Self.mostAddresses) {
            guard let connection = try await connect(address, port, until: end) else { continue }
            guard isSecure else { return connection }
            do {
                try await connection.handshake(tls, host: host)
                return connection
            } catch {
                connection.close()
                throw error
            }
        }
        throw ClientError.notReachable
    }

    /// Connects to an address; nil if nothing accepts connections there.
    private func connect(_ address: OutgoingAddress, _ port: UInt16, until end: Int64) async throws -> ClientConnection?
    {
        let descriptor = address.connect(port: port)
        guard descriptor >= 0 else { return nil }
        let connection = try ClientConnection(descriptor, on: loop, until: end)
        do {
            if try await connection.isConnected() { return connection }
        } catch {
            connection.close()
            throw error
        }
        connection.close()
        return nil
    }
}
