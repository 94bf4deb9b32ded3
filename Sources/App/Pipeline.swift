import Crypto
import Domain
import EventLoop
import Glibc
import HTTP
import Postgres

/// Processes requests in a fixed order of steps. Only this type turns errors into pages.
struct Pipeline: Sendable {
    let router: Router<Endpoint>
    let assets: Assets
    let origin: RequestOrigin
    /// Whether the peer is a proxy whose forwarding headers are trusted.
    let trustsProxy: Bool
    let sessions: Sessions
    let errorPages: ErrorPages
    let signInAgain: SignInAgain
    let headers: SecurityHeaders
    let log: Log
    let clients: ClientPipeline
    let limiter: HouseholdRequestLimiter
    private let visitorForms = VisitorForms()

    func respond(_ head: RequestHead, _ body: RequestBody) async -> Response {
        let started = EventLoop.monotonicNow()
        let head = trustsProxy ? head.asForwarded() : head
        if var file = assets.response(head) {
            headers.applyStrictTransport(to: &file, host: head.host)
            return finish(head, "static file", started, file)
        }
        if ClientPipeline.covers(head) {
            let answered = await clients.answer(head, body)
            return finish(
                head, nil, answered.pattern, started, answered.response,
                error: answered.response.status.code >= 500 ? answered.error.map(Log.text(of:)) : nil)
        }
        var trace = Trace()
        let response = await answer(head, body, &trace)
        return finish(head, trace.context, trace.pattern, started, response, error: trace.error)
    }

    private static let requestID: HeaderName = "X-Request-Id"

    /// Data that the steps collect for the log and for error pages.
    private struct Trace {
        var pattern = "unknown"
        var context: RequestContext?
        var error: String?
        var endpoint: Endpoint?
        /// The form, if its token was valid.
        var form: FormFields?
    }

    /// Runs the steps and turns errors into pages.
    private func answer(_ head: RequestHead, _ body: RequestBody, _ trace: inout Trace) async -> Response {
        do {
            let match = router.match(head.method, head.segments)
            switch match {
            case .found(let route, _): (trace.pattern, trace.endpoint) = (route.pattern, route.handler)
            case .methodNotAllowed(let pattern, _): trace.pattern = pattern
            case .notFound: break
            }
            if case .withoutSession(let handler)? = trace.endpoint?.handler { return await handler(head) }
            // Browsers never compress forms.
            if InflatedBody.isEncoded(head) { throw Refusal(.unsupportedMediaType, "unsupported") }
            let context = try await context(for: head)
            trace.context = context
            switch match {
            case .notFound: throw Refusal.notFound
            case .methodNotAllowed(_, let allow):
                var response = errorPages.response(
                    Refusal(.methodNotAllowed, "methodNotAllowed"), context, backHref: origin.pageBefore(head))
                response.headers[.allow] = allow.map(\.name).joined(separator: ", ")
                return response
            case .found(let route, let parameters):
                return try await run(route.handler, head, parameters, body, context, &trace)
            }
        } catch {
            let refusal = Self.refusal(for: error)
            // The archives may be on another disk, so only database errors are recorded.
            sessions.database.diskSpace.record(error)
            if refusal.status.code >= 500 { trace.error = Log.text(of: error) }
            return errorPages.response(
                refusal, trace.context ?? .unknown(head), backHref: origin.pageBefore(head),
                sentAgain: refusal.isTemporary ? await unsentForm(head, body, trace) : nil)
        }
    }

    /// Returns the submitted form, to offer it again after a temporary error.
    private func unsentForm(_ head: RequestHead, _ body: RequestBody, _ trace: Trace) async -> UnsentForm? {
        if let form = trace.form { return UnsentForm(path: head.target, form) }
        guard !head.method.isSafe, let endpoint = trace.endpoint, endpoint.takesForm, origin.isSurelyOwn(head) else {
            return nil
        }
        let form = try? await visitorForms.read(
            head, body, maximumBytes: KeptForm.maximumBytes, maximumFields: KeptForm.maximumFields)
        return form.flatMap { UnsentForm(path: head.target, $0) }
    }

    // MARK: Steps

