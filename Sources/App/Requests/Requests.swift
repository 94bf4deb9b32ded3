import Domain
import HTTP

/// A request of somebody who is not signed in, or need not be.
package struct VisitorRequest: Sendable {
    /// Validated; as the proxy got it where one is trusted.
    package let head: RequestHead
    /// The values of the pattern's names, decoded and not yet looked at.
    package let parameters: RouteParameters
    /// For routes of the kind `stream`, which read it themselves; a form's is read already.
    package let body: RequestBody
    /// The fields of a form whose CSRF token was right; empty for routes without one.
    package let form: FormFields
    let context: RequestContext

    /// The member's where somebody is signed in, else the best of what the browser asks for.
    package var language: Language { context.language }
    /// The person, if the browser is signed in all the same.
    package var member: Member? { context.signedIn?.member }
}

/// A request of a signed-in member. Its handler cannot be registered for anybody else.
package struct MemberRequest: Sendable {
    /// Validated; as the proxy got it where one is trusted.
    package let head: RequestHead
    /// The values of the pattern's names, decoded and not yet looked at.
    package let parameters: RouteParameters
    /// For routes of the kind `stream`, which read it themselves; a form's is read already.
    package let body: RequestBody
    /// The fields of a form whose CSRF token was right; empty for routes without one.
    package let form: FormFields
    /// Signed in, and of the role that the route takes.
    package let member: Member
    let context: RequestContext

    /// The member's: whatever the path names is looked for among its rows only.
    package var household: HouseholdID { member.household }
    /// The member's own choice.
    package var language: Language { member.language }

    /// The identifier in a path segment; what is no identifier names nothing, so it is not found.
    ///
    /// - Throws: `Refusal.notFound`.
    package func identifier<Tag>(_ name: String) throws -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw Refusal.notFound }
        return identifier
    }
}

extension FormFields {
    /// The first value of that name without white space at its ends; nil when the field is absent.
    func trimmed(_ name: String) -> String? { self[name]?.trimmed }

    /// A field that our own forms always send: without it the request is not one of ours.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else { throw Refusal.badRequest }
        return value.trimmed
    }
}
