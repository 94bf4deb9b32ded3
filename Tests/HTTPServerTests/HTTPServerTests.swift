import EventLoop
import HTTP
import HTTPServer
import Testing

struct HTTPServerTests {
    @Test("A request is answered, and the connection serves the next")
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

    @Test("A request cut into single bytes gets the same answer")
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

    @Test("HEAD has the fields of GET and no body")
    func head() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            let answer = client.request("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer?.field("Content-Length") == "4")
            #expect(client.get("/x")?.text == "/x")
        }
    }

    @Test("HTTP/1.0 closes unless it asks to stay, and needs no Host")
    func http10() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            let answer = client.request("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(answer?.field("Connection") == "keep-alive")
            #expect(client.request("GET /b HTTP/1.0\r\n\r\n")?.text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test("100 Continue is sent when the body is wanted, and only then")
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
            let refused = client.request("POST /refused HTTP/1.1\r\n\(fields)")
            #expect(refused?.status == 413)
            #expect(refused?.field("Connection") == "close")
            #expect(client.isClosed())
        }
    }

    @Test("A small unread body is dropped, a large one closes the connection after the answer")
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
        "What follows an unread body in the same bytes is the next request",
        arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"])
    func pipelinedBehindUnreadBody(body: String) async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("POST /a HTTP/1.1\r\nHost: a\r\n\(body)GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finish()
            #expect(client.answer()?.text == "/a")
            #expect(client.answer()?.text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test("Ten thousand pipelined requests are answered in order")
    func pipelining() async throws {
        var limits = ServerLimits()
        limits.requestsPerConnection = 10_000
        try await TestServer.run(limits: limits) { server in
            let client = try TestClient(server.port)
            let requests = (0..<10_000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            var answered = 0
            // The sockets between us hold about a thousand; more would wait for us to read.
            for start in stride(from: 0, to: 10_000, by: 500) {
                client.send(requests[start..<start + 500].joined())
                for index in start..<start + 500 {
                    if client.answer()?.text == "/\(index)" { answered += 1 }
                }
            }
            #expect(answered == 10_000)
            #expect(client.isClosed())
        }
    }

    @Test("A client that has finished sending is still answered")
    func halfClosed() async throws {
        try await TestServer.run { server in
            let client = try TestClient(server.port)
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finish()
            #expect(client.answer()?.text == "/a")
            #expect(client.isClosed())
        }
    }

    @Test("A response field with a line end is never sent")
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

    @Test("Pages are compressed for those who want it, without a query only")
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

    @Test("A request is served without leaving its loop")
    func noHops() async throws {
        let responder: Responder = { head, body in
            _ = try? await body.collect(limit: 100)
            await EventLoop.current?.sleep(for: .milliseconds(1))
            return .text("\(EventLoop.current != nil)")
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            #expect(client.get("/")?.text == "true")
            let before = server.loops[0].foreignEnqueues
            for _ in 0..<50 {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
                client.send("ok")
                #expect(client.answer()?.text == "true")
            }
            #expect(server.loops[0].foreignEnqueues == before)
        }
    }
}
