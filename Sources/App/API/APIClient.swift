import Domain

/// An authenticated caller of the API: a program with a key, or a signed-in member's browser.
struct APIClient: Sendable {
    /// The member with the current role of the membership.
    let member: Member
    let scopes: Set<KeyScope>
    /// The key; nil for a browser session.
    let key: KeyID?
    /// When the key was last used according to the database, in microseconds since 1970 UTC.
    var usedAt: Int64?

    /// The identifier for rate limits and idempotency keys.
    var id: OperationID { key?.relabelled() ?? member.person.relabelled() }
}
