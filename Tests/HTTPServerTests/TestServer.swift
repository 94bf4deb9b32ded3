import CLinux
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Synchronization

/// A server for a test, with its own loops and port.
final class TestServer: Sendable {
    let server: HTTPServer
    let loops: [EventLoop]
    let refusals = Refusals()
    let reloads = Reloads()

    var port: UInt16 { server.addresses[0].port }

    /// Requests that the server refused before they reached the responder.
    final class Refusals: @unchecked Sendable {
        // Safe to share: read and written under the lock.
        private let lock = Lock()
        private var list: [RequestRefusal] = []

        var all: [RequestRefusal] { lock.withLock { list } }
        func append(_ refusal: RequestRefusal) { lock.withLock { list.append(refusal) } }
    }

    /// What the server reported about changed certificates.
    final class Reloads: @unchecked Sendable {
        // Safe to share: read and written under the lock.
        private let lock = Lock()
        private var list: [CertificateReload] = []

        var all: [CertificateReload] { lock.withLock { list } }
        func append(_ reload: CertificateReload) { lock.withLock { list.append(reload) } }
    }

    init(
        loops count: Int = 1, security: ListenAddress.Security = .plain, certificate: (String, String)? = nil,
        hosts: Set<String> = [], limits: ServerLimits = ServerLimits(), responder: @escaping Responder,
        forwardedPeer: (@Sendable (RequestHead) -> PeerAddress)? = nil
    ) throws {
        loops = try (0..<count).map { try EventLoop(name: "test \($0)") }
        for loop in loops { try loop.start() }
        let (refusals, reloads) = (refusals, reloads)
        var configuration = ServerConfiguration(
            addresses: [ListenAddress(host: "127.0.0.1", port: 0, security: security)],
            certificate: certificate.map { (chain: $0.0, key: $0.1) }, hosts: AllowedHosts(hosts), limits: limits,
            onRefusal: { refusals.append($0.refusal) })
        configuration.forwardedPeer = forwardedPeer
        configuration.certificateInterval = .zero
        configuration.onReload = { reloads.append($0) }
        server = try HTTPServer(configuration, loops: loops, responder: responder)
        server.start()
    }

    func stop(within time: Duration = .milliseconds(200)) async {
        await server.stop(within: time)
        for loop in loops { loop.stop() }
    }

    /// Runs `body` with a server, then stops the server.
    static func run<Value>(
        loops: Int = 1, hosts: Set<String> = [], limits: ServerLimits = ServerLimits(),
        responder: @escaping Responder = { head, _ in .text(head.target) },
        forwardedPeer: (@Sendable (RequestHead) -> PeerAddress)? = nil, _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let server = try TestServer(
            loops: loops, hosts: hosts, limits: limits, responder: responder, forwardedPeer: forwardedPeer)
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }
}

/// A blocking client with a time limit, so that a broken server fails a test instead of hanging it.
final class TestClient {
    let descriptor: Int32
    private var buffer: [UInt8] = []

    struct Answer: Equatable {
        var status: Int
        var head: String
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).drop { $0 == " " } }.map(String.init)
        }
    }

    init(_ port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var address = sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: in_addr(s_addr: 0x0100_007F),
            sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SystemError("connect") }
    }

    deinit { close(descriptor) }

    /// Sends bytes. Returns false if the server has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Closes the sending side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the client end the connection by a reset.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Reads more bytes. Returns false at the end, after a reset or after the time limit.
    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }

    /// Waits for a byte or the end of the connection. Returns true at the end, if nothing is left to read.
    func isClosed() -> Bool {
        guard buffer.isEmpty else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Like `isClosed()`, without waiting.
    func isClosedNow() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    /// Reads all bytes until the end of the connection.
    func rest() -> String {
        while receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads the next line, without its line end; nil at the end of the connection.
    func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = buffer[..<end]
                buffer.removeFirst(end + 1)
                return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }
            guard receive() else { return nil }
        }
    }

    func bytes(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard receive() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Reads an answer; nil if the connection ends before it is complete.
    func answer(toHead isHead: Bool = false) -> Answer? {
        guard let first = line(), first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)) else {
            return nil
        }
        var answer = Answer(status: status, head: "", body: [])
        while let line = line(), !line.isEmpty { answer.head += line + "\r\n" }
        if isHead || status < 200 || status == 204 || status == 304 { return answer }
        if let length = answer.field("Content-Length").flatMap({ Int($0) }) {
            guard let body = bytes(length) else { return nil }
            answer.body = body
        } else if answer.field("Transfer-Encoding") == "chunked" {
            while let size = line().flatMap({ Int($0, radix: 16) }), let chunk = bytes(size), line() == "" {
                if size == 0 { return answer }
                answer.body += chunk
            }
            return nil
        } else {
            answer.body = Array(rest().utf8)
        }
        return answer
    }

    func request(_ text: String) -> Answer? { send(text) ? answer(toHead: text.hasPrefix("HEAD")) : nil }

    func get(_ target: String, _ fields: String = "") -> Answer? {
        request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    }
}
