import EventLoop
import HTTP
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
    @Test("answers requests one after another on a connection")
    func keepAlive() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            for target in ["/", "/a?b=c", "/long"] {
                let answer = try #require(client.get(target))
                #expect(answer.status == 200)
                #expect(answer.text == target)
                #expect(answer.field("Date")?.hasSuffix(" GMT") == true)
                #expect(answer.field("Connection") == nil)
            }
        }
    }

    @Test("answers a request that arrives in single bytes")
    func singleBytes() async throws {
        let responder: Responder = { head, body in
            let text = (try? await body.collect(limit: 100)).map { String(decoding: $0, as: UTF8.self) }
            return .text("\(head.target) \(text ?? "-")")
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            for request in [
                "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
                "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            ] {
                for byte in request.utf8 { client.send([byte]) }
                #expect(client.answer()?.text == "/a hello")
            }
        }
    }

    @Test("answers HEAD with the fields of GET and no body")
    func head() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            let answer = client.request("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer?.field("Content-Length") == "4")
            #expect(client.get("/x")?.text == "/x")
        }
    }

    @Test("closes HTTP/1.0 connections without keep-alive, and needs no Host for them")
    func http10() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            let answer = client.request("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(answer?.field("Connection") == "keep-alive")
            #expect(client.request("GET /b HTTP/1.0\r\n\r\n")?.text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test("sends 100 Continue only if the body is read")
    func expectContinue() async throws {
        let responder: Responder = { head, body in
            guard head.target == "/wanted" else { return .text(.contentTooLarge, "no") }
            return .text(String(decoding: (try? await body.collect(limit: 10)) ?? [], as: UTF8.self))
        }
        try await TestServer.run(responder: responder) { server in
            let fields = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
            let client = try TestClient(server.port)
            #expect(client.request("POST /wanted HTTP/1.1\r\n\(fields)")?.status == 100)
            #expect(client.request("ok")?.text == "ok")
            let refusal = client.request("POST /refused HTTP/1.1\r\n\(fields)")
            #expect(refusal?.status == 413)
            #expect(refusal?.field("Connection") == "close")
            #expect(client.isClosed())
        }
    }

    @Test("discards a small unread body, and closes the connection for a large one")
    func unreadBodies() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n")
            client.send([UInt8](repeating: 97, count: 40000))
            #expect(client.answer()?.text == "/1")
            #expect(client.get("/2")?.text == "/2")
            client.send("POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000\r\n\r\n")
            client.send([UInt8](repeating: 97, count: 1_000_000))
            let last = client.answer()
            #expect(last?.text == "/3")
            #expect(last?.field("Connection") == "close")
        }
    }

    @Test(
        "reads the next request after an unread body",
        arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"])
    func pipelinedAfterUnreadBody(body: String) async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("POST /a HTTP/1.1\r\nHost: a\r\n\(body)GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finish()
            #expect(client.answer()?.text == "/a")
            #expect(client.answer()?.text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test("answers a thousand pipelined requests in order, then closes the connection")
    func pipelining() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            let requests = (0..<1200).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            // The requests are sent in two parts, because the socket buffers hold about a thousand requests and
            // answers.
            client.send(requests[..<600].joined())
            let first = (0..<600).count { client.answer()?.text == "/\($0)" }
            client.send(requests[600...].joined())
            let second = (600..<999).count { client.answer()?.text == "/\($0)" }
            #expect(first + second == 999)
            let last = client.answer()
            #expect(last?.text == "/999")
            #expect(last?.field("Connection") == "close")
            #expect(client.isClosed())
        }
    }

    @Test("answers a client that has closed its sending side")
    func halfClosed() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finish()
            #expect(client.answer()?.text == "/a")
            #expect(client.isClosed())
        }
    }

    @Test("answers 500 instead of sending a field with a line end")
    func fieldInjection() async throws {
        let responder: Responder = { head, _ in
            .redirect(to: "/" + (head.query("next") ?? ""))
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            let answer = client.get("/?next=%0d%0aSet-Cookie:x=y")
            #expect(answer?.status == 500)
            #expect(answer?.field("Set-Cookie") == nil)
            #expect(server.refusals.all.map(\.status) == [.internalServerError])
            #expect(client.get("/?next=a")?.field("Location") == "/a")
        }
    }

    @Test("compresses a page if the client accepts it and the URL has no query")
    func compression() async throws {
        let page = Array(String(repeating: "<p>Milch 1,29 €</p>", count: 200).utf8)
        let responder: Responder = { _, _ in .html(page) }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            let plain = client.get("/")
            #expect(plain?.body == page)
            #expect(plain?.field("Vary") == "Accept-Encoding")
            let small = try #require(client.get("/", "Accept-Encoding: gzip\r\n"))
            #expect(small.field("Content-Encoding") == "gzip")
            #expect(small.body.starts(with: [0x1F, 0x8B]) && small.body.count < 300)
            #expect(client.get("/?q=a", "Accept-Encoding: gzip\r\n")?.body == page)
        }
    }

    @Test("serves a request without changing the thread")
    func staysOnThread() async throws {
        let responder: Responder = { head, body in
            _ = try? await body.collect(limit: 100)
            await EventLoop.current?.sleep(for: .milliseconds(1))
            return .text("\(EventLoop.current != nil)")
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            #expect(client.get("/")?.text == "true")
            let jobsBefore = server.loops[0].jobCountFromOtherThreads
            for _ in 0..<50 {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
                client.send("ok")
                #expect(client.answer()?.text == "true")
            }
            #expect(server.loops[0].jobCountFromOtherThreads == jobsBefore)
        }
    }
}
