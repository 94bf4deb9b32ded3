import Domain
import Postgres

/// An invitation that can still be used.
struct OpenInvitation: Sendable {
    let id: InvitationID
    /// Nil for a link that sets up a new household.
    let household: HouseholdID?
    let role: Member.Role
    let inviterName: String
    let householdName: String
    let expiresAt: PostgresInstant
}
