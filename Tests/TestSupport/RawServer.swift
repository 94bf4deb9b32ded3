import CLinux
import EventLoop
import Glibc

/// A server that sends given bytes, or nothing, on one connection.
package enum RawServer {
    /// Runs `body` with the port of the server.
    ///
    /// - Parameters:
    ///   - answer: the text to send; with nil, the connection stays open without an answer.
    ///   - isFirst: whether the server sends before it has received anything.
    package static func run(answer: String?, isFirst: Bool = false, _ body: (UInt16) async throws -> Void) async throws
    {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw SystemError("socket") }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) + listen(listener, 8) + getsockname(listener, raw, &size)
            }
        }
        guard result == 0 else { throw SystemError("bind") }
        let loop = try EventLoop(name: "raw server")
        try loop.start()
        loop.execute {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            if !isFirst { _ = recv(connection, &buffer, buffer.count, 0) }
            if let answer {
                let bytes = Array(answer.utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                shutdown(connection, Int32(SHUT_WR))
            }
            // Waits until the client disconnects.
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
            close(connection)
        }
        defer { loop.stop() }
        try await body(UInt16(bigEndian: address.sin_port))
    }
}
