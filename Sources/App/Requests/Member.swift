import Domain

/// A signed-in person in their household, loaded once a request and handed down as a value.
package struct Member: Sendable {
    /// The one whose rows the request may touch.
    package let household: HouseholdID
    /// The account.
    package let person: PersonID
    /// As the person wants to be called; never logged.
    package let name: String
    /// In this household.
    package let role: Role
    /// The person's own choice, whatever the browser asks for.
    package let language: Language
    /// The one that the browser's cookie named.
    package let session: SessionID
    /// Secret behind this session's CSRF tokens.
    package let csrfSecret: [UInt8]

    /// What a membership allows, from least to most.
    package enum Role: String, Sendable, CaseIterable, Comparable {
        /// Looks only.
        case viewer
        /// Scans, corrects, books.
        case member
        /// Also invites, removes and renames.
        case owner

        package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .viewer: 0
            case .member: 1
            case .owner: 2
            }
        }
    }
}
