import Domain
import HTTP

/// A request of a signed-in member. Its handler cannot be registered for other callers.
package struct MemberRequest: Sendable {
    /// Validated; as the client sent it to a trusted proxy.
    package let head: RequestHead
    /// The values of the pattern's names, decoded and not validated.
    package let parameters: RouteParameters
    /// For `stream` routes, which read it themselves. A form has been read already.
    package let body: RequestBody
    /// The fields of a form with a valid CSRF token; empty for routes without a form.
    package let form: FormFields
    /// Has the role that the route requires.
    package let member: Member
    let context: RequestContext

    /// The member's household. Every query names it.
    package var household: HouseholdID { member.household }
    /// The member's own choice.
    package var language: Language { member.language }

    /// The identifier in a path segment. A segment that is not an identifier is answered like an unknown one.
    ///
    /// - Throws: `Refusal.notFound`.
    package func identifier<Tag>(_ name: String) throws -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw Refusal.notFound }
        return identifier
    }
}
