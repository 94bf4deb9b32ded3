import Crypto
import Domain
import Postgres

/// An invitation that can still be used.
struct OpenInvitation: Sendable {
    let id: InvitationID
    /// Nil: the link sets up a household of its own.
    let household: HouseholdID?
    let role: Member.Role
    let inviterName: String
    let householdName: String
    let expires: PostgresInstant
}

/// One-time links, kept as hashes: set-up of a household, and joining one.
struct Invitations: Sendable {
    let database: Database

    /// What the link with this token offers; nil when it is unknown, used or over.
    func find(_ token: Token) async throws -> OpenInvitation? {
        let rows = try await database.read(
            "SELECT id, household_id, role, inviter_name, household_name, expires_at FROM open_invitation(\(token.hash))"
        )
        guard
            let (id, household, role, inviter, name, expires) = try rows.first(
                (InvitationID, HouseholdID?, Member.Role, String?, String?, PostgresInstant).self)
        else { return nil }
        return OpenInvitation(
            id: id, household: household, role: role, inviterName: inviter ?? "", householdName: name ?? "",
            expires: expires)
    }

    /// Uses the invitation up; false when somebody was faster.
    func use(_ invitation: OpenInvitation, _ transaction: Transaction) async throws -> Bool {
        let rows = try await transaction.query(
            """
            UPDATE invitation SET used_at = now()
            WHERE id = \(invitation.id) AND used_at IS NULL AND expires_at > now() RETURNING id
            """)
        return !rows.isEmpty
    }

    /// A new link into a household.
    func invite(into household: HouseholdID, by person: PersonID, role: Member.Role) async throws -> Token {
        let token = Token.random()
        try await database.query(
            """
            INSERT INTO invitation (token_hash, id, household_id, role, created_by, expires_at)
            VALUES (\(token.hash), \(InvitationID.new()), \(household), \(role), \(person), now() + interval '7 days')
            """)
        return token
    }

    /// A link that sets up a household, replacing older ones. Printed by `allesteurer setup-link`, never logged.
    func setUp() async throws -> Token {
        let token = Token.random()
        try await database.query(batch: [
            "DELETE FROM invitation WHERE household_id IS NULL",
            """
            INSERT INTO invitation (token_hash, id, household_id, role, expires_at)
            VALUES (\(token.hash), \(InvitationID.new()), NULL, 'owner', now() + interval '1 day')
            """,
        ])
        return token
    }

    /// Whether nobody has set anything up yet.
    func isUntouched() async throws -> Bool { try await database.read("SELECT 1 FROM membership LIMIT 1").isEmpty }
}
