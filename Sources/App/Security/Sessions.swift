import Crypto
import Domain
import HTTP
import Postgres

/// Sessions: a random token in a cookie. The database stores a hash of the token.
package struct Sessions: Sendable {
    let database: Database

    static let cookie = "session"
    /// The days without a request after which a session ends.
    static let idleDays: Int64 = 30
    /// The days after which a session always ends.
    static let absoluteDays: Int64 = 180
    /// The shortest time between updates of `seen_at`, in microseconds: ten minutes.
    static let seenInterval: Int64 = 600_000_000

    /// Returns the session of the request's cookie; nil if there is none or it has ended. Uses one query.
    func find(_ head: RequestHead) async throws -> SignedIn? {
        guard let cookie = head.cookie("__Host-" + Self.cookie) else { return nil }
        return try await find(cookie)
    }

    /// Returns the session of a cookie value.
    func find(_ cookie: String) async throws -> SignedIn? {
        guard let token = Token(cookie) else { return nil }
        let hash = token.hash
        let rows = try await database.read(
            """
            SELECT session_id, person_id, household_id, name, language, role, csrf_secret, seen_at, household_name, country,
                time_zone, waiting
            FROM signed_in(\(hash), \(Self.idleDays) * interval '1 day')
            """)
        guard let row = rows.first else { return nil }
        let (session, person, household, name, language, role, secret, seenAt, householdName, country, zone, waiting) =
            try row.decode(
                (
                    SessionID, PersonID, HouseholdID, String, Language, Member.Role, [UInt8], PostgresInstant, String,
                    Country, String?, Int64
                ).self)
        let member = Member(
            household: household, person: person, name: name, role: role, language: language, country: country,
            zone: zone.flatMap(TimeZone.named), session: session,
            // The secret depends on the household. If the person has opened another household in another tab, a form of
            // this household is refused. Otherwise it would be stored in the wrong household.
            csrfSecret: sha256(secret + household.bytes))
        return SignedIn(
            member: member, householdName: householdName, waiting: waiting, seenAt: seenAt.microsecondsSince1970,
            tokenHash: hash)
    }

    /// Updates `seen_at`, at most every ten minutes, to avoid a write for every page.
    func updateLastUse(_ signedIn: SignedIn) async {
        guard WallClock.microseconds() - signedIn.seenAt > Self.seenInterval else { return }
        // Best effort: retried on the next request.
        _ = try? await database.query("UPDATE session SET seen_at = now() WHERE token_hash = \(signedIn.tokenHash)")
    }

    /// Creates a session with a new token for a person who has just been authenticated.
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

    /// Ends a session. Returns false if the person has no such session.
    @discardableResult
    func end(_ session: SessionID, of person: PersonID) async throws -> Bool {
        !(try await database.query(Self.ending(session, of: person)).isEmpty)
    }

    /// Ends the session of a request whose response sets the cookie of another session. Without this, the earlier
    /// session would remain valid for months, and could be ended only in the list of signed-in devices.
    func endReplaced(by request: VisitorRequest) async throws {
        guard let member = request.member else { return }
        try await end(member.session, of: member.person)
    }

    /// A statement that deletes a session, and returns a row if the session belonged to the person.
    static func ending(_ session: SessionID, of person: PersonID) -> SQL {
        "DELETE FROM session WHERE id = \(session) AND person_id = \(person) RETURNING id"
    }

    /// Deletes the session's cookie in the browser.
    static let endingCookie = SetCookie(host: cookie, value: "", maxAge: 0)
}
