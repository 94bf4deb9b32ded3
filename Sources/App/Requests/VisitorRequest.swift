import Domain
import HTTP

/// A request to a route that needs no sign-in.
package struct VisitorRequest: Sendable {
    /// Validated; as the client sent it to a trusted proxy.
    package let head: RequestHead
    /// The values of the pattern's names, decoded and not validated.
    package let parameters: RouteParameters
    /// For `stream` routes, which read it themselves. A form has been read already.
    package let body: RequestBody
    /// The fields of a form with a valid CSRF token; empty for routes without a form.
    package let form: FormFields
    let context: RequestContext

    /// The member's language when signed in, else the best match of Accept-Language.
    package var language: Language { context.language }
    /// The member, when the browser is signed in.
    package var member: Member? { context.signedIn?.member }
}
