import EventLoop
import Glibc

/// Sends single requests over HTTP/1.1, each on a connection of its own. Use on the event loop that it was made for.
///
/// A host name is resolved once, and the connection goes to one of these addresses: a name that resolves to another address
/// the next time cannot lead a request elsewhere. Redirects are not followed.
package final class HTTPClient: @unchecked Sendable {
    // Safe to share: methods are called on the loop's thread only.
    private let loop: EventLoop
    private let tls: ClientTLS
    private let allowsPrivateNetworks: Bool
    private let deadline: Duration

    /// Addresses that are tried at most.
    private static let mostAddresses = 3
    /// Bytes of the head of an answer.
    static let longestHead = 16 << 10

    /// - Parameters:
    ///   - allowsPrivateNetworks: whether requests may go to addresses that are not on the public internet.
    ///   - deadline: of a whole request, from the name to the answer.
    package init(on loop: EventLoop, tls: ClientTLS, allowsPrivateNetworks: Bool, deadline: Duration = .seconds(10)) {
        self.loop = loop
        self.tls = tls
        self.allowsPrivateNetworks = allowsPrivateNetworks
        self.deadline = deadline
    }

    /// Sends a POST request, and reads the head of the answer. Its body is not read.
    ///
    /// - Parameter fields: of the head, besides `Host`, `Content-Length` and `Connection`; without line breaks.
    /// - Returns: the status of the answer.
    /// - Throws: `ClientError`.
    package func post(_ url: OutgoingURL, _ fields: [(String, String)], _ body: [UInt8]) async throws -> Int {
        let end = EventLoop.monotonicNow() + deadline.nanoseconds
        let found = await NameLookup.addresses(of: url.host, on: loop, within: deadline)
        guard !found.isEmpty else {
            throw EventLoop.monotonicNow() >= end ? ClientError.timedOut : ClientError.unknownHost
        }
        let allowed = found.filter { allowsPrivateNetworks ? $0.isUnicast : $0.isPublic }
        guard !allowed.isEmpty else { throw ClientError.forbiddenAddress }
        var head = "POST \(url.target) HTTP/1.1\r\nHost: \(url.hostField)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let message = Array(head.utf8) + body
        for address in allowed.prefix(Self.mostAddresses) {
            guard let connection = try await connect(address, url.port, until: end) else { continue }
            defer { connection.close() }
            if url.isSecure { try await connection.secure(tls, host: url.host) }
            try await connection.write(message)
            return try await connection.readStatus()
        }
        throw ClientError.notReachable
    }

    /// Nil if nothing accepts connections there.
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
