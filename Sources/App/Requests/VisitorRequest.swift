import Domain
import HTTP

/// A request to a route that needs no sign-in.
package struct VisitorRequest: Sendable {
    /// The validated head. If a trusted proxy forwarded the request, the head describes the client's request to the
    /// proxy.
    package let head: RequestHead
    /// The values of the path parameters, decoded but not validated.
    package let parameters: RouteParameters
    /// The body of `stream` routes, whose handlers read it. A form has already been read.
    package let body: RequestBody
    /// The fields of a form with a valid CSRF token; empty for routes without a form.
    package let form: FormFields
    let context: RequestContext

    /// The signed-in member's language, else the best match for Accept-Language.
    package var language: Language { context.language }
    /// The member, if the browser is signed in.
    package var member: Member? { context.signedIn?.member }
}
