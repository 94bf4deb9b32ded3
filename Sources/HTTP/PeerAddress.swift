/// The address of a client.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The first eight of sixteen bytes. IPv4 addresses are mapped (`::ffff:a.b.c.d`, RFC 4291 §2.5.5.2).
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64
    /// The port in host byte order; 0 if unknown.
    package let port: UInt16

    package init(high: UInt64, low: UInt64, port: UInt16) {
        self.high = high
        self.low = low
        self.port = port
    }

    /// - Parameter ipv4: the address in host byte order.
    package init(ipv4: UInt32, port: UInt16) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4), port: port)
    }

    /// 127.0.0.1 without a port, for requests in tests.
    package static let loopback = PeerAddress(ipv4: 0x7F00_0001, port: 0)

    /// Whether the address is a mapped IPv4 address, which a socket for both families reports for IPv4 clients.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The network by which connections and requests are counted for limits: the IPv4 address, or the /64 of an IPv6
    /// address. An internet provider usually assigns a whole /64 to one customer.
    package var network: Network { isIPv4 ? Network(high: 0, low: low) : Network(high: high, low: 0) }

    /// An IPv4 address or an IPv6 /64; printed as `192.0.2.1` or `…/64`.
    package struct Network: Hashable, Sendable, CustomStringConvertible {
        let high: UInt64
        let low: UInt64

        package var description: String {
            let address = PeerAddress(high: high, low: low, port: 0)
            return address.isIPv4 ? address.host : address.host + "/64"
        }
    }

    /// The address without its port: `192.0.2.1`, or the eight groups of an IPv6 address, unabbreviated.
    package var host: String {
        if isIPv4 {
            return "\(low >> 24 & 0xFF).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).\(low & 0xFF)"
        }
        let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { half >> UInt64($0) & 0xFFFF } }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    package var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
