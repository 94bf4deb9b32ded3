import Domain

/// A person in an archive, and the corresponding person of this installation.
struct RestoredPerson: Sendable {
    /// The person's identifier in the archive.
    let archived: Identifier<Void>
    let id: PersonID
    let name: String
    let login: String
    let language: String
    let kind: Kind

    enum Kind: Sendable {
        /// Restored with the same identifier into an empty installation.
        case same
        /// Matched with a person of this installation with the same e-mail address.
        case known
        /// Created without a password.
        case created
        /// Created without an e-mail address, so the person cannot sign in. Receipts still show the name.
        case former
    }
}
