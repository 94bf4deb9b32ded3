import HTTP

/// A route's handler, the callers it accepts and the body it takes.
package struct Endpoint: Sendable {
    /// The handler, by what it gets to know of the caller.
    package enum Handler: Sendable {
        /// Gets the head only, without a session: health checks.
        case bare(@Sendable (RequestHead) async -> Response)
        case visitor(@Sendable (VisitorRequest) async throws -> Response)
        case member(Member.Role, @Sendable (MemberRequest) async throws -> Response)
        /// A program with a key, or a member's browser: both need the scope and the role.
        case client(KeyScope, Member.Role, @Sendable (ClientRequest) async throws -> Response)
    }

    /// What the pipeline does with the body before the handler runs.
    package enum Body: Sendable, Equatable {
        /// No body; one that arrives is not read.
        case none
        /// A URL-encoded form with a CSRF token, at most 64 KiB.
        case form
        /// A larger URL-encoded form with a CSRF token, such as a receipt's lines.
        case longForm(bytes: Int, fields: Int)
        /// Multipart or JSON, read by the handler, which checks the CSRF field before the first file byte.
        case stream
        /// `application/json` of at most so many bytes, read strictly. For `client` routes.
        case json(limit: Int)
    }

    package let handler: Handler
    package let body: Body
    /// Controller and method, for `allesteurer routes`.
    package let name: String

    /// Whether it takes a form that a page can send without scripts.
    var takesForm: Bool {
        switch body {
        case .form, .longForm: true
        case .none, .stream, .json: false
        }
    }

    /// `anyone`, `visitor` (a page, signed in or not), the least role, or for the API scope and least role.
    package var access: String {
        switch handler {
        case .bare: "anyone"
        case .visitor: "visitor"
        case .member(let role, _): role.rawValue
        case .client(let scope, let role, _): "\(scope.rawValue):\(role.rawValue)"
        }
    }
}

/// The route table, filled by the features' controllers.
package struct Routes {
    /// Complete when every feature has registered its routes.
    package private(set) var router = Router<Endpoint>()

    package init() {}

    /// A route outside the pipeline's pages.
    package mutating func bare(
        _ pattern: String, _ name: String, _ handler: @escaping @Sendable (RequestHead) async -> Response
    ) throws(RouteError) {
        try router.add(.get, pattern, Endpoint(handler: .bare(handler), body: .none, name: name))
    }

    /// A route that needs no sign-in.
    package mutating func visitor(
        _ method: Method, _ pattern: String, _ name: String, body: Endpoint.Body? = nil,
        _ handler: @escaping @Sendable (VisitorRequest) async throws -> Response
    ) throws(RouteError) {
        try router.add(
            method, pattern, Endpoint(handler: .visitor(handler), body: body ?? Self.usual(method), name: name))
    }

    /// A route for members: viewers may look, members may change, unless `role` says otherwise.
    package mutating func member(
        _ method: Method, _ pattern: String, _ name: String, role: Member.Role? = nil, body: Endpoint.Body? = nil,
        _ handler: @escaping @Sendable (MemberRequest) async throws -> Response
    ) throws(RouteError) {
        let role = role ?? (method.isSafe ? .viewer : .member)
        try router.add(
            method, pattern, Endpoint(handler: .member(role, handler), body: body ?? Self.usual(method), name: name))
    }

    /// A route of the API: viewers may read, members may change, unless `role` says otherwise. A body is JSON of at most
    /// 1 MiB, unless `body` says otherwise.
    package mutating func client(
        _ method: Method, _ pattern: String, _ name: String, scope: KeyScope, role: Member.Role? = nil,
        body: Endpoint.Body? = nil, _ handler: @escaping @Sendable (ClientRequest) async throws -> Response
    ) throws(RouteError) {
        let role = role ?? (method.isSafe ? .viewer : .member)
        let body = body ?? (method.isSafe || method == .delete ? .none : .json(limit: 1 << 20))
        try router.add(
            method, pattern, Endpoint(handler: .client(scope, role, handler), body: body, name: name))
    }

    private static func usual(_ method: Method) -> Endpoint.Body { method.isSafe ? .none : .form }
}
