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
    /// The maximum number of unsent bytes that the kernel buffers for a client that reads slowly (TCP_NOTSENT_LOWAT).
    /// Bytes that were sent but not acknowledged do not count.
    package var unsentBytes: Int32 = 256 * 1024
    /// The maximum number of connections in total, over all loops and addresses. Further connections are closed when
    /// accepted.
    package var connections = 8192
    /// The maximum number of connections for one IPv4 address or one IPv6 /64. With a trusted proxy, the maximum number
    /// of simultaneous requests of one client.
    package var connectionsPerNetwork = 256
    /// How long received bytes are discarded after the last answer, so that a reset does not destroy the answer.
    package var lingerTime: Duration = .seconds(3)
    /// The largest unread part of a body that is read and discarded, so that the connection can serve another request.
    package var drainBytes = 64 * 1024

    package init() {}
}
