import Domain
import HTTP

/// A request of a signed-in member. A handler with this parameter can be registered only for members' routes.
package struct MemberRequest: Sendable {
    /// The validated head. If a trusted proxy forwarded the request, the head describes the client's request to the
    /// proxy.
    package let head: RequestHead
    /// The values of the path parameters, decoded but not validated.
    package let parameters: RouteParameters
    /// The body of `stream` routes, whose handlers read it. A form has already been read.
    package let body: RequestBody
    /// The fields of a form with a valid CSRF token; empty for routes without a form.
    package let form: FormFields
    /// Has at least the role that the route requires.
    package let member: Member
    let context: RequestContext

    /// The member's household. Every query names it.
    package var household: HouseholdID { member.household }
    /// The language that the member chose.
    package var language: Language { member.language }

    /// Parses an identifier in the path. A malformed identifier gives the same error as an unknown one.
    ///
    /// - Throws: `Refusal.notFound`.
    package func identifier<Tag>(_ name: String) throws -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw Refusal.notFound }
        return identifier
    }
}
