import Domain

/// A valid link for setting a new password.
struct OpenPasswordReset: Sendable {
    let person: PersonID
    let name: String
    let login: String
}