    private func context(for head: RequestHead) async throws -> RequestContext {
        let signedIn = try await sessions.find(head)
        if let signedIn { await sessions.updateLastUse(signedIn) }
        let visitor = signedIn == nil ? VisitorSecret(head) : nil
        let language = signedIn?.member.language ?? RequestContext.language(head)
        return RequestContext(
            requestID: head.id, language: language,
            region: signedIn?.member.country.region ?? RequestContext.region(head, language),
            signedIn: signedIn,
            csrfSecret: signedIn?.member.csrfSecret ?? visitor?.bytes ?? [],
            visitorCookie: visitor?.newCookie,
            nonce: RequestContext.newNonce(),
            flash: head.cookie("__Host-" + Flash.cookie).flatMap(Flash.init(cookie:)),
            path: path(of: head), isResponseToForm: head.method == .post,
            hidesAmounts: signedIn != nil && HiddenAmounts.isSet(head))
    }

    /// Returns the path to which the language form returns. The response to a submitted form cannot be loaded by its
    /// URL. The language form then returns to the page with the submitted form or, if that page is unknown, to the
    /// nearest parent page.
    private func path(of head: RequestHead) -> String {
        if head.method == .get { return head.target }
        if let before = origin.pageBefore(head),
            isPage(before.prefix { $0 != "?" }.split(separator: "/").map(String.init))
        {
            return before
        }
        var segments = head.segments
        while !segments.isEmpty, !isPage(segments) { segments.removeLast() }
        return Self.path(segments)
    }

    /// Whether the path belongs to a page.
    private func isPage(_ segments: [String]) -> Bool {
        if case .found = router.match(.get, segments) { true } else { false }
    }

    private static func path(_ segments: [String]) -> String {
        "/" + segments.map { PercentCoding.encode($0) }.joined(separator: "/")
    }

    /// Checks the caller, reads the form and runs the handler.
    private func run(
        _ endpoint: Endpoint, _ head: RequestHead, _ parameters: RouteParameters, _ body: RequestBody,
        _ context: RequestContext, _ trace: inout Trace
    ) async throws -> Response {
        if !head.method.isSafe, !origin.isOwn(head) { throw Refusal.foreignForm }
        switch endpoint.handler {
        case .withoutSession(let handler): return await handler(head)
        // `ClientPipeline` handles these routes.
        case .client: throw Refusal.notFound
        case .visitor(let handler):
            // The person may have signed in in another tab after this page was loaded.
            let earlierSecret = context.signedIn == nil ? [] : VisitorSecret(head).bytes
            let form = try await form(endpoint, head, body, context, earlierSecret: earlierSecret)
            trace.form = form
            return try await handler(
                VisitorRequest(head: head, parameters: parameters, body: body, form: form, context: context))
        case .member(let role, let handler):
            guard let member = context.signedIn?.member else {
                return try await signInFirst(endpoint, head, body, context)
            }
            guard member.role >= role else { throw Refusal.forbidden }
            let form = try await form(endpoint, head, body, context)
            trace.form = form
            let request = MemberRequest(
                head: head, parameters: parameters, body: body, form: form, member: member, context: context)
            return try await WallClock.$zone.withValue(member.zone) {
                // Uploads do not count towards the household's limit of simultaneous requests, because they mostly wait
                // for data from the client.
                if case .stream = endpoint.body { return try await handler(request) }
                return try await limiter.run(member.household) { try await handler(request) }
            }
        }
    }

    private func form(
        _ endpoint: Endpoint, _ head: RequestHead, _ body: RequestBody, _ context: RequestContext,
        earlierSecret: [UInt8] = []
    ) async throws -> FormFields {
        let fields: FormFields
        switch endpoint.body {
        case .none, .stream, .json: return FormFields()
        case .form: fields = try await Self.ofAllowedSize { try await FormFields.read(head, body) }
        case .longForm(let bytes, let count):
            let isVisitor = context.signedIn == nil
            fields = try await Self.ofAllowedSize {
                isVisitor
                    ? try await visitorForms.read(head, body, maximumBytes: bytes, maximumFields: count)
                    : try await FormFields.read(head, body, maximumBytes: bytes, maximumFields: count)
            }
        }
        guard context.accepts(csrf: fields["csrf"], earlierSecret: earlierSecret) else { throw Refusal.foreignForm }
        return fields
    }

