import CLinux
import EventLoop
import Foundation
import HTTP
import HTTPServer
import Testing

/// In processes of their own, because descriptors are counted and limited by process.
struct DescriptorTests {
    private static func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }

    private static func cpuSeconds() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }

    @Test("Two thousand resets in all states leave no descriptor behind")
    func resets() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(
                loops: 2, responder: { head, _ in .text(String(repeating: "x", count: 100_000)) })
            _ = try TestClient(server.port).get("/")
            for _ in 0..<1000 where server.server.connectionCount > 0 { usleep(5000) }
            let before = Self.descriptors()
            let starts = [
                "", "GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
            ]
            for round in 0..<2000 {
                let client = try TestClient(server.port)
                client.send(starts[round % starts.count])
                if round % 3 != 0 { client.resetOnClose() }
            }
            for _ in 0..<2000 where server.server.connectionCount > 0 { usleep(5000) }
            guard server.server.connectionCount == 0, Self.descriptors() == before else { exit(1) }
            exit(0)
        }
    }

    @Test("Without descriptors the server waits, and goes on when there are some again")
    func exhaustion() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(loops: 2, responder: { head, _ in .text("ok") })
            var clients = try (0..<10).map { _ in try TestClient(server.port) }
            for client in clients { guard client.get("/")?.text == "ok" else { exit(1) } }
            _ = linux_set_limit(Int32(RLIMIT_NOFILE.rawValue), UInt64(Self.descriptors()) + 2, 1024)
            // One descriptor for the client, and soon none for the server.
            while let client = try? TestClient(server.port) { clients.append(client) }
            let start = Self.cpuSeconds()
            sleep(1)
            // Spinning would cost this whole second.
            guard Self.cpuSeconds() - start < 0.5 else { exit(2) }
            clients.removeFirst(5)
            for client in clients { guard client.get("/")?.text == "ok" else { exit(3) } }
            exit(0)
        }
    }
}
