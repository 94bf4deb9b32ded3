import Crypto
import Domain
import Postgres

/// Changes that owners make to webhooks. Each operation is one transaction, and throws `Refusal.forbidden` if the
/// member is no longer an owner.
struct WebhookEdits: Sendable {
    let database: Database

    /// The maximum number of webhooks of a household.
    static let maximumWebhooks: Int64 = 10

    /// - Returns: the identifier and the secret, which is not shown again.
    /// - Throws: `TooMany`.
    func add(_ values: WebhookValues, by member: Member) async throws -> (id: WebhookID, secret: String) {
        let (id, secret) = (WebhookID.new(), WebhookMessage.newSecret())
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            let household = changes.household
            let rows = try await changes.query(
                """
                INSERT INTO webhook (household_id, id, url, events, price_percent, secret, added_by, confirmed_by)
                SELECT \(household), \(id), \(values.url), \(values.events), \(values.pricePercent), \(secret),
                    \(member.person), \(member.person)
                WHERE (SELECT count(*) FROM webhook WHERE household_id = \(household)) < \(Self.maximumWebhooks)
                RETURNING id
                """)
            guard !rows.isEmpty else { throw TooMany(limit: Int(Self.maximumWebhooks), kind: "webhooks") }
        }
        return (id, secret)
    }

    /// Deletes a webhook with its deliveries.
    ///
    /// - Throws: `Refusal.notFound`.
    func remove(_ id: WebhookID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            let rows = try await changes.query(
                "DELETE FROM webhook WHERE household_id = \(changes.household) AND id = \(id) RETURNING id")
            guard !rows.isEmpty else { throw Refusal.notFound }
        }
    }

    /// Enables a paused webhook. From now on, the webhook is active only while this member is an owner.
    ///
    /// - Throws: `Refusal.notFound`.
    func confirm(_ id: WebhookID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            let rows = try await changes.query(
                """
                UPDATE webhook SET confirmed_by = \(member.person)
                WHERE household_id = \(changes.household) AND id = \(id) RETURNING id
                """)
            guard !rows.isEmpty else { throw Refusal.notFound }
        }
    }

    /// Queues a test message.
    ///
    /// - Throws: `PausedWebhook`, `Refusal.notFound`.
    func test(_ id: WebhookID, by member: Member) async throws -> DeliveryID {
        let delivery = DeliveryID.new()
        let body = WebhookMessage.body(delivery, "test", member.household, at: WallClock.microseconds()) { _ in }
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            try await Self.requireActive(id, changes)
            let rows = try await changes.query(
                """
                INSERT INTO webhook_delivery (household_id, id, webhook_id, event, subject, body)
                SELECT household_id, \(delivery), id, 'test', \(delivery.description), \(body) FROM webhook
                WHERE household_id = \(changes.household) AND id = \(id) RETURNING id
                """)
            guard !rows.isEmpty else { throw Refusal.notFound }
            try await changes.query(batch: [
                JobQueue.enqueue(deliveries: [delivery], changes.household), JobQueue.notify,
            ])
        }
        return delivery
    }

    /// Queues a message whose delivery was given up.
    ///
    /// - Returns: false if it was already delivered or is still queued.
    /// - Throws: `PausedWebhook`, `Refusal.notFound`.
    func sendAgain(_ delivery: DeliveryID, of webhook: WebhookID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            let household = changes.household
            try await Self.requireActive(webhook, changes)
            let rows = try await changes.query(batch: [
                """
                SELECT 1 FROM webhook_delivery
                WHERE household_id = \(household) AND webhook_id = \(webhook) AND id = \(delivery)
                """,
                """
                UPDATE webhook_delivery SET dead_at = NULL, attempts = 0
                WHERE household_id = \(household) AND webhook_id = \(webhook) AND id = \(delivery)
                    AND dead_at IS NOT NULL RETURNING id
                """,
            ])
            guard !rows[0].isEmpty else { throw Refusal.notFound }
            guard !rows[1].isEmpty else { return false }
            try await changes.query(batch: [JobQueue.enqueue(deliveries: [delivery], household), JobQueue.notify])
            return true
        }
    }

    private static func requireActive(_ id: WebhookID, _ changes: HouseholdTransaction) async throws {
        let isActive = try await changes.query(
            """
            SELECT \(StoredWebhook.isActive) FROM webhook w WHERE w.household_id = \(changes.household) AND w.id = \(id)
            """
        ).first(Bool.self)
        guard let isActive else { throw Refusal.notFound }
        guard isActive else { throw PausedWebhook() }
    }
}

/// An owner has to confirm the webhook before it sends.
struct PausedWebhook: Error {}
