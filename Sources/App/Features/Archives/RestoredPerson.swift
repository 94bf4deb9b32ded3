import Domain

/// A person of an archive, and how the person was restored.
struct RestoredPerson: Sendable {
    let archived: Identifier<Void>
    let id: PersonID
    let name: String
    let login: String
    let kind: Kind

    enum Kind: Sendable {
        /// The same person in an empty installation.
        case same
        /// A person of this installation with the same e-mail address.
        case known
        /// Created without a password.
        case created
        /// Created without an e-mail address: the person is named on receipts and cannot sign in.
        case former
    }
}
