import Crypto
import Domain
import EventLoop
import HTTP
import JSON
import Postgres

/// Handles POST requests with an `Idempotency-Key`: a repeated request gets the first response without its secrets, and
/// does not run again.
///
/// Responses are kept for a day. The response to a refused request is not kept: the request changed nothing, and may
/// run again. Files, streams and responses with the mark `notStored` are not kept either, because the requests that get
/// them change nothing. If a response is larger than `maximumBodyBytes`, only the hashes of the request are kept, and a
/// repeated request is refused. The same applies to the oldest responses of a household that has more than
/// `maximumResponses` or `maximumBytes`.
struct IdempotentRequests: Sendable {
    let database: Database
    /// The time between renewals of the lease of a running request. Two renewals in a row can fail before the lease
    /// ends.
    var renewalInterval = Duration.seconds(15)
    /// The maximum number of responses that are kept for a household.
    var maximumResponses: Int64 = 5_000
    /// The maximum size of all response bodies that are kept for a household, in bytes.
    var maximumBytes: Int64 = 32 << 20

    /// The hours for which responses are kept.
    static let keptHours: Int64 = 24
    /// The seconds after which an unfinished request counts as interrupted, so that it may run again.
    private static let leaseSeconds: Int64 = 60
    /// The largest response body that is kept.
    private static let maximumBodyBytes = 1 << 20

    /// A request and its idempotency key.
    private struct Claim {
        let household: HouseholdID
        let client: OperationID
        let keyHash: [UInt8]
        let targetHash: [UInt8]
        /// Distinguishes this run of the request from an earlier, interrupted run.
        let attempt = OperationID.new()
    }

