import Crypto
import Domain
import HTTP
import Postgres

/// Sessions: a random token in a cookie, its hash in the database.
package struct Sessions: Sendable {
    let database: Database

    static let cookie = "session"
    /// Without a request for so long a session ends; in whole days.
    static let idleDays: Int64 = 30
    /// A session ends after so long in any case; in whole days.
    static let absoluteDays: Int64 = 180
    /// `seen_at` is written at most this often, in microseconds: ten minutes.
    static let seenInterval: Int64 = 600_000_000

    /// Who holds the token of this request's cookie: one query.
    func find(_ head: RequestHead) async throws -> SignedIn? {
        guard let cookie = head.cookie("__Host-" + Self.cookie) else { return nil }
        return try await find(cookie)
    }

    /// Who holds the token that a session's cookie has as its value.
    func find(_ cookie: String) async throws -> SignedIn? {
        guard let token = Token(cookie) else { return nil }
        let hash = token.hash
        let rows = try await database.read(
            """
            SELECT session_id, person_id, household_id, name, language, role, csrf_secret, seen_at, household_name, waiting
            FROM signed_in(\(hash), \(Self.idleDays) * interval '1 day')
            """)
        guard let row = rows.first else { return nil }
        let (session, person, household, name, language, role, secret, seenAt, householdName, waiting) = try row.decode(
            (SessionID, PersonID, HouseholdID, String, Language, Member.Role, [UInt8], PostgresInstant, String, Int64)
                .self)
        let member = Member(
            household: household, person: person, name: name, role: role, language: language, session: session,
            csrfSecret: secret)
        return SignedIn(
            member: member, householdName: householdName, waiting: waiting, seenAt: seenAt.microsecondsSince1970,
            tokenHash: hash)
    }

    /// Notes that the session is in use; seldom, so that reading pages does not write.
    func touch(_ signedIn: SignedIn) async {
        guard WallClock.microseconds() - signedIn.seenAt > Self.seenInterval else { return }
        // A note that fails is taken again by the next request.
        _ = try? await database.query("UPDATE session SET seen_at = now() WHERE token_hash = \(signedIn.tokenHash)")
    }

    /// A new session for a person who has just proved who they are, always with a new token.
    ///
    /// - Returns: the cookie to set.
    func begin(
        _ person: PersonID, in household: HouseholdID, client: String, _ transaction: Transaction
    ) async throws -> SetCookie {
        let token = Token.random()
        try await transaction.query(
            """
            INSERT INTO session (token_hash, id, person_id, household_id, csrf_secret, client, expires_at)
            VALUES (\(token.hash), \(SessionID.new()), \(person), \(household), \(Random.bytes(32)),
                \(client.cut(to: 200)), now() + \(Self.absoluteDays) * interval '1 day')
            """)
        return SetCookie(host: Self.cookie, value: token.secret, maxAge: Int(Self.absoluteDays) * 86_400)
    }

    /// Ends one session; false when this person has none with that id.
    @discardableResult
    func end(_ session: SessionID, of person: PersonID) async throws -> Bool {
        let rows = try await database.query(
            "DELETE FROM session WHERE id = \(session) AND person_id = \(person) RETURNING id")
        return !rows.isEmpty
    }

    static let endingCookie = SetCookie(host: cookie, value: "", maxAge: 0)
}
