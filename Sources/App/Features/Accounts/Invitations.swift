import Crypto
import Domain
import Postgres

/// One-time links for joining or setting up a household. The database stores only their hashes.
struct Invitations: Sendable {
    let database: Database

    /// Returns the invitation with this token; nil if it is unknown, used or expired.
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
            expiresAt: expires)
    }

    /// Marks the invitation as used. Returns false if it has been used or has expired in the meantime.
    func markUsed(_ invitation: OpenInvitation, _ transaction: Transaction) async throws -> Bool {
        let rows = try await transaction.query(
            """
            UPDATE invitation SET used_at = now()
            WHERE id = \(invitation.id) AND used_at IS NULL AND expires_at > now() RETURNING id
            """)
        return !rows.isEmpty
    }

    /// The maximum number of a household's invitations that can still be used.
    static let maximumOpen: Int32 = 50

    /// Creates a link for joining a household, valid for 7 days.
    ///
    /// - Throws: `TooMany`; `Refusal.forbidden` if the person is no longer an owner.
    func invite(into household: HouseholdID, by person: PersonID, role: Member.Role) async throws -> NewInvitation {
        let token = Token.random()
        let id = InvitationID.new()
        // A household transaction waits until a removal of the owner is complete. It also keeps a repeated request from
        // creating a second invitation.
        return try await database.write(household, by: person) { changes in
            try await changes.requireRoom(
                for: "open invitations", limit: Self.maximumOpen,
                count: """
                    SELECT count(*) FROM invitation
                    WHERE household_id = \(household) AND used_at IS NULL AND expires_at > now()
                    """)
            let rows = try await changes.query(
                """
                INSERT INTO invitation (token_hash, id, household_id, role, created_by, expires_at)
                SELECT \(token.hash), \(id), m.household_id, \(role), m.person_id, now() + interval '7 days'
                FROM membership m
                WHERE m.household_id = \(household) AND m.person_id = \(person) AND m.role = \(Member.Role.owner)
                RETURNING expires_at
                """)
            guard let expires = try rows.first(PostgresInstant.self) else { throw Refusal.forbidden }
            return NewInvitation(id: id, token: token, expiresAt: expires)
        }
    }

    /// Selects the invitations of a household that can still be used: id, name of the author, role, and time of expiry.
    static func open(in household: HouseholdID) -> SQL {
        """
        SELECT i.id, p.name, i.role, i.expires_at FROM invitation i JOIN person p ON p.id = i.created_by
        WHERE i.household_id = \(household) AND i.used_at IS NULL AND i.expires_at > now()
        ORDER BY i.expires_at, i.id
        """
    }

    /// Deletes an unused invitation. Returns false if the household has none with this identifier.
    ///
    /// - Throws: `Refusal.forbidden` if the member is no longer an owner.
    func revoke(_ id: InvitationID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            try changes.requireOwner()
            return try await !changes.query(Self.revocation(of: id, in: changes.household)).isEmpty
        }
    }

    /// Deletes an unused invitation, and returns a row if there was one.
    static func revocation(of id: InvitationID, in household: HouseholdID) -> SQL {
        "DELETE FROM invitation WHERE id = \(id) AND household_id = \(household) AND used_at IS NULL RETURNING id"
    }

    /// Creates a link for setting up a household, valid for a day, and deletes older links of this kind. The link is
    /// never logged.
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

    /// Whether no household has been set up.
    func hasNoHousehold() async throws -> Bool { try await database.read("SELECT 1 FROM membership LIMIT 1").isEmpty }
}