    /// Runs `handler`, or returns the response to the first request with this key.
    ///
    /// - Throws: `APIProblem` 400 for a malformed key, 409 while the first request runs or if its response is not
    ///   kept, 422 if a different request used the key; `FormError` if the body cannot be read; the errors of
    ///   `handler`.
    func run(
        _ key: String, _ head: RequestHead, _ client: APIClient, _ body: RequestBody,
        _ handler: (RequestBody) async throws -> Response
    ) async throws -> Response {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw APIProblem(
                .badRequest, .badRequest, "Idempotency-Key must have 1 to 255 printable ASCII characters.")
        }
        let claim = Claim(
            household: client.member.household, client: client.id, keyHash: sha256(key.utf8),
            targetHash: sha256("\(head.method.name) \(head.target)".utf8))
        let digesting = DigestingBody(body)
        if let kept = try await begin(claim) { return try await replay(kept, claim, digesting) }
        // A request can take longer than the lease: the body of an upload may arrive slowly, and an import may wait for
        // the household's lock.
        let renewal = LeaseRenewal(every: renewalInterval) { try? await renew(claim) }
        defer { renewal.stop() }
        let response: Response
        do {
            var handled = try await handler(digesting.forwarded)
            let (secret, isNotStored) = (handled.headers[Self.secretMember], handled.headers.contains(Self.notStored))
            Self.removeMarks(from: &handled)
            response = handled
            guard response.status.code < 400, !isNotStored, let bytes = Self.storable(response.body, without: secret)
            else {
                try await forget(claim)
                return response
            }
            try await store(response, bytes.count <= Self.maximumBodyBytes ? bytes : nil, digesting, claim)
        } catch {
            try? await forget(claim)
            throw error
        }
        return response
    }

    // MARK: Steps

    /// The response to the first request, and the hashes that a repeated request must match.
    private struct StoredResponse {
        let status: Int32
        let targetHash: [UInt8]
        let bodyHash: [UInt8]
        let headers: [String]
        /// The body; nil if it was not kept.
        let bytes: [UInt8]?
    }

    private static var lease: SQL { "now() + \(leaseSeconds) * interval '1 second'" }

    /// Extends the lease, so that a repeated request does not run at the same time.
    private func renew(_ claim: Claim) async throws {
        _ = try await database.store(
            claim.household,
            """
            UPDATE idempotent_request SET leased_until = \(Self.lease)
            WHERE household_id = \(claim.household) AND client_id = \(claim.client) AND key_hash = \(claim.keyHash)
                AND attempt_id = \(claim.attempt) AND status IS NULL
            """)
    }

    /// Claims the key for this request. Returns nil if the request is to run: the key is new, its earlier request was
    /// interrupted, or the kept response has expired. Otherwise returns the kept response.
    ///
    /// - Throws: `APIProblem` 409 while the first request runs.
    private func begin(_ claim: Claim) async throws -> StoredResponse? {
        let isExpired: SQL = "i.started_at < now() - \(Self.keptHours) * interval '1 hour'"
        let rows = try await database.store(
            claim.household,
            """
            INSERT INTO idempotent_request AS i
                (household_id, client_id, key_hash, target_hash, attempt_id, leased_until)
            VALUES (\(claim.household), \(claim.client), \(claim.keyHash), \(claim.targetHash), \(claim.attempt),
                \(Self.lease))
            ON CONFLICT (household_id, client_id, key_hash) DO UPDATE SET target_hash = excluded.target_hash,
                attempt_id = excluded.attempt_id, leased_until = excluded.leased_until, started_at = now(),
                status = NULL, body_hash = NULL, headers = NULL, answer = NULL
            WHERE i.status IS NULL AND i.leased_until < now() OR \(isExpired)
            RETURNING 1
            """)
        guard rows.isEmpty else { return nil }
        let storedRows = try await database.read(
            claim.household,
            """
            SELECT status, target_hash, body_hash, headers, answer FROM idempotent_request
            WHERE household_id = \(claim.household) AND client_id = \(claim.client) AND key_hash = \(claim.keyHash)
                AND status IS NOT NULL
            """)
        guard let row = storedRows.first else {
            throw APIProblem(.conflict, .requestInProgress, headers: ["Retry-After": "2"])
        }
        let (status, targetHash, bodyHash, headers, bytes) = try row.decode(
            (Int32, [UInt8], [UInt8], [String], [UInt8]?).self)
        return StoredResponse(
            status: status, targetHash: targetHash, bodyHash: bodyHash, headers: headers, bytes: bytes)
    }

    /// Returns the kept response to a repeated request.
    ///
    /// - Throws: `APIProblem` 422 if the request differs from the first one, 409 if the body of the response was not
    ///   kept; `FormError`.
    private func replay(_ kept: StoredResponse, _ claim: Claim, _ body: DigestingBody) async throws -> Response {
        let digest: [UInt8]
        do {
            digest = try await body.finish()
        } catch {
            throw FormError.body(error)
        }
        guard kept.targetHash == claim.targetHash, kept.bodyHash == digest else {
            throw APIProblem(.unprocessableContent, .keyReused)
        }
        guard let bytes = kept.bytes else {
            throw APIProblem(
                .conflict, .conflict,
                "The request was already executed, but its answer was too large to keep, or too many answers followed.")
        }
        var response = Response(Status(Int(kept.status)), body: bytes.isEmpty ? .none : .bytes(bytes))
        for pair in stride(from: 0, to: kept.headers.count - 1, by: 2) {
            response.headers[HeaderName(kept.headers[pair])] = kept.headers[pair + 1]
        }
        response.headers["Idempotency-Replayed"] = "true"
        return response
    }

    /// Stores a response with the hash of its request's body.
    ///
    /// - Parameter bytes: the body of the response; nil if it is too large to keep.
    private func store(
        _ response: Response, _ bytes: [UInt8]?, _ body: DigestingBody, _ claim: Claim
    ) async throws {
        let digest: [UInt8]
        do {
            digest = try await body.finish()
        } catch {
            throw FormError.body(error)
        }
        var headers: [String] = []
        for name in [HeaderName.contentType, .location, .etag] {
            if let value = response.headers[name] { headers += [name.name, value] }
        }
        try await database.store(
            claim.household,
            batch: [
                """
                UPDATE idempotent_request SET status = \(Int32(response.status.code)), body_hash = \(digest),
                    headers = \(headers), answer = \(bytes)
                WHERE household_id = \(claim.household) AND client_id = \(claim.client) AND key_hash = \(claim.keyHash)
                    AND attempt_id = \(claim.attempt)
                """,
                removingOldBodies(claim.household),
            ])
    }

    /// A statement that removes the bodies of the oldest responses beyond the limits. Their hashes stay.
    ///
    /// Skips rows that a simultaneous request is changing. Reads a limited number of rows, because the bodies of older
    /// responses were removed when later responses were stored.
    private func removingOldBodies(_ household: HouseholdID) -> SQL {
        """
        UPDATE idempotent_request i SET answer = NULL FROM (
            SELECT o.client_id, o.key_hash FROM idempotent_request o
            JOIN (
                SELECT client_id, key_hash, row_number() OVER newest AS place, sum(length(answer)) OVER newest AS bytes
                FROM (
                    SELECT client_id, key_hash, started_at, answer FROM idempotent_request
                    WHERE household_id = \(household) ORDER BY started_at DESC LIMIT \(maximumResponses + 100)) recent
                WINDOW newest AS (ORDER BY started_at DESC, client_id, key_hash ROWS UNBOUNDED PRECEDING)) n
                ON n.client_id = o.client_id AND n.key_hash = o.key_hash
            WHERE o.household_id = \(household) AND o.answer IS NOT NULL
                AND (n.place > \(maximumResponses) OR n.bytes > \(maximumBytes))
            FOR UPDATE OF o SKIP LOCKED) old
        WHERE i.household_id = \(household) AND i.client_id = old.client_id AND i.key_hash = old.key_hash
        """
    }

    /// Deletes the claim, so that the request can be repeated.
    private func forget(_ claim: Claim) async throws {
        _ = try await database.store(
            claim.household,
            """
            DELETE FROM idempotent_request
            WHERE household_id = \(claim.household) AND client_id = \(claim.client) AND key_hash = \(claim.keyHash)
                AND attempt_id = \(claim.attempt)
            """)
    }

    /// The header field in which a handler names a secret member of its response. The stored response has null instead
    /// of the secret.
    static let secretMember: HeaderName = "X-Secret-Member"

    /// The header field with which a handler marks a response that must not be stored. The request may run again.
    static let notStored: HeaderName = "X-Not-Stored"

    /// Removes the marks of the handler, which clients must not receive.
    static func removeMarks(from response: inout Response) {
        response.headers.remove(secretMember)
        response.headers.remove(notStored)
    }

    /// Returns the bytes of a response body without its secret; nil for a body that cannot be kept.
    private static func storable(_ body: Response.Body, without secret: String?) -> [UInt8]? {
        switch body {
        case .none: return []
        case .bytes(let bytes):
            guard let secret else { return bytes }
            guard case .object(var object)? = try? JSONValue(reading: bytes) else { return nil }
            object[secret] = .null
            var json = JSONWriter()
            json.value(.object(object))
            return json.bytes
        case .file, .stream: return nil
        }
    }

    /// Deletes expired responses of a household.
    static func sweep(_ household: HouseholdID) -> SQL {
        """
        DELETE FROM idempotent_request
        WHERE household_id = \(household) AND started_at < now() - \(keptHours) * interval '1 hour'
        """
    }
}

/// Calls a function at regular intervals until it is stopped.
private final class LeaseRenewal: @unchecked Sendable {
    // Safe to share: used on the thread of one event loop only.
    private let loop: EventLoop?
    private let interval: Duration
    private let renew: @Sendable () async -> Void
    private var timer: LoopTimer?

    init(every interval: Duration, _ renew: @escaping @Sendable () async -> Void) {
        loop = EventLoop.current
        self.interval = interval
        self.renew = renew
        schedule()
    }

    private func schedule() {
        timer = loop?.after(interval) { [self] in
            schedule()
            loop?.spawn(renew)
        }
    }

    func stop() { timer?.cancel() }
}
