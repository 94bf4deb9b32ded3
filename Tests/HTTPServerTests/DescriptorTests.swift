import CLinux
import EventLoop
import Foundation
import HTTP
import HTTPServer
import Testing

/// Tests that run in separate processes, because descriptors are counted and limited per process.
@Suite(.timeLimit(.minutes(5))) struct DescriptorTests {
    private static func descriptorCount() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }

    /// Opens the files with the states of all other threads (`/proc/self/task/ID/stat`). Returns their descriptors.
    private static func threadStates() -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let ownThread = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        return threads.filter { !ownThread.hasSuffix("/\($0)") }.map { open("/proc/self/task/\($0)/stat", O_RDONLY) }
    }

    /// Whether the threads sleep in 50 consecutive samples. A loop that tries to accept without pause never sleeps.
    private static func areAsleep(_ threads: [Int32]) -> Bool {
        var samples = 0
        for _ in 0..<10_000 where samples < 50 {
            usleep(1000)
            let sleeping = threads.allSatisfy { thread in
                var bytes = [UInt8](repeating: 0, count: 512)
                let count = pread(thread, &bytes, bytes.count, 0)
                // The state is the letter after the name, which is in parentheses.
                let state = bytes[..<max(0, count)].split(separator: UInt8(ascii: ")")).last?.dropFirst().first
                return state == UInt8(ascii: "S")
            }
            samples = sleeping ? samples + 1 : 0
        }
        return samples >= 50
    }

    @Test("leaks no descriptor in ten thousand resets")
    func resets() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(
                loops: 2, responder: { head, _ in .text(String(repeating: "x", count: 100_000)) })
            _ = try TestClient(server.port).get("/")
            for _ in 0..<12_000 where server.server.connectionCount > 0 { usleep(5000) }
            let countBefore = Self.descriptorCount()
            let starts = [
                "", "GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
            ]
            for round in 0..<10_000 {
                let client = try TestClient(server.port)
                client.send(starts[round % starts.count])
                if round % 3 != 0 { client.resetOnClose() }
            }
            // Connections are accepted in order, so the server has accepted all others when it answers this one.
            _ = try TestClient(server.port).get("/")
            for _ in 0..<12_000 where server.server.connectionCount > 0 || Self.descriptorCount() != countBefore {
                usleep(5000)
            }
            guard server.server.connectionCount == 0, Self.descriptorCount() == countBefore else { exit(1) }
            exit(0)
        }
    }

    /// The incomplete requests that a thousand clients send.
    private static let slow = [
        "GET / HTTP/1.1\r\nX-", "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123",
        "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test(
        "ends the connections of a thousand clients that send or read slowly, and keeps serving others", arguments: slow
    )
    func slowClients(start: String) async {
        await #expect(processExitsWith: .success) { [start] in
            _ = linux_set_limit(Int32(RLIMIT_NOFILE.rawValue), 4096, 4096)
            var limits = ServerLimits()
            limits.headTime = .seconds(2)
            limits.writeTime = .seconds(2)
            limits.lingerTime = .milliseconds(100)
            limits.connectionsPerNetwork = 2000
            limits.unsentBytes = 16 * 1024
            let large = [UInt8](repeating: 1, count: 4 << 20)
            let server = try TestServer(
                loops: 2, limits: limits,
                responder: { head, body in
                    switch head.target {
                    case "/body":
                        body.setPace(BodyPace(bytesPerSecond: 1000, totalSeconds: 2, graceSeconds: 2))
                        do throws(BodyError) {
                            while try await body.next() != nil {}
                            return .text("ok")
                        } catch {
                            return .text(error.status, "")
                        }
                    case "/large": return Response(body: .bytes(large))
                    default: return .text("ok")
                    }
                })
            let clients = try (0..<1000).map { _ in
                let client = try TestClient(server.port, receiveBuffer: 4096)
                guard client.send(start) else { exit(1) }
                return client
            }
            guard try TestClient(server.port).get("/")?.text == "ok" else { exit(2) }
            for _ in 0..<12_000 where server.server.connectionCount > 0 { usleep(5000) }
            guard server.server.connectionCount == 0 else { exit(3) }
            // A client that does not read is disconnected. The others get an answer.
            if !start.contains("/large") { for client in clients where client.answer()?.status != 408 { exit(4) } }
            exit(0)
        }
    }

    @Test("waits while no descriptor is free, and then continues")
    func exhaustion() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(loops: 2, responder: { head, _ in .text("ok") })
            var clients = try (0..<10).map { _ in try TestClient(server.port) }
            for client in clients { guard client.get("/")?.text == "ok" else { exit(1) } }
            let threads = Self.threadStates()
            guard threads.count >= 2, threads.allSatisfy({ $0 >= 0 }) else { exit(2) }
            _ = linux_set_limit(Int32(RLIMIT_NOFILE.rawValue), UInt64(Self.descriptorCount()) + 2, 1024)
            // The last client takes the last descriptor, so the server has none to accept its connection.
            while let client = try? TestClient(server.port) { clients.append(client) }
            guard Self.areAsleep(threads) else { exit(4) }
            clients.removeFirst(5)
            for client in clients { guard client.get("/")?.text == "ok" else { exit(3) } }
            exit(0)
        }
    }
}
