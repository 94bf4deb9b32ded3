import EventLoop
import Foundation
import HTTP
import HTTPServer
import Testing

private let openSSLTool = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// Tests with the client of the `openssl` command, `s_client`.
@Suite(.enabled(if: openSSLTool != nil, "the openssl command is missing"), .timeLimit(.minutes(5)))
struct TLSTests {
    private let folder: URL
    private var chain: String { folder.appendingPathComponent("chain.pem").path }
    private var key: String { folder.appendingPathComponent("key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeCertificate("localhost", key: key)
    }

    private func makeCertificate(_ name: String, key: String) throws {
        _ = try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=\(name)", "-keyout", key, "-out", chain,
        ])
    }

    /// Runs the command. Returns its standard output and standard error together.
    private static func openssl(_ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(openSSLTool))
        process.arguments = arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        // s_client exits at the end of its input, so the input stays open until the server closes the connection.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try standardInput.fileHandleForWriting.close()
        process.waitUntilExit()
        return text
    }

    private func run(_ body: (TestServer) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var limits = ServerLimits()
        limits.handshakeTime = .seconds(3)
        limits.keepAliveTime = .seconds(1)
        let server = try TestServer(
            security: .tls, certificate: (chain, key), limits: limits,
            responder: { head, body in
                let bytes = (try? await body.collect(limit: 1 << 20)) ?? []
                return .text(
                    "secure \(head.isSecure) \(bytes.count) " + String(repeating: "x", count: 100_000) + " end")
            })
        do {
            try await body(server)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private func client(_ server: TestServer, _ options: [String], input: String = TLSTests.request) throws -> String {
        try Self.openssl(
            ["s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof", "-servername", "localhost"] + options,
            input: input)
    }

    @Test("accepts TLS 1.2 and 1.3, and selects http/1.1", arguments: ["-tls1_2", "-tls1_3"])
    func versions(_ version: String) async throws {
        try await run { server in
            let text = try client(server, [version, "-alpn", "h2,http/1.1"])
            #expect(text.contains("ALPN protocol: http/1.1"))
            #expect(text.contains("HTTP/1.1 200 OK") && text.contains("secure true 0 x"))
            #expect(text.contains("x end"))
            let large = String(repeating: "y", count: 100_000)
            let post = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"
            let answer = try client(server, [version, "-quiet"], input: post + large)
            #expect(answer.contains("secure true 100000 x"))
        }
    }

    @Test("refuses older versions and other protocols")
    func refused() async throws {
        try await run { server in
            let old = try client(server, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
            #expect(!old.contains("HTTP/1.1") && old.contains("alert protocol version"))
            let other = try client(server, ["-alpn", "h2"])
            #expect(!other.contains("HTTP/1.1 200"))
        }
    }

    @Test("sends close_notify before it closes an idle connection", arguments: ["-tls1_2", "-tls1_3"])
    func closeNotify(_ version: String) async throws {
        try await run { server in
            let text = try client(server, [version], input: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(text.contains("x end") && text.contains("closed"))
            #expect(!text.contains("unexpected eof"))
        }
    }

    @Test("sends no close_notify after an incomplete answer of unknown length", arguments: ["-tls1_2", "-tls1_3"])
    func truncated(_ version: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try TestServer(
            security: .tls, certificate: (chain, key),
            responder: { head, _ in
                Response(
                    body: .stream(length: nil) {
                        try await $0.send(Array("the first part".utf8))
                        if head.target == "/broken" { throw CancellationError() }
                    })
            })
        let whole = try client(server, [version], input: "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(whole.contains("the first part") && !whole.contains("unexpected eof"))
        let brokenAnswer = try client(server, [version], input: "GET /broken HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(brokenAnswer.contains("the first part") && brokenAnswer.contains("unexpected eof"))
        await server.stop()
    }

    @Test("resumes a session by its ticket")
    func resumption() async throws {
        try await run { server in
            let session = folder.appendingPathComponent("session.pem").path
            let first = try client(server, ["-tls1_2", "-sess_out", session])
            #expect(first.contains("New, TLSv1.2"))
            let second = try client(server, ["-tls1_2", "-sess_in", session])
            #expect(second.contains("Reused, TLSv1.2"))
        }
    }

    @Test("serves a changed certificate without a restart, and keeps the old one while the new files are unusable")
    func changedCertificate() async throws {
        try await run { server in
            func serves(_ name: String) throws -> Bool {
                let text = try client(server, [])
                return text.contains("CN = \(name)") || text.contains("CN=\(name)")
            }
            #expect(try serves("localhost"))
            #expect(server.reloads.all == [])
            // The new chain is in place, but the key is not.
            let newKey = folder.appendingPathComponent("new.pem").path
            try makeCertificate("new.test", key: newKey)
            for _ in 0..<2 { #expect(try serves("localhost")) }
            #expect(server.reloads.all.count == 1 && server.reloads.all != [.done])
            try FileManager.default.removeItem(atPath: key)
            try FileManager.default.moveItem(atPath: newKey, toPath: key)
            #expect(try serves("new.test"))
            #expect(server.reloads.all.last == .done && server.reloads.all.count == 2)
        }
    }

    @Test("closes TLS connections that send plain HTTP, noise or nothing")
    func noise() async throws {
        try await run { server in
            let plain = try TestClient(server.port)
            plain.send(Self.request)
            #expect(!plain.rest().contains("HTTP/"))
            let noise = try TestClient(server.port)
            noise.send([22, 3, 1, 255, 255] + [UInt8](repeating: 1, count: 200_000))
            _ = noise.rest()
            let silent = try TestClient(server.port)
            #expect(silent.isClosed())
            let halfOpen = try TestClient(server.port)
            halfOpen.send([22, 3, 1, 1, 0, 1])
            #expect(halfOpen.isClosed())
            let next = try client(server, [])
            #expect(next.contains("200 OK"))
        }
    }

    @Test("refuses renegotiation")
    func renegotiation() async throws {
        try await run { server in
            // The line "R" makes s_client renegotiate.
            let text = try client(server, ["-tls1_2"], input: "R\n" + Self.request)
            #expect(!text.contains("200 OK"))
        }
    }

    @Test("fails at start if the certificate is missing")
    func missingCertificate() throws {
        #expect(throws: (any Error).self) {
            try TestServer(security: .tls, certificate: ("/nowhere", "/nowhere"), responder: { _, _ in .text("") })
        }
        #expect(throws: (any Error).self) {
            try TestServer(security: .tls, responder: { _, _ in .text("") })
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("refuses an encrypted key without asking for its passphrase")
    func encryptedKey() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let encrypted = folder.appendingPathComponent("encrypted.pem").path
        _ = try Self.openssl(["pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", encrypted])
        #expect(FileManager.default.fileExists(atPath: encrypted))
        #expect(throws: (any Error).self) {
            try TestServer(security: .tls, certificate: (chain, encrypted), responder: { _, _ in .text("") })
        }
    }

    @Test("redirects plain HTTP to the TLS port, but refuses unknown and missing hosts")
    func redirect() async throws {
        try FileManager.default.removeItem(at: folder)
        let server = try TestServer(
            security: .redirect(port: 8443), hosts: ["allesteurer.test"], responder: { _, _ in .text("") })
        let client = try TestClient(server.port)
        let answer = client.request("GET /a?b=c HTTP/1.1\r\nHost: allesteurer.test:8080\r\n\r\n")
        #expect(answer?.status == 308)
        #expect(answer?.field("Location") == "https://allesteurer.test:8443/a?b=c")
        #expect(client.request("GET / HTTP/1.1\r\nHost: evil.com\r\n\r\n")?.status == 421)
        let old = try TestClient(server.port).request("GET / HTTP/1.0\r\n\r\n")
        #expect(old?.status == 400 && old?.field("Location") == nil)
        await server.stop()
    }
}
