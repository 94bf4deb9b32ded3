import CLinux
import Glibc

/// A numeric address to which a request is sent.
package struct OutgoingAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in network byte order: 4 bytes for IPv4, 16 for IPv6. Mapped IPv4 addresses are converted to IPv4.
    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16:
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        default: return nil
        }
    }

    /// Parses `192.0.2.1` or `2001:db8::1`, without brackets.
    package init?(_ text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
        } else {
            return nil
        }
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// IPv4 networks that are not on the public internet (IANA's registry of special-purpose addresses, RFC 6890), and
    /// multicast.
    private static let special: [(network: [UInt8], bits: Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8), ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 3),
    ]
    /// Special networks within 2000::/3: Teredo and other protocol assignments, documentation, 6to4. IPv6 has no public
    /// addresses outside 2000::/3.
    private static let special6: [(network: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF], 20),
    ]

    /// Whether the address is on the public internet.
    package var isPublic: Bool {
        if isIPv4 { return !Self.special.contains { isIn($0.network, $0.bits) } }
        return isIn([0x20], 3) && !Self.special6.contains { isIn($0.network, $0.bits) }
    }

    /// Whether the address can belong to a single host: it is not multicast, broadcast or unspecified.
    package var isUnicast: Bool {
        isIPv4 ? bytes[0] != 0 && bytes[0] < 224 : bytes[0] != 0xFF && bytes.contains { $0 != 0 }
    }

    private func isIn(_ network: [UInt8], _ bits: Int) -> Bool {
        (0..<bits).allSatisfy { bit in
            let mask = UInt8(0x80 >> (bit % 8))
            let networkByte = bit / 8 < network.count ? network[bit / 8] : 0
            return bytes[bit / 8] & mask == networkByte & mask
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        bytes.withUnsafeBytes {
            _ = inet_ntop(isIPv4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Creates a non-blocking socket and begins to connect it.
    ///
    /// - Returns: the descriptor; negative on failure.
    func connect(port: UInt16) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, flags, 0)
        guard descriptor >= 0 else { return -1 }
        let result: Int32
        if isIPv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            result = Self.connect(descriptor, &address)
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            result = Self.connect(descriptor, &address)
        }
        if result == 0 || errno == EINPROGRESS { return descriptor }
        close(descriptor)
        return -1
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
