import EventLoop
import Foundation
import HTTP
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileClientTests {
    /// Waits until the server has closed every connection. Returns false after a time limit.
    private func connectionsEnd(_ server: TestServer) async throws -> Bool {
        for _ in 0..<12_000 where server.server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
        return server.server.connectionCount == 0
    }

    @Test("answers 408 to slow heads, closes silent connections without an answer, and keeps serving others")
    func slowHeads() async throws {
        var limits = ServerLimits()
        limits.headTime = .seconds(2)
        limits.lingerTime = .milliseconds(100)
        try await TestServer.run(limits: limits) { server in
            let slow = try (0..<100).map { _ in
                let client = try TestClient(server.port)
                client.send("GET / HTTP/1.1\r\nX-")
                return client
            }
            let silent = try TestClient(server.port)
            #expect(try TestClient(server.port).get("/")?.status == 200)
            #expect(slow.count { $0.answer()?.status == 408 } == 100)
            #expect(silent.isClosed())
            #expect(server.refusals.all.count == 100)
        }
    }

    @Test("answers 408 to a slow body, and refuses a too large length before reading")
    func slowBodies() async throws {
        let readCount = Count()
        let responder: Responder = { head, body in
            body.setPace(BodyPace(bytesPerSecond: 1_000_000, totalSeconds: 10, graceSeconds: 0))
            do throws(BodyError) {
                while try await body.next() != nil { readCount.add() }
                return .text("ok")
            } catch {
                return .text(error.status, "")
            }
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123")
            #expect(client.answer()?.status == 408)
            #expect(readCount.value == 1)
        }
        let strict: Responder = { _, body in
            do throws(BodyError) {
                return .text("\(try await body.collect(limit: 65536))")
            } catch {
                return .text(error.status, "")
            }
        }
        try await TestServer.run(responder: strict) { server in
            let client = try TestClient(server.port)
            let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10000000000\r\n\r\n"
            #expect(client.request(head)?.status == 413)
            #expect(client.isClosed())
        }
    }

    @Test("closes the connection of a client that never reads")
    func slowReader() async throws {
        var limits = ServerLimits()
        limits.writeTime = .milliseconds(300)
        let large = [UInt8](repeating: 1, count: 64 << 20)
        let responder: Responder = { head, _ in
            Response(body: .bytes(head.target == "/large" ? large : [1]))
        }
        try await TestServer.run(limits: limits, responder: responder) { server in
            let client = try TestClient(server.port, receiveBuffer: 4096)
            client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try TestClient(server.port).get("/")?.body == [1])
            #expect(try await connectionsEnd(server))
        }
    }

    @Test("bounds the kernel's buffer of a stream that is not read")
    func unreadStream() async throws {
        var limits = ServerLimits()
        limits.writeTime = .seconds(1)
        let written = Count()
        let responder: Responder = { _, _ in
            .events { writer in
                for _ in 0..<1000 {
                    try await writer.send([UInt8](repeating: 65, count: 16 * 1024))
                    written.add()
                }
            }
        }
        try await TestServer.run(limits: limits, responder: responder) { server in
            let client = try TestClient(server.port, receiveBuffer: 4096)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.line() != nil)
            #expect(try await connectionsEnd(server))
            #expect(written.value > 0 && written.value * 16 * 1024 <= 1 << 20, "\(written.value)")
        }
    }

    @Test("closes the connection of a client that reads a stream slowly without pausing")
    func slowReaderOfStream() async throws {
        var limits = ServerLimits()
        limits.writeTime = .seconds(3)
        limits.unsentBytes = 1024
        let pieces = 64
        let responder: Responder = { _, _ in
            .events { writer in
                for _ in 0..<pieces { try await writer.send([UInt8](repeating: 65, count: 1024)) }
            }
        }
        try await TestServer.run(limits: limits, responder: responder) { server in
            let client = try TestClient(server.port, receiveBuffer: 4096)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            var received = 0
            var chunk = [UInt8](repeating: 0, count: 256)
            while received < pieces * 1024 {
                let count = recv(client.descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                received += count
                // 2.5 KiB/s: the server never waits as long as `writeTime` for one piece.
                usleep(100_000)
            }
            #expect(received < pieces * 1024)
        }
    }

    @Test("frees connections after a reset in any state")
    func resets() async throws {
        let responder: Responder = { head, body in
            switch head.target {
            case "/stream":
                return .events { writer in
                    while true { try await writer.send([UInt8](repeating: 65, count: 10_000)) }
                }
            case "/large": return Response(body: .bytes([UInt8](repeating: 1, count: 8 << 20)))
            default:
                _ = try? await body.collect(limit: 1 << 20)
                await EventLoop.current?.sleep(for: .milliseconds(1))
                return .text("ok")
            }
        }
        let starts = [
            "", "GET", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc", "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        ]
        try await TestServer.run(loops: 2, responder: responder) { server in
            for round in 0..<50 {
                for start in starts {
                    let client = try TestClient(server.port)
                    client.send(start)
                    if round % 2 == 0, start.hasPrefix("GET /"), start.hasSuffix("\r\n\r\n") { _ = client.line() }
                    if round % 3 != 0 { client.resetOnClose() }
                }
            }
            #expect(try await connectionsEnd(server))
            #expect(try TestClient(server.port).get("/")?.text == "ok")
        }
    }

    @Test("limits connections per address and frees them")
    func connectionLimit() async throws {
        var limits = ServerLimits()
        limits.connectionsPerNetwork = 4
        try await TestServer.run(loops: 2, limits: limits) { server in
            do {
                let clients = try (0..<4).map { _ in try TestClient(server.port) }
                for client in clients { #expect(client.get("/")?.status == 200) }
                #expect(try TestClient(server.port).isClosed())
            }
            #expect(try await connectionsEnd(server))
            #expect(try TestClient(server.port).get("/")?.status == 200)
        }
    }

    @Test("limits simultaneous requests by forwarded address")
    func forwardedLimit() async throws {
        var limits = ServerLimits()
        limits.connectionsPerNetwork = 2
        let released = Count()
        let responder: Responder = { head, _ in
            while head.target == "/slow", released.value == 0 {
                await EventLoop.current?.sleep(for: .milliseconds(5))
            }
            return .text("ok")
        }
        let forwardedPeer: @Sendable (RequestHead) -> PeerAddress = { head in
            PeerAddress(ipv4: UInt32(head.headers["X-Forwarded-For"] ?? "") ?? 0, port: 0)
        }
        try await TestServer.run(
            limits: limits, responder: responder, forwardedPeer: forwardedPeer
        ) { server in
            func request(_ target: String, from client: Int) -> String {
                "GET \(target) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\n\r\n"
            }
            let slow = try [TestClient(server.port), TestClient(server.port)]
            for client in slow { client.send(request("/slow", from: 1)) }
            // Repeats the request until the server has counted both slow requests.
            var refused = try TestClient(server.port).request(request("/", from: 1))
            for _ in 0..<1000 where refused?.status == 200 {
                refused = try TestClient(server.port).request(request("/", from: 1))
            }
            #expect(refused?.status == 429)
            #expect(refused?.field("Retry-After") == "5")
            let head = try TestClient(server.port)
            head.send(request("/", from: 1).replacingOccurrences(of: "GET", with: "HEAD"))
            let answer = head.rest()
            #expect(answer.hasPrefix("HTTP/1.1 429 ") && answer.hasSuffix("\r\n\r\n"))
            #expect(try TestClient(server.port).request(request("/", from: 2))?.status == 200)
            released.add()
            for client in slow { #expect(client.answer()?.status == 200) }
            #expect(slow[0].request(request("/", from: 1))?.status == 200)
        }
    }

    @Test("limits requests per connection, and announces that a connection ends with its last answer")
    func requestLimit() async throws {
        var limits = ServerLimits()
        limits.requestsPerConnection = 3
        try await TestServer.run(limits: limits) { server in
            let client = try TestClient(server.port)
            let ends = (0..<3).map { _ in client.get("/")?.field("Connection") }
            #expect(ends == [nil, nil, "close"])
            #expect(client.isClosed())
        }
    }

    @Test("closes an idle connection after the time limit")
    func keepAliveTime() async throws {
        var limits = ServerLimits()
        limits.keepAliveTime = .milliseconds(300)
        try await TestServer.run(limits: limits) { server in
            let client = try TestClient(server.port)
            #expect(client.get("/")?.status == 200)
            #expect(client.isClosed())
        }
    }

    @Test("stops by answering running requests and closing streams and idle connections")
    func gracefulStop() async throws {
        let started = Count()
        let released = Count()
        // On a busy machine, the default time limit could close the idle connection before the server stops.
        var limits = ServerLimits()
        limits.keepAliveTime = .seconds(600)
        let server = try TestServer(
            limits: limits,
            responder: { head, _ in
                started.add()
                if head.target == "/events" {
                    return .events { writer in
                        try await writer.send([65])
                        while !Task.isCancelled { await EventLoop.current?.sleep(for: .milliseconds(5)) }
                    }
                }
                while head.target == "/slow", released.value == 0 {
                    await EventLoop.current?.sleep(for: .milliseconds(5))
                }
                return .text("done")
            })
        let idle = try TestClient(server.port)
        #expect(idle.get("/")?.text == "done")
        let events = try TestClient(server.port)
        events.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        let slow = try TestClient(server.port)
        slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        while started.value < 3 { try await Task.sleep(for: .milliseconds(5)) }
        let port = server.port
        async let stopped: Void = server.server.stop(within: .seconds(60))
        // Idle connections are closed when the stop begins, before running requests end.
        while !idle.isClosedNow() { try await Task.sleep(for: .milliseconds(5)) }
        released.add()
        await stopped
        #expect(server.server.connectionCount == 0)
        let answer = slow.answer()
        #expect(answer?.text == "done")
        #expect(answer?.field("Connection") == "close")
        #expect(events.answer()?.text == "A")
        #expect(throws: SystemError.self) { try TestClient(port) }
        await server.stop()
        #expect(started.value == 3)
    }
}