    /// Reports a form that is too large with a separate message, because the general message is about files.
    private static func ofAllowedSize(_ read: () async throws -> FormFields) async throws -> FormFields {
        do {
            return try await read()
        } catch let error as FormError where error.status == .contentTooLarge {
            throw Refusal(.contentTooLarge, "formTooLarge")
        }
    }

    /// Redirects to sign-in and back. Keeps a submitted form and offers it after sign-in; if it cannot be kept, the
    /// page says so.
    private func signInFirst(
        _ endpoint: Endpoint, _ head: RequestHead, _ body: RequestBody, _ context: RequestContext
    ) async throws -> Response {
        guard head.method.isSafe else {
            let form = await signedOutForm(endpoint, head, body)
            if let form, let ended = try await EndedMembership(database: sessions.database).answer(head, form) {
                return ended
            }
            guard let kept = form.flatMap({ KeptForm(path: head.target, $0) }) else {
                throw Refusal(.unauthorized, "signedOut")
            }
            return signInAgain.response(kept, head, context)
        }
        let next = Redirect.ownPath(head.target)
        return .redirect(to: next == "/" ? "/sign-in" : "/sign-in?next=\(PercentCoding.encode(next))")
    }

    /// Returns the form if the browser confirms that it came from our own page. Its token belongs to the ended session
    /// and cannot be checked.
    private func signedOutForm(_ endpoint: Endpoint, _ head: RequestHead, _ body: RequestBody) async -> FormFields? {
        guard endpoint.takesForm, origin.isSurelyOwn(head) else { return nil }
        return try? await visitorForms.read(
            head, body, maximumBytes: KeptForm.maximumBytes, maximumFields: KeptForm.maximumFields)
    }

    // MARK: Errors

    /// The refusal for an error. Unknown errors become 500 without details.
    static func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: refusal
        case let problem as APIProblem: Refusal(problem.status, "badRequest")
        case let error as FormError:
            switch error.status {
            case .contentTooLarge: .tooLarge
            case .requestTimeout: Refusal(.requestTimeout, "tooSlow")
            case .unsupportedMediaType: Refusal(.unsupportedMediaType, "unsupported")
            default: .badRequest
            }
        case let error as PostgresError where error.kind == .commitUnknown: .uncertain
        case let error as PostgresError where error.isUnavailable: .unavailable
        case let error as PostgresError where error.kind == .timedOut: .busy
        case let error as PostgresError where error.sqlState == .diskFull: .diskFull
        case let error as SystemError where error.code == ENOSPC || error.code == EDQUOT: .diskFull
        // Too many simultaneous password hashes for the reserved memory.
        case PasswordHashError.busy: .busy
        case is AmountTooLarge: Refusal(.unprocessableContent, "amountTooLarge")
        case let error as PostgresError where error.sqlState == .numericValueOutOfRange:
            Refusal(.unprocessableContent, "amountTooLarge")
        // Values that our forms do not send: text with NUL, a violated check constraint.
        case let error as PostgresError
        where error.kind == .invalid || error.sqlState.isClass("22") || error.sqlState == .checkViolation:
            .badRequest
        default: Refusal(.internalServerError, "internal")
        }
    }

    // MARK: Response

    private func finish(
        _ head: RequestHead, _ context: RequestContext?, _ pattern: String, _ started: Int64, _ response: Response,
        error: String? = nil
    ) -> Response {
        var response = response
        headers.apply(to: &response, nonce: context?.nonce ?? RequestContext.newNonce(), host: head.host)
        if let context {
            if context.flash != nil, response.status.code < 300 {
                response.headers.append(SetCookie(host: Flash.cookie, value: "", maxAge: 0))
            }
            if let cookie = context.visitorCookie { response.headers.append(cookie) }
        }
        return finish(head, pattern, started, response, error: error)
    }

    private func finish(
        _ head: RequestHead, _ pattern: String, _ started: Int64, _ response: Response, error: String? = nil
    ) -> Response {
        var response = response
        response.headers.append(Self.requestID, head.id.description)
        log.request(
            head, pattern: pattern, status: response.status, nanoseconds: EventLoop.monotonicNow() - started,
            error: error)
        return response
    }
}
