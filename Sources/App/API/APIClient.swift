import Domain

/// An authenticated caller of the API: a program with a key, or a signed-in member's browser.
struct APIClient: Sendable {
    /// With the role that the membership has now.
    let member: Member
    let scopes: Set<KeyScope>
    /// nil for a browser.
    let key: KeyID?
    /// The stored time at which the key was last used, in microseconds since 1970 UTC.
    var usedAt: Int64?

    /// Rate limits and idempotency keys are counted for this identifier.
    var id: OperationID { key?.relabelled() ?? member.person.relabelled() }
}
