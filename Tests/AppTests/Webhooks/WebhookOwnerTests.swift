import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The author of a webhook is the owner who added it or confirmed it last. A webhook sends only while its author is an
/// owner.
@Suite(.timeLimit(.minutes(5))) struct WebhookOwnerTests {
    @Test(.database, arguments: ["removal", "ownership/removal"])
    func `a webhook of a former owner sends nothing until an owner confirms it`(end: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let caller = try await harness.caller(anna)
            let members = "/settings/members/\(ben.person)"
            #expect(try await anna.post("\(members)/ownership").status == .seeOther)
            try await WebhookReceiver.run(harness) { receiver, url, worker in
                let form: KeyValuePairs = ["url": url, "receipt-confirmed": "1", "percent": "10"]
                #expect(try await ben.post("/settings/webhooks", form).status == .ok)
                let webhook = try #require(try await caller.get("/api/v1/webhooks").json["webhooks"]?.array?.first)
                #expect(webhook["added_by"]?.string == ben.person.description && webhook["is_paused"] == false)
                let id = try #require(webhook["id"]?.string)
                func confirmReceipt() async throws {
                    try await caller.confirm(try await scene.receiptInChangeLog(harness, [("MILCH", 150)]))
                }
                // This message is queued before the owner is removed.
                try await confirmReceipt()
                #expect(try await anna.post("\(members)/\(end)").status == .seeOther)
                try await confirmReceipt()
                while try await worker.sendNext() != nil {}
                #expect(receiver.messages.isEmpty)
                #expect(try scene.count("SELECT count(*) FROM webhook_delivery") == 1)

                let author = try #require(try scene.text("SELECT name FROM person WHERE id = \(ben.person)"))
                for address in ["/settings/webhooks", "/settings/webhooks/\(id)"] {
                    let page = try await anna.get(address).text
                    #expect(page.contains("angelegt von \(author)") && page.contains("angehalten"))
                }
                let refusal = try await caller.post("/api/v1/webhooks/\(id)/test", "{}")
                #expect(refusal.status == .conflict && refusal.text.contains("An owner must confirm"))
                #expect(try await anna.post("/settings/webhooks/\(id)/test").status == .seeOther)
                #expect(try await worker.sendNext() == nil)

                let confirmationAnswer = try await caller.post("/api/v1/webhooks/\(id)/confirmation", "{}")
                #expect(try confirmationAnswer.status == .ok && confirmationAnswer.json["is_paused"] == false)
                #expect(try confirmationAnswer.json["added_by"]?.string == ben.person.description)
                try await confirmReceipt()
                #expect(try await worker.sendNext() == true)
                #expect(receiver.messages.count == 1)
            }
        }
    }

    @Test(.database) func `a webhook with an unknown author sends again after an owner confirms it on its page`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            _ = try await anna.post(
                "/settings/webhooks", ["url": "http://127.0.0.1:1/x", "receipt-read": "1", "percent": "10"])
            // As if the webhook had been added before the columns for its author existed.
            try scene.owner.query("UPDATE webhook SET added_by = NULL, confirmed_by = NULL")
            let id = try #require(try scene.owner.query("SELECT id FROM webhook").first(WebhookID.self))
            let page = try await anna.get("/settings/webhooks/\(id)").text
            #expect(page.contains("angelegt von: unbekannt") && page.contains("Weiter senden"))
            #expect(!page.contains("/settings/webhooks/\(id)/test"))
            let answer = try await anna.post("/settings/webhooks/\(id)/confirmation")
            #expect(answer.location == "/settings/webhooks/\(id)")
            let confirmed = try await anna.get("/settings/webhooks/\(id)").text
            #expect(!confirmed.contains("angehalten") && confirmed.contains("/settings/webhooks/\(id)/test"))
        }
    }
}
