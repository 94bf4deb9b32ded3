import CLinux
import EventLoop
import Glibc
import HTTP

/// A bound, listening TCP socket; closed when it is released.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let address: ListenAddress

    /// - Throws: `SystemError` with the system call that failed, such as `bind` if the port is in use.
    init(_ address: ListenAddress, unsentBytes: Int32) throws(SystemError) {
        guard let socketAddress = SocketAddress(host: address.host, port: address.port) else {
            throw SystemError("bind \(address)", code: EINVAL)
        }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(socketAddress.family, kind, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        do throws(SystemError) {
            try Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR)
            // Accepted sockets inherit these options. Each answer is one write, so delaying small packets has no
            // benefit.
            try Self.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
            // Without a limit, the kernel buffers megabytes for a client that reads nothing.
            try Self.set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: unsentBytes)
            guard socketAddress.bind(descriptor) == 0 else {
                let code = errno
                throw SystemError("bind \(address)", code: code)
            }
            guard listen(descriptor, 1024) == 0 else { throw SystemError("listen") }
        } catch {
            close(descriptor)
            throw error
        }
        let port = SocketAddress(boundTo: descriptor).peer.port
        self.address = ListenAddress(host: address.host, port: port, security: address.security)
    }

    /// Makes the kernel refuse new connections. The descriptor stays valid for loops that still watch it.
    func refuse() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit { close(descriptor) }

    private static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, to value: Int32 = 1
    ) throws(SystemError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, 4) == 0 else { throw SystemError("setsockopt") }
    }
}
