import Crypto
import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Deliveries to webhooks that fail, are interrupted, or wait for deliveries of other households.
@Suite(.timeLimit(.minutes(5))) struct WebhookDeliveryTests {
    @Test(.database) func `failed deliveries are retried with growing pauses, then given up, and can be sent again`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            try await WebhookReceiver.run(harness) { receiver, url, worker in
                let (id, _) = try await caller.addWebhook(url, #"["receipt.read"]"#)
                #expect(try await anna.post("/settings/webhooks/\(id)/test").status == .seeOther)
                receiver.answer(.serviceUnavailable)
                for attempt in 1...WebhookWorker.pauses.count + 1 {
                    #expect(try await worker.sendNext() == false)
                    #expect(try await worker.sendNext() == nil)
                    let pause = try scene.count(
                        "SELECT coalesce(max(extract(epoch FROM not_before - now())), 0)::bigint FROM job")
                    let expectedPause = WebhookWorker.pauses.dropFirst(attempt - 1).first ?? 0
                    #expect((expectedPause - 30...expectedPause + 1).contains(pause), "\(attempt): \(pause)")
                    try scene.owner.query("UPDATE job SET not_before = now()")
                }
                #expect(receiver.messages.count == WebhookWorker.pauses.count + 1)
                #expect(Set(receiver.messages.map(\.delivery)).count == 1)
                #expect(try scene.count("SELECT count(*) FROM job") == 0)
                let page = try await anna.get("/settings/webhooks/\(id)").text
                #expect(page.contains("nicht zugestellt") && page.contains("Antwort 503"))
                #expect(try await anna.get("/settings/webhooks").text.contains("nicht zugestellt: 1"))
                let list = try await caller.get("/api/v1/webhooks/\(id)/deliveries").json
                #expect(list["deliveries"]?.array?.first?["state"] == "dead")

                receiver.answer(.ok)
                let resendAddress = try #require(
                    page.firstMatch(of: #/\/settings\/webhooks\/[0-9a-f-]+\/deliveries\/[0-9a-f-]+\/sending/#))
                #expect(try await anna.post(String(resendAddress.output)).status == .seeOther)
                #expect(try await worker.sendNext() == true)
                #expect(try await anna.post(String(resendAddress.output)).status == .seeOther)
                #expect(try await worker.sendNext() == nil)
                #expect(try await anna.get("/settings/webhooks/\(id)").text.contains("zugestellt</span>"))
            }
        }
    }

    @Test(.database)
    func `a closed port is reported, a deleted webhook has no job, and sending continues after the server was killed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            try await WebhookReceiver.run(harness) { receiver, url, worker in
                let (closedPort, _) = try await caller.addWebhook("http://127.0.0.1:1/", #"["receipt.read"]"#)
                _ = try await caller.post("/api/v1/webhooks/\(closedPort)/test", "{}")
                #expect(try await worker.sendNext() == false)
                #expect(try scene.text("SELECT error FROM webhook_delivery") == "not reachable")
                #expect(try await anna.get("/settings/webhooks/\(closedPort)").text.contains("nicht erreichbar"))
                #expect(try await caller.send(.delete, "/api/v1/webhooks/\(closedPort)").status == .noContent)
                try scene.owner.query("UPDATE job SET not_before = now()")
                #expect(try await worker.sendNext() == false)
                #expect(try scene.count("SELECT count(*) FROM job") == 0)

                let (id, _) = try await caller.addWebhook(url, #"["receipt.read"]"#)
                let answer = try await caller.post("/api/v1/webhooks/\(id)/test", "{}")
                #expect(answer.status == .accepted)
                // As if a server had claimed the message and been killed before sending it. The lease then ends.
                _ = try #require(try await JobQueue(database: harness.database).claim(.deliver))
                #expect(try await worker.sendNext() == nil)
                try scene.owner.query("UPDATE job SET lease_until = now() - interval '1 second'")
                #expect(try await worker.sendNext() == true)
                #expect(receiver.messages.map(\.delivery) == [try answer.json["delivery"]?.string])
                // The workers that read receipts do not claim messages.
                _ = try await caller.post("/api/v1/webhooks/\(id)/test", "{}")
                #expect(try await JobQueue(database: harness.database).claim() == nil)
            }
        }
    }

    @Test(.database) func `a household's message is sent before the remaining messages of another household`()
        async throws
    {
        try await AppHarness.run { harness in
            let busy = try await harness.caller(try await harness.signUp())
            let quiet = try await harness.caller(try await harness.signUp())
            try await WebhookReceiver.run(harness) { receiver, url, worker in
                func send(_ count: Int, _ caller: Caller) async throws -> [String?] {
                    let (id, _) = try await caller.addWebhook(url, #"["receipt.read"]"#)
                    var deliveries: [String?] = []
                    for _ in 0..<count {
                        let answer = try await caller.post("/api/v1/webhooks/\(id)/test", "{}")
                        deliveries.append(try answer.json["delivery"]?.string)
                    }
                    return deliveries
                }
                let many = try await send(4, busy)
                let single = try await send(1, quiet)
                for _ in 0..<4 { #expect(try await worker.sendNext() == true) }
                let order = receiver.messages.map(\.delivery)
                #expect(order.count == 4 && order.contains { [$0] == single } && many.contains(order.first))
                // A new message of the quiet household is sent before the fourth message of the busy household.
                let next = try await send(1, quiet)
                #expect(try await worker.sendNext() == true)
                #expect([receiver.messages.last?.delivery] == next)
            }
        }
    }
}
