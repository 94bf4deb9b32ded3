import Domain
import EventLoop
import HTTPClient
import Postgres

/// Sends queued messages to webhooks, one after another. Households take turns, so that many messages of one household
/// do not delay the messages of others for long. If the server is killed, a message may be sent twice; receivers
/// recognise it by its identifier.
final class WebhookWorker: @unchecked Sendable {
    // Safe to share: only tasks on the loop's thread use it.
    private let loop: EventLoop
    private let database: Database
    private let queue: JobQueue
    private let client: HTTPClient
    private let log: Log
    private var isStopping = false
    /// Whether the last attempt failed. Only the first of several failures is logged.
    private var isFailing = false
    private let pause: WorkerPause
    /// The households of the last messages, the latest at the end.
    private var served: [HouseholdID] = []

    private static let maximumServed = 1_000

    /// The seconds to wait after each failed attempt. If the attempt after the last pause fails, the delivery is given
    /// up.
    static let pauses: [Int64] = [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]

    /// The error of messages to a paused webhook.
    static let paused = "paused"

    init(on loop: EventLoop, database: Database, client: HTTPClient, log: Log) {
        self.loop = loop
        pause = WorkerPause(on: loop)
        self.database = database
        self.client = client
        self.log = log
        queue = JobQueue(database: database)
    }

    /// Sends messages until ``stop()``.
    func run() async {
        while !isStopping {
            do {
                let sent = try await sendNext()
                isFailing = false
                if sent == nil { await pause.wait(for: JobQueue.pollInterval) }
            } catch {
                // The database is not available. The messages remain queued, and the loop tries again.
                if !isFailing { log.event(.warning, "webhook", [("error", Log.text(of: error))]) }
                isFailing = true
                await pause.wait(for: JobQueue.pollInterval)
            }
        }
    }

    /// Ends the pause between two queries of the queue, because a message may have been queued.
    func wake() { pause.end() }

    /// Stops sending. A message that is being sent now may be sent again.
    func stop() {
        isStopping = true
        wake()
    }

    // MARK: One message

    private struct Message {
        let url: OutgoingURL
        let secret: String
        let event: String
        let body: String
    }

    /// - Returns: whether the message was delivered; nil if no message was due.
    @discardableResult
    func sendNext() async throws -> Bool? {
        guard let claim = try await queue.claim(.deliver, after: served) else { return nil }
        endTurn(of: claim.household)
        guard let message = try await message(claim) else {
            // The webhook was deleted or is paused, or the message was already delivered or given up.
            try await database.query(JobQueue.finish(claim))
            return false
        }
        let outcome = await send(message, of: claim)
        let isDelivered = if case .success(let status) = outcome { (200..<300).contains(status) } else { false }
        try await store(outcome, isDelivered, claim)
        log.event(
            .info, "webhook", [("delivery", "\(claim.subject)"), ("result", Self.text(outcome))])
        return isDelivered
    }

    /// Puts a household after all other households.
    private func endTurn(of household: HouseholdID) {
        served.removeAll { $0 == household }
        served.append(household)
        if served.count > Self.maximumServed { served.removeFirst() }
    }

    private func message(_ claim: JobQueue.Claim) async throws -> Message? {
        let found = try await database.read(
            claim.household,
            """
            SELECT w.url, w.secret, d.event, d.body, \(StoredWebhook.isActive) FROM webhook_delivery d
            JOIN webhook w ON w.household_id = d.household_id AND w.id = d.webhook_id
            WHERE d.household_id = \(claim.household) AND d.id = \(claim.subject)
                AND d.delivered_at IS NULL AND d.dead_at IS NULL
            """
        ).first((String, String, String, String, Bool).self)
        guard let (address, secret, event, body, isActive) = found, let url = OutgoingURL(address) else { return nil }
        guard isActive else {
            try await giveUpPaused(claim)
            return nil
        }
        return Message(url: url, secret: secret, event: event, body: body)
    }

    /// Gives up a message that was queued before its webhook was paused. An owner can send it again.
    private func giveUpPaused(_ claim: JobQueue.Claim) async throws {
        try await database.store(
            claim.household,
            batch: [
                """
                UPDATE webhook_delivery SET error = \(Self.paused), dead_at = now()
                WHERE household_id = \(claim.household) AND id = \(claim.subject)
                """
            ])
    }

    private func send(_ message: Message, of claim: JobQueue.Claim) async -> Result<Int, ClientError> {
        let time = WallClock.microseconds() / 1_000_000
        guard let signature = WebhookMessage.signature(of: message.body, secret: message.secret, time: time) else {
            return .failure(.notReachable)
        }
        do {
            return .success(
                try await client.post(
                    message.url,
                    [
                        ("Content-Type", "application/json"), ("User-Agent", "AllesTeurer"),
                        ("AllesTeurer-Event", message.event), ("AllesTeurer-Delivery", claim.subject.description),
                        ("AllesTeurer-Signature", signature),
                    ], Array(message.body.utf8)))
        } catch {
            return .failure((error as? ClientError) ?? .notReachable)
        }
    }

    private func store(
        _ outcome: Result<Int, ClientError>, _ isDelivered: Bool, _ claim: JobQueue.Claim
    ) async throws {
        let status: Int32? = if case .success(let status) = outcome { Int32(status) } else { nil }
        let error: String? = if case .failure(let error) = outcome { error.description } else { nil }
        let pause = Self.pauses.dropFirst(Int(claim.attempts) - 1).first
        let isDead = !isDelivered && pause == nil
        let result: SQL = """
            UPDATE webhook_delivery SET attempts = attempts + 1, tried_at = now(), status = \(status),
                error = \(error?.cut(to: 200)), delivered_at = CASE WHEN \(isDelivered) THEN now() END,
                dead_at = CASE WHEN \(isDead) THEN now() END
            WHERE household_id = \(claim.household) AND id = \(claim.subject)
            """
        if isDelivered || isDead {
            try await database.store(claim.household, batch: [result, JobQueue.finish(claim)])
        } else {
            try await database.store(claim.household, batch: [result])
            try await queue.postpone(claim, seconds: pause ?? 0)
        }
    }

    private static func text(_ outcome: Result<Int, ClientError>) -> String {
        switch outcome {
        case .success(let status): String(status)
        case .failure(let error): error.description
        }
    }
}
