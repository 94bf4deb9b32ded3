import Domain
import HTTP
import JSON

/// The steps of a request to the API, in order.
struct ClientPipeline: Sendable {
    let router: Router<Endpoint>
    let sessions: Sessions
    let keys: APIKeys
    let origin: RequestOrigin
    let crossOrigin: CrossOrigin
    let rates: RateLimits
    /// The limits for routes of the scope `sync`, which allow more requests.
    let syncRates: RateLimits
    let repeats: IdempotentRequests
    let problems: ProblemDocuments
    let limiter: HouseholdRequestLimiter

    /// The response and the details for the log.
    struct LoggedResponse {
        var response: Response
        var pattern = "unknown"
        var error: (any Error)?
    }

    /// Whether this pipeline answers the request: paths below `/api`, and `/v1/wines`, the short address for wine list
    /// apps.
    static func covers(_ head: RequestHead) -> Bool {
        head.segments.first == "api" || head.segments.starts(with: shortPath)
    }

    /// The first segments of the short paths, which are handled like `/api/v1/wines`.
    private static let shortPath = ["v1", "wines"]

    func answer(_ head: RequestHead, _ body: RequestBody) async -> LoggedResponse {
        let body = InflatedBody.of(body, head)
        var language = RequestContext.language(head)
        var answered = LoggedResponse(response: Response())
        var rate: RateLimits.State?
        do {
            answered.response = try await respond(head, body, &answered.pattern, &language, &rate)
        } catch {
            let error = APIProblem(edit: error) ?? error
            answered.error = error
            answered.response = problems.response(error, Pipeline.refusal(for: error), head, language)
        }
        if let rate { setRateFields(rate, in: &answered.response) }
        crossOrigin.apply(to: &answered.response, head)
        return answered
    }

    private func respond(
        _ head: RequestHead, _ body: RequestBody, _ pattern: inout String, _ language: inout Language,
        _ rate: inout RateLimits.State?
    ) async throws -> Response {
        // CouchDB clients append a slash to the name of a database.
        var segments = head.segments.last == "" ? head.segments.dropLast() : head.segments
        if segments.starts(with: Self.shortPath) { segments.insert("api", at: 0) }
        switch router.match(head.method, segments) {
        case .notFound: throw Refusal.notFound
        case .methodNotAllowed(let found, let allow):
            pattern = found
            if head.method == .options { return crossOrigin.options(allow + [.options]) }
            let names = (allow + [.options]).map(\.name).joined(separator: ", ")
            throw APIProblem(.methodNotAllowed, .methodNotAllowed, headers: ["Allow": names])
        case .found(let route, let parameters):
            pattern = route.pattern
            switch route.handler.handler {
            case .withoutSession(let handler): return await handler(head)
            case .visitor, .member: throw Refusal.notFound
            case .client(let scope, let role, let handler):
                let client = try await client(head)
                language = client.member.language
                // Replicators send a small request for each document and picture, so they have a higher limit.
                rate = (scope == .sync ? syncRates : rates).count(client.id)
                if let rate, rate.remaining < 0 { throw Refusal(.tooManyRequests, "tooMany", retryAfter: rate.reset) }
                guard client.scopes.contains(scope) else { throw APIProblem.missing(scope) }
                guard client.member.role >= role else { throw Refusal.forbidden }
                return try await run(route.handler, handler, head, parameters, body, client)
            }
        }
    }

    private typealias Handler = @Sendable (ClientRequest) async throws -> Response

    /// Runs a handler, or returns the stored response to a repeated request.
    private func run(
        _ endpoint: Endpoint, _ handler: @escaping Handler, _ head: RequestHead, _ parameters: RouteParameters,
        _ body: RequestBody, _ client: APIClient
    ) async throws -> Response {
        func handle(_ body: RequestBody) async throws -> Response {
            let json = try await Self.json(endpoint, head, body)
            return try await handler(
                ClientRequest(head: head, parameters: parameters, body: body, json: json, client: client))
        }
        func handleOnce() async throws -> Response {
            guard head.method == .post, let key = head.headers["Idempotency-Key"] else {
                var response = try await handle(body)
                IdempotentRequests.removeMarks(from: &response)
                return response
            }
            return try await repeats.run(key, head, client, body, handle)
        }
        return try await WallClock.$zone.withValue(client.member.zone) {
            // Uploads do not count towards the household's limit of simultaneous requests, because they mostly wait for
            // the client's connection.
            if case .stream = endpoint.body { return try await handleOnce() }
            return try await limiter.run(client.member.household, handleOnce)
        }
    }

    private static func json(_ endpoint: Endpoint, _ head: RequestHead, _ body: RequestBody) async throws -> JSONValue {
        guard case .json(let limit) = endpoint.body else { return .null }
        let type = head.headers[.contentType].flatMap(MediaType.init)?.essence
        // Treat a missing body as an empty object, because many requests have no fields.
        if type == nil, body.declaredLength == 0 { return .object(JSONObject()) }
        guard type == "application/json" else {
            throw APIProblem(.unsupportedMediaType, .unsupported, "Content-Type must be application/json.")
        }
        let bytes: [UInt8]
        do {
            bytes = try await body.collect(limit: limit)
        } catch {
            throw FormError.body(error)
        }
        do {
            return try JSONValue(reading: bytes, limits: JSONLimits(size: limit))
        } catch {
            throw APIProblem(.badRequest, .malformedJSON, error.description)
        }
    }

    // MARK: The caller

    /// Identifies the caller by a key in `Authorization` or `X-API-Key`, otherwise by the browser session of our own
    /// pages.
    private func client(_ head: RequestHead) async throws -> APIClient {
        let field = head.headers["X-API-Key"].map { "Bearer \($0)" }
        if let credentials = head.headers[.authorization] ?? field {
            guard let text = Self.key(credentials), let client = try await keys.find(text, from: head.peer.network)
            else { throw APIProblem.unauthorized(head) }
            await keys.updateLastUse(client)
            return client
        }
        guard let signedIn = try await sessions.find(head) else { throw APIProblem.unauthorized(head) }
        // Browsers also send the cookie with requests from other sites. Requests from other sites need a key, even if
        // CORS allows the site.
        guard origin.isOwn(head) else {
            throw head.method.isSafe ? APIProblem.unauthorized(head) : Refusal.foreignForm
        }
        await sessions.updateLastUse(signedIn)
        if !head.method.isSafe {
            // Scripts of our own pages send the CSRF token of their page.
            guard CSRFCheck.accepts(head.headers["X-CSRF-Token"], secret: signedIn.member.csrfSecret) else {
                throw Refusal.foreignForm
            }
        }
        return APIClient(member: signedIn.member, scopes: Set(KeyScope.allCases), key: nil)
    }

    /// Returns the key in `Bearer KEY`, or the password in `Basic` credentials with any user name.
    private static func key(_ credentials: String) -> String? {
        let parts = credentials.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return parts[1].trimmed
        case "basic":
            guard let bytes = Base64Text.decode(parts[1].trimmed),
                let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
            else { return nil }
            return String(text[text.index(after: colon)...])
        default: return nil
        }
    }

    /// Sets the rate limit fields (draft-ietf-httpapi-ratelimit-headers).
    private func setRateFields(_ rate: RateLimits.State, in response: inout Response) {
        response.headers["RateLimit-Policy"] = "\"minute\";q=\(rate.limit);w=60"
        response.headers["RateLimit"] = "\"minute\";r=\(max(0, rate.remaining));t=\(rate.reset)"
    }
}
