import Domain
import HTTPClient
import Postgres

/// A webhook without its secret.
struct StoredWebhook: Sendable {
    let id: WebhookID
    let url: String
    let events: [WebhookEvent]
    let pricePercent: Int32
    let createdAt: PostgresInstant
    /// The person who added the webhook, perhaps a former member; nil if that is not known.
    let addedBy: PersonID?
    let addedByName: String?
    /// Whether the webhook is paused. It sends nothing until an owner confirms it.
    let isPaused: Bool
    /// The number of deliveries that were given up.
    let deadCount: Int64
    /// The time of the last successful delivery.
    let lastDeliveredAt: PostgresInstant?

    /// A condition: the webhook `w` may send, because the person who added or last confirmed it is an owner.
    static let isActive: SQL = """
        EXISTS (SELECT 1 FROM membership o WHERE o.household_id = w.household_id AND o.person_id = w.confirmed_by
            AND o.role = 'owner')
        """

    static func query(_ household: HouseholdID, _ id: WebhookID? = nil) -> SQL {
        """
        SELECT w.id, w.url, w.events, w.price_percent, w.created_at, w.added_by,
            (SELECT p.name FROM person p WHERE p.id = w.added_by), NOT \(isActive),
            (SELECT count(*) FROM webhook_delivery d WHERE d.household_id = w.household_id AND d.webhook_id = w.id
                AND d.dead_at IS NOT NULL),
            (SELECT max(d.delivered_at) FROM webhook_delivery d
                WHERE d.household_id = w.household_id AND d.webhook_id = w.id)
        FROM webhook w WHERE w.household_id = \(household) AND w.id = coalesce(\(id), w.id)
        ORDER BY w.created_at, w.id
        """
    }
}

extension StoredWebhook: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        url = try row.next()
        events = try row.next()
        pricePercent = try row.next()
        createdAt = try row.next()
        addedBy = try row.next()
        addedByName = try row.next()
        isPaused = try row.next()
        deadCount = try row.next()
        lastDeliveredAt = try row.next()
    }
}

/// A message to a webhook.
struct StoredDelivery: Sendable {
    enum State: String, Sendable {
        case waiting, delivered, dead
    }

    let id: DeliveryID
    /// The raw value of a `WebhookEvent`, or `test`.
    let event: String
    let createdAt: PostgresInstant
    let attempts: Int32
    /// The time of the last attempt.
    let lastTriedAt: PostgresInstant?
    let status: Int32?
    let error: String?
    let state: State

    /// The maximum number of deliveries on a page.
    private static let maximumDeliveries: Int32 = 50

    /// Selects the newest deliveries first.
    static func query(_ household: HouseholdID, _ webhook: WebhookID) -> SQL {
        """
        SELECT id, event, created_at, attempts, tried_at, status, error,
            CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END
        FROM webhook_delivery WHERE household_id = \(household) AND webhook_id = \(webhook)
        ORDER BY created_at DESC, id DESC LIMIT \(maximumDeliveries)
        """
    }

    static func decode(_ rows: Rows) throws -> [StoredDelivery] {
        try rows.decode((DeliveryID, String, PostgresInstant, Int32, PostgresInstant?, Int32?, String?, String).self)
            .map { id, event, created, attempts, tried, status, error, state in
                StoredDelivery(
                    id: id, event: event, createdAt: created, attempts: attempts, lastTriedAt: tried, status: status,
                    error: error, state: State(rawValue: state) ?? .waiting)
            }
    }
}
