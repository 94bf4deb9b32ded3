import HTTP

/// A route's handler, the callers that it accepts, and the type of its body.
package struct Endpoint: Sendable {
    /// A handler. The cases differ in the caller's data that the handler receives.
    package enum Handler: Sendable {
        /// Receives only the head and no session, for health checks and files that are the same for everyone.
        case withoutSession(@Sendable (RequestHead) async -> Response)
        case visitor(@Sendable (VisitorRequest) async throws -> Response)
        case member(Member.Role, @Sendable (MemberRequest) async throws -> Response)
        /// For programs with a key and for members' browsers. Both need the scope and the role.
        case client(KeyScope, Member.Role, @Sendable (ClientRequest) async throws -> Response)
    }

    /// The way in which the pipeline reads the body before the handler runs.
    package enum Body: Sendable, Equatable {
        /// No body; if one arrives, it is not read.
        case none
        /// A URL-encoded form with a CSRF token, at most 64 KiB.
        case form
        /// A larger URL-encoded form with a CSRF token, such as a receipt's lines.
        case longForm(bytes: Int, fields: Int)
        /// A body that the handler reads. For a multipart form, the handler checks the CSRF field before the first
        /// file.
        case stream
        /// `application/json` of at most this many bytes, read strictly. For `client` routes.
        case json(limit: Int)
    }

    package let handler: Handler
    package let body: Body
    /// The controller and method, for `allesteurer routes`.
    package let name: String

    /// Whether the body is a form that a page can send without scripts.
    var takesForm: Bool {
        switch body {
        case .form, .longForm: true
        case .none, .stream, .json: false
        }
    }

    /// `anyone`, `visitor` (signed in or not), the lowest role, or for the API the scope and the lowest role.
    package var access: String {
        switch handler {
        case .withoutSession: "anyone"
        case .visitor: "visitor"
        case .member(let role, _): role.rawValue
        case .client(let scope, let role, _): "\(scope.rawValue):\(role.rawValue)"
        }
    }
}
