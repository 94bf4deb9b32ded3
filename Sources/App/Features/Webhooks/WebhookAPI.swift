import Domain
import HTTP
import JSON
import Postgres

/// The household's webhooks in the API.
struct WebhookAPI: Sendable {
    private let database: Database
    private let edits: WebhookEdits
    private let allowsPrivateNetworks: Bool

    init(_ config: Config, _ database: Database) {
        self.database = database
        edits = WebhookEdits(database: database)
        allowsPrivateNetworks = config.allowsPrivateWebhooks
    }

    func register(_ routes: inout Routes) throws {
        let all = "/api/v1/webhooks"
        let one = "\(all)/{webhook}"
        try routes.client(.get, all, "WebhookAPI.list", scope: .admin, role: .owner, list)
        try routes.client(.post, all, "WebhookAPI.create", scope: .admin, role: .owner, create)
        try routes.client(.delete, one, "WebhookAPI.remove", scope: .admin, role: .owner, remove)
        try routes.client(.post, "\(one)/confirmation", "WebhookAPI.confirm", scope: .admin, role: .owner, confirm)
        try routes.client(.post, "\(one)/test", "WebhookAPI.test", scope: .admin, role: .owner, test)
        try routes.client(.get, "\(one)/deliveries", "WebhookAPI.deliveries", scope: .admin, role: .owner, deliveries)
        try routes.client(
            .post, "\(one)/deliveries/{delivery}/sending", "WebhookAPI.sendAgain", scope: .admin, role: .owner,
            sendAgain)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let rows = try await database.read(request.household, StoredWebhook.query(request.household))
        let webhooks = try rows.decode(StoredWebhook.self)
        return request.answer(list: "webhooks", next: nil) { json in
            for webhook in webhooks { Self.write(webhook, &json) }
        }
    }

    private func create(_ request: ClientRequest) async throws -> Response {
        var fields = JSONFields(try request.object())
        var url = fields.requiredText("url", 1...2_000)
        let names = (fields.list("events", maximum: WebhookEvent.allCases.count) ?? []).map(\.string)
        let events = Set(names.compactMap { $0.flatMap(WebhookEvent.init(rawValue:)) })
        if events.isEmpty || events.count != names.count {
            let all = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
            fields.refuse("events", "must be a list of one or more of \(all)")
        }
        let percent = fields.integer("price_percent", WebhookValues.percents)
        if !url.isEmpty {
            do {
                url = try WebhookURLFault.check(url, allowsPrivateNetworks: allowsPrivateNetworks)
            } catch {
                fields.refuse("url", error.detail)
            }
        }
        try fields.finish()
        let values = WebhookValues(
            url: url, events: WebhookEvent.allCases.filter(events.contains),
            pricePercent: percent.map(Int32.init) ?? WebhookValues.usualPercent)
        let newWebhook = try await request.writingOnce { try await edits.add(values, by: request.member) }
        var json = JSONWriter()
        Self.write(try await find(newWebhook.id, request), &json, secret: newWebhook.secret)
        var response = request.answer(json, status: .created)
        response.headers[IdempotentRequests.secretMember] = "secret"
        return response
    }

    private func find(_ id: WebhookID, _ request: ClientRequest) async throws -> StoredWebhook {
        let rows = try await database.read(request.household, StoredWebhook.query(request.household, id))
        guard let webhook = try rows.decode(StoredWebhook.self).first else { throw Refusal.notFound }
        return webhook
    }

    private func confirm(_ request: ClientRequest) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        try request.requireEmptyObject()
        try await edits.confirm(id, by: request.member)
        var json = JSONWriter()
        Self.write(try await find(id, request), &json)
        return request.answer(json)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        try await edits.remove(request.identifier("webhook"), by: request.member)
        return Response(.noContent)
    }

    private func test(_ request: ClientRequest) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        try request.requireEmptyObject()
        let delivery = try await request.writingOnce { try await edits.test(id, by: request.member) }
        var json = JSONWriter()
        json.object { $0.member("delivery", delivery.description) }
        return request.answer(json, status: .accepted)
    }

    private func deliveries(_ request: ClientRequest) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        let rows = try await database.read(
            request.household,
            batch: [StoredWebhook.query(request.household, id), StoredDelivery.query(request.household, id)])
        guard !rows[0].isEmpty else { throw Refusal.notFound }
        let deliveries = try StoredDelivery.decode(rows[1])
        return request.answer(list: "deliveries", next: nil) { json in
            for delivery in deliveries { Self.write(delivery, &json) }
        }
    }

    private func sendAgain(_ request: ClientRequest) async throws -> Response {
        let delivery: DeliveryID = try request.identifier("delivery")
        let webhook: WebhookID = try request.identifier("webhook")
        try request.requireEmptyObject()
        _ = try await edits.sendAgain(delivery, of: webhook, by: request.member)
        var json = JSONWriter()
        json.object { $0.member("delivery", delivery.description) }
        return request.answer(json, status: .accepted)
    }

    private static func time(_ instant: PostgresInstant?) -> String? {
        instant.map { WallClock.iso($0.microsecondsSince1970) }
    }

    private static func write(_ webhook: StoredWebhook, _ json: inout JSONWriter, secret: String? = nil) {
        json.object { json in
            json.member("id", webhook.id.description)
            json.member("url", webhook.url)
            json.array("events") { json in for event in webhook.events { json.value(event.rawValue) } }
            json.member("price_percent", webhook.pricePercent)
            json.member("created_at", time(webhook.createdAt))
            json.member("delivered_at", time(webhook.lastDeliveredAt))
            json.member("dead", webhook.deadCount)
            json.member("added_by", webhook.addedBy?.description)
            json.member("is_paused", webhook.isPaused)
            if let secret { json.member("secret", secret) }
        }
    }

    private static func write(_ delivery: StoredDelivery, _ json: inout JSONWriter) {
        json.object { json in
            json.member("id", delivery.id.description)
            json.member("event", delivery.event)
            json.member("state", delivery.state.rawValue)
            json.member("created_at", time(delivery.createdAt))
            json.member("attempts", delivery.attempts)
            json.member("tried_at", time(delivery.lastTriedAt))
            json.member("status", delivery.status)
            json.member("error", delivery.error)
        }
    }
}
