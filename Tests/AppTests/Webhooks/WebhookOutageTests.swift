import EventLoop
import Foundation
import HTTPClient
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct WebhookOutageTests {
    @Test func `a database outage is logged once`() async throws {
        let file = LogFile()
        defer { file.remove() }
        try await onLoop { loop in
            var settings = try PostgresSettings(url: "postgresql://anna:geheim@/away?host=/nowhere")
            settings.queueTimeout = .milliseconds(20)
            let pool = Pool(loop: loop, settings: settings)
            let worker = WebhookWorker(
                on: loop, database: Database(pools: [pool]),
                client: HTTPClient(on: loop, tls: try ClientTLS(), allowsPrivateNetworks: true),
                log: file.log(.info))
            loop.spawn { await worker.run() }
            // Waits until the first attempt has failed and was logged. The following attempts fail, too.
            while try file.text().isEmpty { await loop.sleep(for: .milliseconds(1)) }
            for _ in 0..<300 {
                await loop.sleep(for: .milliseconds(1))
                worker.wake()
            }
            worker.stop()
            await loop.sleep(for: .milliseconds(100))
            pool.close()
        }
        let log = try file.text()
        #expect(try file.lines().count == 1, "\(log)")
        #expect(log.contains("\"event\":\"webhook\"") && !log.contains("geheim"))
    }
}
