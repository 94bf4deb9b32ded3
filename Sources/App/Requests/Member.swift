import Domain

/// A signed-in person in their household, loaded once for each request.
package struct Member: Sendable {
    package let household: HouseholdID
    package let person: PersonID
    /// The person's name; never logged.
    package let name: String
    package let role: Role
    /// The language that the person chose; takes precedence over Accept-Language.
    package let language: Language
    /// The household's country, for terms that differ between countries, such as the names of months.
    package let country: Country
    /// The household's time zone; nil for the server's.
    package let zone: TimeZone?
    /// The session; for a caller with an API key, the key's identifier.
    package let session: SessionID
    /// The secret for this session's CSRF tokens; empty for a caller with an API key.
    package let csrfSecret: [UInt8]

    /// In ascending order of rights.
    package enum Role: String, Sendable, CaseIterable, Comparable {
        /// May read.
        case viewer
        /// May also upload, correct and confirm.
        case member
        /// May also manage members and settings.
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
