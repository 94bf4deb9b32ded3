import Crypto
import Domain
import Postgres

/// One-time links for setting a new password. The database stores only their hashes.
struct PasswordResets: Sendable {
    let database: Database

    /// Each link is valid for a day.
    private static let validHours: Int64 = 24

    /// Creates a link for a member of the owner's household.
    ///
    /// - Throws: `Refusal.notFound` for a person outside the household; `Refusal.forbidden` for the owner's own
    ///   account, and for a person who also belongs to another household, because the link would give access to that
    ///   household too.
    func create(for person: PersonID, by owner: Member) async throws -> Token {
        let homes = try await database.read("SELECT household_id FROM membership WHERE person_id = \(person)")
            .decode(HouseholdID.self)
        guard homes.contains(owner.household) else { throw Refusal.notFound }
        guard person != owner.person, homes.count == 1 else { throw Refusal.forbidden }
        return try await create(for: person, createdBy: owner.person)
    }

    /// Creates a link for the account with this e-mail address, for the operator of the server. Returns nil if there is
    /// no such account.
    func create(login: String) async throws -> Token? {
        let rows = try await database.read("SELECT id FROM person WHERE login = \(login)")
        guard let person = try rows.first(PersonID.self) else { return nil }
        return try await create(for: person, createdBy: nil)
    }

    /// Creates a link and deletes the person's earlier ones.
    private func create(for person: PersonID, createdBy owner: PersonID?) async throws -> Token {
        let token = Token.random()
        try await database.query(batch: [
            "DELETE FROM password_reset WHERE person_id = \(person)",
            """
            INSERT INTO password_reset (token_hash, person_id, created_by, expires_at)
            VALUES (\(token.hash), \(person), \(owner), now() + \(Self.validHours) * interval '1 hour')
            """,
        ])
        return token
    }

    /// Returns nil if the link is unknown, used, expired or revoked.
    func find(_ token: Token) async throws -> OpenPasswordReset? {
        let rows = try await database.read(
            """
            SELECT p.id, p.name, p.login FROM password_reset r JOIN person p ON p.id = r.person_id
            WHERE \(Self.isOpen(token))
            """)
        guard let (person, name, login) = try rows.first((PersonID, String, String).self) else { return nil }
        return OpenPasswordReset(person: person, name: name, login: login)
    }

    /// Sets the password, ends all sessions of the person, and deletes the person's API keys and links. Returns false
    /// if the link is no longer valid.
    func resetPassword(_ token: Token, _ hash: PasswordHash) async throws -> Bool {
        try await database.query("SELECT reset_password(\(token.hash), \(hash.encoded))").first(Bool.self) == true
    }

    /// A condition for valid links. A link that an owner created is valid only while the creator is an owner of the
    /// person's only household.
    private static func isOpen(_ token: Token) -> SQL {
        """
        r.token_hash = \(token.hash) AND r.expires_at > now() AND (r.created_by IS NULL
            OR EXISTS (SELECT 1 FROM membership m
                JOIN membership o ON o.household_id = m.household_id AND o.person_id = r.created_by AND o.role = 'owner'
                WHERE m.person_id = r.person_id)
            AND (SELECT count(*) FROM membership a WHERE a.person_id = r.person_id) = 1)
        """
    }
}
