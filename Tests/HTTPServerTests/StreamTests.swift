import EventLoop
import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    @Test("sends a stream of events, then serves the next request")
    func events() async throws {
        let responder: Responder = { _, _ in
            .events { writer in
                for number in 1...3 {
                    try await writer.send(Array("data: \(number)\n\n".utf8))
                    await EventLoop.current?.sleep(for: .milliseconds(5))
                }
            }
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            #expect(client.get("/")?.text == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
            #expect(client.get("/")?.field("Content-Type") == "text/event-stream")
        }
    }

    @Test("sends a stream of known length without chunks, and closes the connection if the length is wrong")
    func knownLength() async throws {
        let responder: Responder = { head, _ in
            Response(body: .stream(length: 4) { try await $0.send(Array(head.target.utf8)) })
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            #expect(client.get("/abc")?.text == "/abc")
            client.send("GET /ab HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.answer() == nil)
            let other = try TestClient(server.port)
            other.send("GET /abcde HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(other.answer() == nil)
        }
    }

    @Test("closes an HTTP/1.0 connection after a stream without length, for HEAD too", arguments: ["GET", "HEAD"])
    func streamToHTTP10(method: String) async throws {
        let responder: Responder = { _, _ in
            Response(body: .stream(length: nil) { try await $0.send(Array("abc".utf8)) })
        }
        try await TestServer.run(responder: responder) { server in
            let client = try TestClient(server.port)
            client.send("\(method) / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let text = client.rest()
            #expect(text.contains("Connection: close\r\n"))
            #expect(text.hasSuffix(method == "GET" ? "\r\n\r\nabc" : "\r\n\r\n"))
            #expect(client.isClosed())
        }
    }

    @Test("cancels the writer when the client disconnects", arguments: [true, false])
    func disconnection(_ reset: Bool) async throws {
        let ended = Count()
        let responder: Responder = { _, _ in
            .events { writer in
                try await writer.send(Array("data: 1\n\n".utf8))
                while !Task.isCancelled { await EventLoop.current?.sleep(for: .milliseconds(5)) }
                ended.add()
            }
        }
        try await TestServer.run(responder: responder) { server in
            do {
                let client = try TestClient(server.port)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                while let line = client.line(), !line.contains("data") {}
                if reset { client.resetOnClose() }
            }
            for _ in 0..<12_000 where ended.value == 0 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(ended.value == 1)
        }
    }
}

/// A counter that any thread may increment.
final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
