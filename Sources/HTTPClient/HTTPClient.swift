import EventLoop
import Glibc

/// Sends requests over HTTP/1.1, each on a separate connection. Must be used on its event loop.
///
/// A host name is resolved once per request, and the connection is made to one of the addresses that were checked. So
/// a name that later resolves to a private address cannot redirect the request (DNS rebinding). HTTP redirects are not
/// followed.
package final class HTTPClient: @unchecked Sendable {
    // Safe to share: methods are called on the loop's thread only.
    private let loop: EventLoop
    private let tls: ClientTLS
    private let allowsPrivateNetworks: Bool
    private let deadline: Duration

    /// The maximum size of the head of an answer in bytes.
    static let maximumHeadBytes = 16 << 10

    /// - Parameters:
    ///   - allowsPrivateNetworks: whether requests may go to addresses that are not on the public internet.
    ///   - deadline: the time limit of a whole request, from the name lookup to the answer.
    package init(on loop: EventLoop, tls: ClientTLS, allowsPrivateNetworks: Bool, deadline: Duration = .seconds(10)) {
        self.loop = loop
        self.tls = tls
        self.allowsPrivateNetworks = allowsPrivateNetworks
        self.deadline = deadline
    }

    /// Sends a POST request, and reads the head of the answer. Its body is not read.
    ///
    /// - Parameter fields: the header fields besides `Host`, `Content-Length` and `Connection`, without line breaks.
    /// - Returns: the status of the answer.
    /// - Throws: `ClientError`.
    package func post(_ url: OutgoingURL, _ fields: [(String, String)], _ body: [UInt8]) async throws -> Int {
        let connections = OutgoingConnections(on: loop, tls: tls, allowsPrivateNetworks: allowsPrivateNetworks)
        let connection = try await connections.open(url.host, url.port, isSecure: url.isSecure, within: deadline)
        defer { connection.close() }
        var head = "POST \(url.target) HTTP/1.1\r\nHost: \(url.hostField)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        try await connection.write(Array(head.utf8) + body)
        return try await connection.readStatus()
    }
}
