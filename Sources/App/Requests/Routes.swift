import HTTP

/// The route table, which the controllers of the features fill.
package struct Routes {
    /// The routes by method and path. Complete after all features have registered theirs.
    package private(set) var router = Router<Endpoint>()

    package init() {}

    /// Adds a GET route without session and page layout.
    package mutating func withoutSession(
        _ pattern: String, _ name: String, _ handler: @escaping @Sendable (RequestHead) async -> Response
    ) throws(RouteError) {
        try router.add(.get, pattern, Endpoint(handler: .withoutSession(handler), body: .none, name: name))
    }

    /// Adds a route that needs no sign-in.
    package mutating func visitor(
        _ method: Method, _ pattern: String, _ name: String, body: Endpoint.Body? = nil,
        _ handler: @escaping @Sendable (VisitorRequest) async throws -> Response
    ) throws(RouteError) {
        try router.add(
            method, pattern, Endpoint(handler: .visitor(handler), body: body ?? Self.defaultBody(method), name: name))
    }

    /// Adds a route for signed-in people. By default, routes that read require the role `viewer`, and routes that write
    /// the role `member`.
    package mutating func member(
        _ method: Method, _ pattern: String, _ name: String, role: Member.Role? = nil, body: Endpoint.Body? = nil,
        _ handler: @escaping @Sendable (MemberRequest) async throws -> Response
    ) throws(RouteError) {
        let role = role ?? (method.isSafe ? .viewer : .member)
        try router.add(
            method, pattern,
            Endpoint(handler: .member(role, handler), body: body ?? Self.defaultBody(method), name: name))
    }

    /// Adds a route of the API. By default, routes that read require the role `viewer`, and routes that write the role
    /// `member`. The default body is JSON of at most 1 MiB for routes that write, except DELETE.
    package mutating func client(
        _ method: Method, _ pattern: String, _ name: String, scope: KeyScope, role: Member.Role? = nil,
        body: Endpoint.Body? = nil, _ handler: @escaping @Sendable (ClientRequest) async throws -> Response
    ) throws(RouteError) {
        let role = role ?? (method.isSafe ? .viewer : .member)
        let body = body ?? (method.isSafe || method == .delete ? .none : .json(limit: 1 << 20))
        try router.add(
            method, pattern, Endpoint(handler: .client(scope, role, handler), body: body, name: name))
    }

    /// Requests that write have a form; the others have no body.
    private static func defaultBody(_ method: Method) -> Endpoint.Body { method.isSafe ? .none : .form }
}
