import Domain

/// A link to set a new password that can still be used.
struct OpenPasswordReset: Sendable {
    let person: PersonID
    let name: String
    let login: String
}
