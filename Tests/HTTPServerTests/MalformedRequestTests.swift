import EventLoop
import Foundation
import HTTP
import HTTPServer
import Testing

/// Requests that are not valid HTTP, or for another host.
@Suite(.timeLimit(.minutes(5))) struct MalformedRequestTests {
    @Test(
        "answers a framing error once and serves nothing after it",
        arguments: [
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 010\r\n\r\n0123456789",
            "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /%c0%af HTTP/1.1\r\nHost: a\r\n\r\n",
            "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}", "HEAD /.. HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET ! HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func framing(_ bytes: String) async throws {
        let served = Count()
        let responder: Responder = { head, _ in
            if head.target == "/admin" { served.add() }
            return .text("")
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            client.send(bytes + "GET /admin HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = client.rest()
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(text.hasPrefix("HTTP/1.1 4") || text.hasPrefix("HTTP/1.1 5"))
            #expect(!text.contains("TRACE") && text.contains("Connection: close\r\n"))
            #expect(server.refusals.all.count == 1)
            #expect(served.value == 0)
        }
    }

    @Test("closes the connection after the answer to a malformed chunk")
    func brokenChunk() async throws {
        let responder: Responder = { _, body in
            do throws(BodyError) {
                return .text("\(try await body.collect(limit: 100))")
            } catch {
                return .text(error.status, "")
            }
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            client.send(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello6\r\nGET /admin HTTP/1.1\r\n\r\n"
            )
            let text = client.rest()
            #expect(text.hasPrefix("HTTP/1.1 400") && text.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test(
        "answers 400 for a malformed body, whatever else is wrong with the request",
        arguments: [
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "DELETE / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1_0\r\nx",
            "TRACE / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5 ;\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        ])
    func malformedBodyFirst(_ bytes: String) async throws {
        let responder: Responder = { _, _ in .text(.methodNotAllowed, "") }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            client.send(bytes + "GET /admin HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = client.rest()
            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test("keeps the answer to a request that was carried out, although its unread body is malformed")
    func malformedBodyAfterSuccess() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            #expect(client.rest().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("serves only its own hosts", arguments: [("allesteurer.test", 200), ("evil.com", 421), ("a,b", 400)])
    func hosts(_ host: String, _ status: Int) async throws {
        try await TestServer.run(hosts: ["allesteurer.test"]) { server in
            let client = try TestClient(server.port)
            #expect(client.request("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.status == status)
        }
    }
}
