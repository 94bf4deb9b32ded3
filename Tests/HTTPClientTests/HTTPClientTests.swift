import EventLoop
import Foundation
import HTTP
import HTTPClient
import HTTPServer
import TestSupport
import Testing

/// Requests to servers on this machine.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    private static let openSSLTool = "/usr/bin/openssl"

    /// Runs `body` on a loop with a client.
    private func client(
        allowsPrivateNetworks: Bool = true, authorities: String? = nil, deadline: Duration = .seconds(5),
        _ body: @escaping @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "client")
        try loop.start()
        defer { loop.stop() }
        try await Task(executorPreference: loop) {
            try await body(
                HTTPClient(
                    on: loop, tls: ClientTLS(authorities: authorities), allowsPrivateNetworks: allowsPrivateNetworks,
                    deadline: deadline))
        }.value
    }

    private static let ok: Responder = { _, _ in Response(.ok) }

    private func server(
        certificate: (String, String)? = nil, _ responder: @escaping Responder,
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "server")
        try loop.start()
        defer { loop.stop() }
        let configuration = ServerConfiguration(
            addresses: [ListenAddress(host: "127.0.0.1", port: 0, security: certificate == nil ? .plain : .tls)],
            certificate: certificate.map { (chain: $0.0, key: $0.1) }, hosts: AllowedHosts([]), limits: ServerLimits(),
            onRefusal: { _ in })
        let server = try HTTPServer(configuration, loops: [loop], responder: responder)
        server.start()
        do {
            try await body(server.addresses[0].port)
        } catch {
            await server.stop(within: .milliseconds(200))
            throw error
        }
        await server.stop(within: .milliseconds(200))
    }

    private func error(_ client: HTTPClient, _ url: String) async throws -> ClientError? {
        do {
            _ = try await client.post(try #require(OutgoingURL(url)), [], [])
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    @Test func `sends fields and body, and returns the status`() async throws {
        let responder: Responder = { head, body in
            let bytes = (try? await body.collect(limit: 1 << 22)) ?? []
            let isRight =
                head.method == .post && head.headers["X-Test"] == "1" && head.target == "/a?b=c"
                && bytes.count == 3_000_000
            return Response(isRight ? .accepted : .badRequest)
        }
        try await server(responder) { port in
            try await client { client in
                let url = try #require(OutgoingURL("http://localhost:\(port)/a?b=c"))
                let body = [UInt8](repeating: 7, count: 3_000_000)
                #expect(try await client.post(url, [("X-Test", "1")], body) == 202)
            }
        }
    }

    @Test func `returns the status of a redirect with a long body, and does not follow it`() async throws {
        let responder: Responder = { _, _ in
            var response = Response.text(String(repeating: "x", count: 5_000_000))
            response.status = .seeOther
            response.headers[.location] = "http://localhost:1/"
            return response
        }
        try await server(responder) { port in
            try await client { client in
                let url = try #require(OutgoingURL("http://127.0.0.1:\(port)/"))
                #expect(try await client.post(url, [], []) == 303)
            }
        }
    }

    @Test func `refuses addresses of private networks by any name`() async throws {
        try await server(Self.ok) { port in
            try await client(allowsPrivateNetworks: false) { client in
                for host in ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254"] {
                    let result = try await error(client, "http://\(host):\(port)/")
                    #expect(result == .forbiddenAddress, "\(host)")
                }
            }
        }
    }

    @Test func `reports the cause of a failure`() async throws {
        try await client(deadline: .milliseconds(1500)) { client in
            let refusal = try await error(client, "http://127.0.0.1:1/")
            #expect(refusal == .notReachable)
            let unspecified = try await error(client, "http://0.0.0.0:1/")
            #expect(unspecified == .forbiddenAddress)
            let unknown = try await error(client, "http://name.invalid/")
            #expect(unknown == .unknownHost || unknown == .timedOut)
        }
    }

    @Test func `ends a request to a server that does not answer, or whose answer is not HTTP`() async throws {
        try await RawServer.run(answer: nil) { port in
            try await client(deadline: .seconds(1)) { client in
                let result = try await error(client, "http://127.0.0.1:\(port)/")
                #expect(result == .timedOut)
            }
        }
        let long = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000)
        for answer in ["", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 999 x\r\n\r\n", "HTTP/1.1 200 OK\r\n", long] {
            try await RawServer.run(answer: answer) { port in
                try await client { client in
                    let result = try await error(client, "http://127.0.0.1:\(port)/")
                    #expect(result == .malformedAnswer, "\(answer.prefix(20))")
                }
            }
        }
    }

    @Test func `waits for the final answer after an informational one`() async throws {
        try await RawServer.run(answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n") { port in
            try await client { client in
                let url = try #require(OutgoingURL("http://127.0.0.1:\(port)/"))
                #expect(try await client.post(url, [], []) == 204)
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: HTTPClientTests.openSSLTool)))
    func `accepts certificates only of known authorities and for the host's name`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("client-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (chain, key) = (
            folder.appendingPathComponent("chain.pem").path, folder.appendingPathComponent("key.pem").path
        )
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openSSLTool)
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=x", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try await server(certificate: (chain, key), Self.ok) { port in
            try await client(authorities: chain) { client in
                let url = try #require(OutgoingURL("https://localhost:\(port)/"))
                #expect(try await client.post(url, [], []) == 200)
                // The certificate is for the host name, not for its address.
                let other = try await error(client, "https://127.0.0.1:\(port)/")
                #expect(other == .tls("IP address mismatch"))
            }
            try await client { client in
                let unknown = try await error(client, "https://localhost:\(port)/")
                #expect(unknown?.description.hasPrefix("TLS: ") == true)
            }
        }
    }
}
