import Domain
import JSON
import Postgres

/// Finds the events of a transaction that webhooks subscribe to, and stores the deliveries in the same transaction.
struct WebhookEvents {
    let changes: HouseholdTransaction
    /// The sequence number of the last change before the transaction.
    let sequence: Int64

    /// The maximum number of receipts, and of prices, that one transaction reports. Imports are not reported.
    private static let maximumReported: Int32 = 200
    /// Price rises are reported only for purchases of the last 30 days.
    private static let priceDays = 30

    private struct Webhook {
        let id: WebhookID
        let events: [WebhookEvent]
        let percent: Int32
    }

    private struct Event {
        let event: WebhookEvent
        let subject: String
        /// The old and the new price of a `priceRose` event; nil for other events. The event is sent to webhooks whose
        /// percentage is not greater than the rise.
        var rise: PriceRise?
        let data: (inout JSONWriter) -> Void
    }

    private var household: HouseholdID { changes.household }

    /// - Parameter receipts: the receipts that the transaction changed.
    func record(_ receipts: [ReceiptID]) async throws {
        guard !receipts.isEmpty else { return }
        let webhooks = try await changes.query(
            """
            SELECT w.id, w.events, w.price_percent FROM webhook w
            WHERE w.household_id = \(household) AND \(StoredWebhook.isActive)
            """
        ).decode((WebhookID, [WebhookEvent], Int32).self).map { id, events, percent in
            Webhook(id: id, events: events, percent: percent)
        }
        guard !webhooks.isEmpty else { return }
        let rows = try await changes.query(batch: [stages(receipts), prices(receipts)])
        let events = try stageEvents(rows[0]) + priceEvents(rows[1])
        try await write(events, to: webhooks)
    }

    // MARK: Receipts

    /// Selects receipts that all members may see and whose stage has changed, or that were hidden until now.
    ///
    /// Leaves out receipts that were confirmed and visible before they were hidden, because these were already
    /// reported.
    private func stages(_ receipts: [ReceiptID]) -> SQL {
        """
        SELECT r.id, r.revision, r.stage, b.stage, r.verdict, r.purchase_day, r.total_minor, r.currency
        FROM receipt r LEFT JOIN LATERAL (
            SELECT c.body ->> 'stage' AS stage FROM change_log c
            WHERE c.household_id = r.household_id AND c.document_id = r.id AND c.document_type = 'receipt'
                AND c.seq <= \(sequence) ORDER BY c.seq DESC LIMIT 1) b ON true
        LEFT JOIN sync_document s ON s.household_id = r.household_id AND s.document_type = 'receipt'
            AND s.document_id = r.id
        WHERE r.household_id = \(household) AND r.id = ANY(\(receipts)) AND r.discarded_at IS NULL
            AND r.source NOT IN ('import', 'demo') AND \(Visibility.isPublished())
            AND (r.stage IS DISTINCT FROM b.stage
                OR s.private_to IS NOT NULL AND NOT EXISTS (SELECT 1 FROM change_log c
                    WHERE c.household_id = r.household_id AND c.document_id = r.id AND c.document_type = 'receipt'
                        AND c.body ->> 'stage' = \(Stage.confirmed.sql)
                        AND coalesce((c.body ->> 'hidden_until')::date <= c.changed_at::date, true)))
        ORDER BY r.id LIMIT \(Self.maximumReported)
        """
    }

    private func stageEvents(_ rows: Rows) throws -> [Event] {
        try rows.decode((ReceiptID, Int64, Stage, Stage?, Verdict?, LocalDate?, Int64?, Currency).self).compactMap {
            row in
            let (id, revision, stage, before, verdict, day, total, currency) = row
            let event: WebhookEvent
            switch (before, stage) {
            case (_, .confirmed): event = .receiptConfirmed
            case (.reading, .review): event = .receiptRead
            default: return nil
            }
            return Event(event: event, subject: "\(id) \(revision)") { json in
                json.member("receipt", id.description)
                json.member("revision", revision)
                json.member("verdict", verdict?.rawValue)
                json.member("day", day?.iso)
                json.member("total_minor", total)
                json.member("currency", currency.rawValue)
            }
        }
    }

