import Crypto
import EventLoop
import HTTP
import HTTPClient
import HTTPServer
import Testing

@testable import App

/// A local server to which webhooks are sent.
final class WebhookReceiver: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.
    struct Message: Sendable {
        let event: String
        let delivery: String
        let signature: String
        let body: String
    }

    private let lock = Lock()
    private var received: [Message] = []
    private var status = Status.noContent

    var messages: [Message] { lock.withLock { received } }

    /// Sets the status of the following answers.
    func answer(_ status: Status) { lock.withLock { self.status = status } }

    /// Runs `body` with a receiver, its address, and a worker that sends the webhooks.
    static func run(
        _ harness: AppHarness, _ body: (WebhookReceiver, String, WebhookWorker) async throws -> Void
    ) async throws {
        let receiver = WebhookReceiver()
        let loop = try EventLoop(name: "receiver")
        try loop.start()
        let server = try HTTPServer(
            ServerConfiguration(
                addresses: [ListenAddress(host: "127.0.0.1", port: 0)], certificate: nil, hosts: AllowedHosts([]),
                limits: ServerLimits(), onRefusal: { _ in }),
            loops: [loop]
        ) { head, body in
            let bytes = (try? await body.collect(limit: 1 << 20)) ?? []
            return receiver.receive(
                Message(
                    event: head.headers["AllesTeurer-Event"] ?? "",
                    delivery: head.headers["AllesTeurer-Delivery"] ?? "",
                    signature: head.headers["AllesTeurer-Signature"] ?? "", body: String(decoding: bytes, as: UTF8.self)
                ))
        }
        server.start()
        let current = try #require(EventLoop.current)
        let worker = WebhookWorker(
            on: current, database: harness.database,
            client: HTTPClient(on: current, tls: try ClientTLS(), allowsPrivateNetworks: true, deadline: .seconds(60)),
            log: Log(level: .error))
        func stop() async {
            await server.stop(within: .milliseconds(200))
            loop.stop()
        }
        do {
            try await body(receiver, "http://127.0.0.1:\(server.addresses[0].port)/hook?x=1", worker)
        } catch {
            await stop()
            throw error
        }
        await stop()
    }

    private func receive(_ message: Message) -> Response {
        lock.withLock {
            received.append(message)
            return Response(status)
        }
    }
}
