import Domain
import HTTP
import Postgres
import Templates

/// The household's webhooks, for its owners.
struct WebhookController: Sendable {
    private let database: Database
    private let edits: WebhookEdits
    private let allowsPrivateNetworks: Bool
    private let page: View<WebhooksPage>
    private let showPage: View<WebhookPage>

    init(_ config: Config, _ database: Database, _ views: Views) throws {
        self.database = database
        edits = WebhookEdits(database: database)
        allowsPrivateNetworks = config.allowsPrivateWebhooks
        page = try views.page("webhooks/index", WebhooksPage.self)
        showPage = try views.page("webhooks/show", WebhookPage.self)
    }

    func register(_ routes: inout Routes) throws {
        let webhook = "/settings/webhooks/{webhook}"
        try routes.member(.get, "/settings/webhooks", "WebhookController.list", role: .owner, list)
        try routes.member(.post, "/settings/webhooks", "WebhookController.create", role: .owner, create)
        try routes.member(.get, webhook, "WebhookController.show", role: .owner, show)
        try routes.member(.post, "\(webhook)/removal", "WebhookController.remove", role: .owner, remove)
        try routes.member(.post, "\(webhook)/confirmation", "WebhookController.confirm", role: .owner, confirm)
        try routes.member(.post, "\(webhook)/test", "WebhookController.test", role: .owner, test)
        try routes.member(
            .post, "\(webhook)/deliveries/{delivery}/sending", "WebhookController.sendAgain", role: .owner, sendAgain)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        try await response(request, WebhookForm())
    }

    /// Shows the secret in this response only.
    private func create(_ request: MemberRequest) async throws -> Response {
        var form = WebhookForm(request.form)
        let words = page.words(request)
        guard let values = form.values(allowsPrivateNetworks: allowsPrivateNetworks, words) else {
            return try await response(request, form, status: .unprocessableContent)
        }
        let newWebhook: (id: WebhookID, secret: String)
        do {
            newWebhook = try await edits.add(values, by: request.member)
        } catch is TooMany {
            let text = words["server.webhook.too-many-text", ["count": .number(String(WebhookEdits.maximumWebhooks))]]
            return try await response(
                request, form, problem: Problem(title: words["server.webhook.too-many"], text: text),
                status: .unprocessableContent)
        }
        return try await response(
            request, WebhookForm(), new: WebhooksPage.NewWebhook(url: values.url, secret: newWebhook.secret))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        let rows = try await database.read(
            request.household,
            batch: [StoredWebhook.query(request.household, id), StoredDelivery.query(request.household, id)])
        guard let webhook = try rows[0].decode(StoredWebhook.self).first else { throw Refusal.notFound }
        return showPage.response(
            WebhookPage(
                webhook: webhook, deliveries: try StoredDelivery.decode(rows[1]), words: showPage.words(request),
                language: request.language), for: request)
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        try await edits.remove(request.identifier("webhook"), by: request.member)
        return .redirect(to: "/settings/webhooks").flashing(Flash("removed"))
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        try await edits.confirm(id, by: request.member)
        return .redirect(to: "/settings/webhooks/\(id)").flashing(Flash("saved"))
    }

    private func test(_ request: MemberRequest) async throws -> Response {
        try await sending(request) { id in
            _ = try await edits.test(id, by: request.member)
            return true
        }
    }

    private func sendAgain(_ request: MemberRequest) async throws -> Response {
        try await sending(request) { id in
            try await edits.sendAgain(request.identifier("delivery"), of: id, by: request.member)
        }
    }

    /// Queues a message and returns to the webhook's page. The page shows that the message was queued, or why the
    /// webhook is paused.
    private func sending(
        _ request: MemberRequest, _ queue: (WebhookID) async throws -> Bool
    ) async throws -> Response {
        let id: WebhookID = try request.identifier("webhook")
        let page = Response.redirect(to: "/settings/webhooks/\(id)")
        do {
            return page.flashing(Flash(try await queue(id) ? "webhook-sending" : "already"))
        } catch is PausedWebhook {
            return page
        }
    }

    private func response(
        _ request: MemberRequest, _ form: WebhookForm, new: WebhooksPage.NewWebhook? = nil, problem: Problem? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let rows = try await database.read(request.household, StoredWebhook.query(request.household))
        let words = page.words(request)
        let model = WebhooksPage(
            new: new, problem: problem,
            webhooks: try rows.decode(StoredWebhook.self).map {
                WebhooksPage.WebhookRow(webhook: $0, words: words, language: request.language)
            }, form: form, words: words)
        var response = page.response(model, for: request, status: status)
        // Uncompressed, because the page contains a secret and an address that the person typed (decision 0009).
        response.isCompressible = new == nil
        return response
    }
}
