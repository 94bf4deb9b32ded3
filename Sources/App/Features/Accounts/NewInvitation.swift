import Crypto
import Domain
import Postgres

/// An invitation that was just created. Its token is not stored.
struct NewInvitation: Sendable {
    let id: InvitationID
    let token: Token
    let expiresAt: PostgresInstant
}
