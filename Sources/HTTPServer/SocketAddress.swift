import CLinux
import Glibc
import HTTP

/// An IPv4 or IPv6 socket address.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    var family: Int32 { Int32(storage.ss_family) }

    /// Returns nil if `host` is neither `localhost` nor a numeric address.
    init?(host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four) == 1 {
            withUnsafeMutableBytes(of: &storage) { bytes in
                let address = sockaddr_in(
                    sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: four,
                    sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
                bytes.storeBytes(of: address, as: sockaddr_in.self)
            }
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            withUnsafeMutableBytes(of: &storage) { bytes in
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                address.sin6_addr = six
                bytes.storeBytes(of: address, as: sockaddr_in6.self)
            }
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        } else {
            return nil
        }
    }

    private init() {}

    /// Creates the address to which a socket is bound.
    init(boundTo descriptor: Int32) {
        self.init()
        _ = withPointer { getsockname(descriptor, $0, $1) }
    }

    /// Accepts a connection without blocking. The descriptor is negative on failure; see errno.
    static func accept(_ listener: Int32) -> (descriptor: Int32, peer: SocketAddress) {
        var address = SocketAddress()
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = address.withPointer { accept4(listener, $0, $1, flags) }
        return (descriptor, address)
    }

    func bind(_ descriptor: Int32) -> Int32 {
        var copy = self
        return copy.withPointer { Glibc.bind(descriptor, $0, $1.pointee) }
    }

    func connect(_ descriptor: Int32) -> Int32 {
        var copy = self
        return copy.withPointer { Glibc.connect(descriptor, $0, $1.pointee) }
    }

    var peer: PeerAddress {
        withUnsafeBytes(of: storage) { bytes in
            if family == AF_INET {
                let address = bytes.loadUnaligned(as: sockaddr_in.self)
                return PeerAddress(
                    ipv4: UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
            }
            let address = bytes.loadUnaligned(as: sockaddr_in6.self)
            return withUnsafeBytes(of: address.sin6_addr) { octets in
                PeerAddress(
                    high: UInt64(bigEndian: octets.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: octets.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    port: UInt16(bigEndian: address.sin6_port))
            }
        }
    }

    private mutating func withPointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &length) { length in
            withUnsafeMutablePointer(to: &storage) { storage in
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
            }
        }
    }
}