    // MARK: Prices

    /// Selects the prices of these receipts that are higher than the previous price of the product.
    private func prices(_ receipts: [ReceiptID]) -> SQL {
        """
        SELECT p.line_id, p.receipt_id, p.product_id, p.store_id, p.day, p.currency,
            CASE WHEN p.base_unit = before.base_unit THEN p.base_unit ELSE p.unit END,
            CASE WHEN p.base_unit = before.base_unit THEN before.base_thousandths ELSE before.regular_thousandths END,
            CASE WHEN p.base_unit = before.base_unit THEN p.base_thousandths ELSE p.regular_thousandths END
        FROM price p JOIN receipt r ON r.household_id = p.household_id AND r.id = p.receipt_id
        CROSS JOIN LATERAL (SELECT * FROM price q
            WHERE q.household_id = \(household) AND q.product_id = p.product_id AND q.day < p.day AND q.unit = p.unit
                AND q.currency = p.currency
            ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) before
        WHERE p.household_id = \(household) AND p.receipt_id = ANY(\(receipts)) AND p.line_id IS NOT NULL
            AND p.day >= \(WallClock.today().adding(days: -Self.priceDays)) AND r.source NOT IN ('import', 'demo')
            AND CASE WHEN p.base_unit = before.base_unit THEN p.base_thousandths > before.base_thousandths
                ELSE p.regular_thousandths > before.regular_thousandths END
        ORDER BY p.line_id LIMIT \(Self.maximumReported)
        """
    }

    private func priceEvents(_ rows: Rows) throws -> [Event] {
        try rows.decode(
            (ReceiptLineID, ReceiptID, ProductID, StoreID, LocalDate, String, String, Int64, Int64).self
        ).map { line, receipt, product, store, day, currency, unit, before, after in
            Event(
                event: .priceRose, subject: line.description, rise: PriceRise(before: before, after: after)
            ) { json in
                json.member("product", product.description)
                json.member("store", store.description)
                json.member("receipt", receipt.description)
                json.member("day", day.iso)
                json.member("unit", unit)
                json.member("before_thousandths", before)
                json.member("after_thousandths", after)
                json.member("currency", currency)
            }
        }
    }

    // MARK: Deliveries

    private func write(_ events: [Event], to webhooks: [Webhook]) async throws {
        let now = WallClock.microseconds()
        var statements: [SQL] = []
        for webhook in webhooks {
            let wanted = events.filter {
                webhook.events.contains($0.event) && $0.rise?.isAtLeast(percent: Int64(webhook.percent)) ?? true
            }
            guard !wanted.isEmpty else { continue }
            let ids = wanted.map { _ in DeliveryID.new() }
            let bodies = zip(ids, wanted).map {
                WebhookMessage.body($0, $1.event.rawValue, household, at: now, $1.data)
            }
            statements.append(
                """
                INSERT INTO webhook_delivery (household_id, id, webhook_id, event, subject, body)
                SELECT \(household), n.id, \(webhook.id), n.event, n.subject, n.body
                FROM unnest(\(ids), \(wanted.map(\.event.rawValue)), \(wanted.map(\.subject)), \(bodies))
                    AS n (id, event, subject, body)
                ON CONFLICT (household_id, webhook_id, event, subject) DO NOTHING RETURNING id
                """)
        }
        guard !statements.isEmpty else { return }
        let deliveries = try await changes.query(batch: statements).flatMap { try $0.decode(DeliveryID.self) }
        guard !deliveries.isEmpty else { return }
        try await changes.query(batch: [JobQueue.enqueue(deliveries: deliveries, household), JobQueue.notify])
    }
}

/// A price and the previous price of the product, which was lower.
struct PriceRise: Sendable, Equatable {
    /// The prices, in thousandths of a minor unit.
    let before: Int64
    let after: Int64

    func isAtLeast(percent: Int64) -> Bool {
        before > 0 && Int128(after - before) * 100 >= Int128(before) * Int128(percent)
    }
}
