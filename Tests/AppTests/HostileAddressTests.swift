import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Malicious methods, hosts and paths.
@Suite(.timeLimit(.minutes(5))) struct HostileAddressTests {
    @Test(.database) func `serves no file outside the public folder`() async throws {
        try await AppHarness.run { harness in
            for target in [
                "/%ff", "/receipts/%c0%af", "/receipts?search=%ff", "/receipts?search=%ed%a0%80", "/%00",
                "/receipts/%00",
                "/css/%2e%2e/%2e%2e/Package.swift", "/css/..%2f..%2fPackage.swift", "/css/..%5c..%5cPackage.swift",
                "/css/%252e%252e/Package.swift", "//etc/passwd", "/./Package.swift", "/css/../../Package.swift",
                "/css/;x/../../Package.swift", "/Package.swift", "/.git/config", "/../../../../etc/passwd",
            ] {
                let anna = try await harness.signUp()
                do {
                    let answer = try await anna.get(target)
                    #expect([303, 400, 404].contains(answer.status.code), "\(answer.status)")
                    #expect(!answer.text.contains("swift-tools-version") && !answer.text.contains("root:"))
                } catch let refusal as RequestRefusal {
                    #expect(refusal.status == .badRequest)
                }
            }
        }
    }

    @Test(.database) func `refuses methods that a page does not accept, and echoes no header`() async throws {
        try await AppHarness.run { harness in
            for method in ["TRACE", "OPTIONS", "PUT", "PATCH", "DELETE", "PROPFIND", "CONNECT"] {
                let anna = try await harness.signUp()
                do {
                    let answer = try await anna.send(
                        HTTP.Method(method), "/receipts", type: nil, body: RequestBody(), fields: ["X-Secret": "geheim"]
                    )
                    #expect([405, 501].contains(answer.status.code), "\(answer.status)")
                    #expect(!answer.text.contains("geheim"))
                    #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
                } catch let refusal as RequestRefusal {
                    #expect([400, 405, 501].contains(refusal.status.code), "\(refusal)")
                }
            }
        }
    }

    @Test(.database) func `refuses host names that are not the server's`() async throws {
        try await AppHarness.run { harness in
            for host in [
                "evil.com", "localhost, evil.com", "localhost:99999", "localhost@evil.com", "evil.com:8080",
                "127.0.0.1.evil.com", "",
            ] {
                var parser = RequestParser()
                var position = 0
                let input = Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
                do {
                    guard case .head(let message)? = try parser.next(input, &position, end: input.count) else {
                        Issue.record("no request head: \(host)")
                        return
                    }
                    _ = try RequestHead(
                        validating: message, id: RequestID(1), peer: .loopback, isSecure: false,
                        hosts: harness.app.hosts)
                    Issue.record("accepted: \(host)")
                } catch let refusal as RequestRefusal {
                    #expect([400, 421].contains(refusal.status.code), "\(refusal)")
                }
            }
        }
    }

    @Test(.database) func `links ignore forwarded host names and use the configured address`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let token = try #require(try await anna.get("/settings").token)
            let answer = try await anna.send(
                .post, "/settings/invitations", type: "application/x-www-form-urlencoded",
                Array("csrf=\(PercentCoding.encode(token))".utf8),
                fields: ["X-Forwarded-Host": "evil.com", "Forwarded": "host=evil.com", "X-Forwarded-Proto": "https"])
            #expect(answer.status == .ok)
            #expect(!answer.text.contains("evil.com"))
            #expect(answer.text.contains("\(harness.app.config.baseURL)/join/"))
        }
    }

    @Test(.database) func `pages forbid framing, sniffing and foreign scripts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var nonces: Set<String> = []
            for path in ["/", "/sign-in", "/nirgends", "/receipts", "/settings"] {
                let answer = try await anna.get(path)
                let policy = answer.headers["Content-Security-Policy"] ?? ""
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"), "\(path)")
                #expect(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"), "\(path)")
                #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(path)")
                #expect(answer.headers["Access-Control-Allow-Origin"] == nil, "\(path)")
                nonces.insert(policy)
            }
            #expect(nonces.count == 5)
        }
    }
}
