import Crypto
import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Webhooks: reported events, signed messages, and their pages.
@Suite(.timeLimit(.minutes(5))) struct WebhookTests {
    @Test func `signs the time and the body`() throws {
        // printf '1700000000.{"id":1}' | openssl dgst -sha256 -hmac whs_0123456789abcdef
        let signature = WebhookMessage.signature(of: #"{"id":1}"#, secret: "whs_0123456789abcdef", time: 1_700_000_000)
        #expect(signature == "t=1700000000,v1=07c925abd67dadb68f595c81bd176a2b628630f19e76bd3c3ab3f1bac7990711")
    }

    @Test(.database) func `a confirmed receipt is reported once, signed, with identifiers and figures only`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            try await WebhookReceiver.run(harness) { receiver, url, worker in
                let (id, secret) = try await caller.addWebhook(url, #"["receipt.confirmed"]"#)
                let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)])
                #expect(try await worker.sendNext() == nil)
                try await caller.confirm(receipt)
                #expect(try await worker.sendNext() == true)
                let message = try #require(receiver.messages.first)
                let body = try JSONValue(reading: Array(message.body.utf8))
                #expect(message.event == "receipt.confirmed" && body["event"]?.string == message.event)
                #expect(body["id"]?.string == message.delivery)
                #expect(body["household"]?.string == anna.household.description)
                let data = try #require(body["data"])
                #expect(data["receipt"]?.string == receipt.description && data["total_minor"] == 150)
                #expect(data["day"] == "2026-11-02" && data["currency"] == "EUR")
                #expect(!message.body.contains("MILCH") && !message.body.contains("HOFER"))
                let time = try #require(
                    message.signature.firstMatch(of: #/^t=([0-9]+),v1=[0-9a-f]{64}$/#).flatMap { Int64($0.output.1) })
                #expect(WebhookMessage.signature(of: message.body, secret: secret, time: time) == message.signature)
                #expect(abs(time - WallClock.microseconds() / 1_000_000) < 300)

                // Another change of the confirmed receipt is not reported.
                let change = try await caller.change(
                    .patch, "/api/v1/receipts/\(receipt)", #"{"total_minor":160}"#, "*")
                #expect(change.status == .ok)
                #expect(try await worker.sendNext() == nil)
                let page = try await anna.get("/settings/webhooks/\(id)").text
                #expect(page.contains("zugestellt") && page.contains("Antwort 204") && !page.contains(secret))
            }
        }
    }

    @Test(.database) func `a receipt is reported when it is read, unless it is hidden or imported`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            _ = try await caller.addWebhook("http://127.0.0.1:1/", #"["receipt.read","receipt.confirmed"]"#)
            func read(hidden: Bool = false, source: String = "upload", to stage: String = "review") async throws {
                let receipt = try scene.receipt([("MILCH", 150)], stage: "reading", person: anna.person)
                try await harness.database.write(anna.household, by: nil) { $0.changed(.receipt, receipt) }
                try await harness.database.write(anna.household, by: nil) { changes in
                    try await changes.query(
                        """
                        UPDATE receipt SET stage = \(stage), verdict = 'review', source = \(source),
                            hidden_until = CASE WHEN \(hidden) THEN current_date + 9 END, revision = revision + 1
                        WHERE household_id = \(changes.household) AND id = \(receipt)
                        """)
                    changes.changed(.receipt, receipt)
                }
            }
            let count: SQL = "SELECT count(*) FROM webhook_delivery"
            try await read()
            #expect(try scene.text("SELECT event FROM webhook_delivery") == "receipt.read")
            #expect(try scene.count("SELECT count(*) FROM job WHERE kind = 'deliver'") == 1)
            try await read(hidden: true)
            try await read(source: "import", to: "confirmed")
            #expect(try scene.count(count) == 1)
            // A transaction that is rolled back reports nothing.
            struct Failure: Error {}
            let receipt = try await scene.receiptInChangeLog(harness, [("BROT", 250)])
            await #expect(throws: Failure.self) {
                try await harness.database.write(anna.household, by: nil) { changes in
                    try await changes.query(
                        "UPDATE receipt SET stage = 'confirmed' WHERE household_id = \(changes.household) AND id = \(receipt)"
                    )
                    changes.changed(.receipt, receipt)
                    throw Failure()
                }
            }
            #expect(try scene.count(count) == 1)
        }
    }

    @Test(.database) func `a hidden receipt is reported as confirmed once, when it is published`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            _ = try await caller.addWebhook("http://127.0.0.1:1/", #"["receipt.confirmed"]"#)
            let gift = try await scene.receiptInChangeLog(harness, [("VASE", 4_900)], person: anna.person)
            func hide() async throws {
                let day = WallClock.today().adding(days: 30).iso
                try await harness.change(gift, #"{"hidden_until": "\#(day)"}"#, by: anna)
            }
            func publish() async throws {
                try scene.owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(gift)")
                try await Sweeper.run(harness.database)
            }
            let count: SQL = "SELECT count(*) FROM webhook_delivery WHERE event = 'receipt.confirmed'"
            try await hide()
            try await caller.confirm(gift)
            #expect(try scene.count(count) == 0)
            try await publish()
            #expect(try scene.count(count) == 1)
            try await hide()
            try await publish()
            #expect(try scene.count(count) == 1)
        }
    }

    @Test(.database) func `a price rise is reported to the webhooks whose threshold it reaches`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            let (twelve, _) = try await caller.addWebhook("http://127.0.0.1:1/a", #"["price.rose"]"#, percent: 12)
            _ = try await caller.addWebhook("http://127.0.0.1:1/b", #"["price.rose"]"#, percent: 13)
            let sync = SyncScene(harness, anna)
            let (product, alias) = (SyncScene.key(.product), SyncScene.key(.alias))
            func buy(_ daysAgo: Int, _ amount: Int64) async throws {
                try await sync.edit(SyncScene.key(.receipt)) {
                    $0 = SyncScene.receipt([SyncScene.line("MILCH", amount)], stage: "confirmed")
                    $0["day"] = .string(WallClock.today().adding(days: -daysAgo).iso)
                }
            }
            try await buy(20, 100)
            let chain = try #require(try scene.owner.query("SELECT chain FROM store").first(String.self))
            try await sync.edit(product) { $0 = ["type": "product", "chain": .string(chain), "name": "Milch"] }
            try await sync.edit(alias) {
                $0 = [
                    "type": "alias", "chain": .string(chain), "printed_name": "MILCH",
                    "product": .string(product.description),
                ]
            }
            try await buy(10, 112)
            let rows = try scene.owner.query("SELECT webhook_id::text, body FROM webhook_delivery").decode(
                (String, String).self)
            #expect(rows.count == 1)
            let (webhook, text) = try #require(rows.first)
            #expect(webhook == twelve)
            let data = try #require(try JSONValue(reading: Array(text.utf8))["data"])
            #expect(data["before_thousandths"] == 100_000 && data["after_thousandths"] == 112_000)
            #expect(data["product"]?.string.map { product.description.hasSuffix($0) } == true)
            // A lower price and an old purchase are not reported.
            try await buy(5, 90)
            try await buy(40, 400)
            #expect(try scene.count("SELECT count(*) FROM webhook_delivery") == 1)
            #expect(PriceRise(before: 100, after: 112).isAtLeast(percent: 12))
            #expect(!PriceRise(before: 100_001, after: 112_000).isAtLeast(percent: 12))
        }
    }

    @Test(.database) func `owners add webhooks on a page that shows the secret once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            #expect(try await ben.get("/settings/webhooks").status == .forbidden)
            #expect(!(try await ben.get("/settings").text.contains("/settings/webhooks")))
            let creationAnswer = try await anna.post(
                "/settings/webhooks", ["url": "http://127.0.0.1:1/x", "price-rose": "1", "percent": "15"])
            let secret = try #require(creationAnswer.attribute("value", after: "class=\"input secret\" id=\"key\""))
            #expect(creationAnswer.status == .ok && secret.hasPrefix("whs_") && secret.utf8.count == 47)
            let page = try await anna.get("/settings/webhooks").text
            #expect(page.contains("http://127.0.0.1:1/x") && page.contains("mindestens 15 %") && !page.contains(secret))
            let refusal = try await anna.post("/settings/webhooks", ["url": "ftp://x", "percent": "0"])
            #expect(refusal.status == .unprocessableContent)
            for field in ["url", "events", "percent"] { #expect(refusal.text.contains("\(field)-error")) }
            for _ in 1..<Int(WebhookEdits.maximumWebhooks) {
                let more = try await anna.post(
                    "/settings/webhooks", ["url": "http://127.0.0.1:1/x", "receipt-read": "1", "percent": "10"])
                #expect(more.status == .ok)
            }
            let tooMany = try await anna.post(
                "/settings/webhooks", ["url": "http://127.0.0.1:1/x", "receipt-read": "1", "percent": "10"])
            #expect(tooMany.status == .unprocessableContent && tooMany.headers[.retryAfter] == nil)
            #expect(tooMany.text.contains("Zu viele Webhooks") && tooMany.text.contains("höchstens 10 "))
            let answer = try await harness.caller(anna).post(
                "/api/v1/webhooks", #"{"url": "http://127.0.0.1:1/x", "events": ["receipt.read"]}"#)
            #expect(answer.status == .conflict && answer.headers[.retryAfter] == nil)
        }
    }

    @Test(
        arguments: [
            ("https://example.at/x", nil), ("http://example.at/", WebhookURLFault.insecure),
            ("https://127.0.0.1/", .forbidden), ("https://[::1]/", .forbidden),
            ("https://192.168.0.9:8123/", .forbidden),
            ("https://u@example.at/", .malformed), ("", .malformed),
            // With the slash of its path, the first URL has 2,000 characters.
            ("https://example.at?" + String(repeating: "x", count: 1_980), nil),
            ("https://example.at?" + String(repeating: "x", count: 1_981), .malformed),
        ] as [(String, WebhookURLFault?)])
    func `webhooks to private networks or over plain HTTP need the operator's permission`(
        _ url: String, _ fault: WebhookURLFault?
    ) {
        var found: WebhookURLFault?
        do {
            _ = try WebhookURLFault.check(url, allowsPrivateNetworks: false)
        } catch {
            found = error
        }
        #expect(found == fault)
        if fault != .malformed { #expect((try? WebhookURLFault.check(url, allowsPrivateNetworks: true)) != nil) }
    }
}

extension Caller {
    /// Adds a webhook.
    ///
    /// - Parameter events: a JSON array.
    func addWebhook(_ url: String, _ events: String, percent: Int = 10) async throws -> (id: String, secret: String) {
        let answer = try await post(
            "/api/v1/webhooks", #"{"url":"\#(url)","events":\#(events),"price_percent":\#(percent)}"#)
        try #require(answer.status == .created, "\(answer.text)")
        let json = try answer.json
        return (try #require(json["id"]?.string), try #require(json["secret"]?.string))
    }
}
