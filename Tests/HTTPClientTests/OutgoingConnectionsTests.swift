import CLinux
import EventLoop
import Glibc
import Testing

@testable import HTTPClient

@Suite(.timeLimit(.minutes(2))) struct OutgoingConnectionsTests {
    /// Creates a listening socket that does not accept its connections.
    ///
    /// - Parameter address: in host byte order.
    private func listener(
        _ address: UInt32, port: UInt16 = 0, backlog: Int32
    ) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        var bound = sockaddr_in()
        bound.sin_family = sa_family_t(AF_INET)
        bound.sin_port = port.bigEndian
        bound.sin_addr.s_addr = address.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, size) + listen(descriptor, backlog) + getsockname(descriptor, raw, &size)
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw SystemError("bind")
        }
        return (descriptor, UInt16(bigEndian: bound.sin_port))
    }

    @Test func `connects to the next address if one does not answer`() async throws {
        let silent = try listener(0x7F00_0001, backlog: 0)
        defer { close(silent.descriptor) }
        let ready = try listener(0x7F00_0002, port: silent.port, backlog: 8)
        defer { close(ready.descriptor) }
        let loop = try EventLoop(name: "client")
        try loop.start()
        defer { loop.stop() }
        let port = silent.port
        try await Task(executorPreference: loop) {
            let connections = OutgoingConnections(on: loop, tls: try ClientTLS(), allowsPrivateNetworks: true)
            let first = try #require(OutgoingAddress("127.0.0.1"))
            let second = try #require(OutgoingAddress("127.0.0.2"))
            func open(_ addresses: [OutgoingAddress], within time: Duration) async throws -> ClientConnection {
                let end = EventLoop.monotonicNow() + time.nanoseconds
                return try await connections.open(addresses, port, as: "localhost", isSecure: false, until: end)
            }
            // Fills the queue of the first address. The kernel then ignores further connections to it.
            let filling = try await open([first], within: .seconds(5))
            defer { filling.close() }
            do {
                try await open([first], within: .milliseconds(300)).close()
                Issue.record("the first address answers")
            } catch ClientError.timedOut {}
            try await open([first, second], within: .seconds(4)).close()
        }.value
    }
}
