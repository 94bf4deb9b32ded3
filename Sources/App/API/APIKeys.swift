import Crypto
import Domain
import HTTP
import Postgres

/// API keys. A key is a random text, of which only a hash is stored.
struct APIKeys: Sendable {
    let database: Database

    /// The maximum number of keys of one person in one household.
    static let limit = 50

    /// The shortest time between updates of `used_at`, in microseconds: ten minutes.
    private static let usedInterval: Int64 = 600_000_000

    /// A key as shown in lists.
    struct ListedKey: Sendable {
        let id: KeyID
        let name: String
        /// The beginning of the key, which distinguishes it from other keys in a list.
        let hint: String
        let scopes: [KeyScope]
        let createdAt: PostgresInstant
        let expiresAt: PostgresInstant?
        let usedAt: PostgresInstant?
    }

    /// Returns the caller with this key; nil if the key is malformed, unknown or expired.
    ///
    /// - Throws: `Refusal` 429 after many unknown keys from the same network.
    func find(_ text: String, from network: PeerAddress.Network) async throws -> APIClient? {
        guard let key = KeyText(text) else { return nil }
        let rows = try await database.read(
            """
            SELECT key_id, scopes, used_at, person_id, household_id, name, language, role, country, time_zone
            FROM api_client(\(key.token.hash))
            """)
        guard let row = rows.first else {
            // Valid keys are never throttled, so that one program cannot block other programs in its network.
            if let seconds = try await SignInThrottle.countUnknownKey(from: network, database) {
                throw Refusal(.tooManyRequests, "tooMany", retryAfter: seconds)
            }
            return nil
        }
        let (id, scopes, used, person, household, name, language, role, country, zone) = try row.decode(
            (
                KeyID, [KeyScope], PostgresInstant?, PersonID, HouseholdID, String, Language, Member.Role, Country,
                String?
            ).self)
        let member = Member(
            household: household, person: person, name: name, role: role, language: language, country: country,
            zone: zone.flatMap(TimeZone.named), session: id.relabelled(), csrfSecret: [])
        return APIClient(
            member: member, scopes: Set(scopes), key: id, usedAt: used?.microsecondsSince1970)
    }

    /// Updates `used_at`, at most every ten minutes, to avoid a write for every request.
    func updateLastUse(_ client: APIClient) async {
        guard let key = client.key, WallClock.microseconds() - (client.usedAt ?? 0) > Self.usedInterval else { return }
        // Best effort: retried on the next request.
        _ = try? await database.query("UPDATE api_key SET used_at = now() WHERE id = \(key)")
    }

    /// Creates a key. Returns its text, which is not stored.
    ///
    /// - Parameters:
    ///   - days: the days until it expires; nil if it never expires.
    ///   - maker: the key that requested the new key; nil for a person or the command line. The new key expires no
    ///     later than `maker`, and is revoked with it.
    /// - Throws: `TooMany`; `Refusal.forbidden` if the person has left the household, or the requesting key was
    ///   revoked.
    func create(
        _ name: String, scopes: Set<KeyScope>, days: Int?, by maker: KeyID? = nil, for person: PersonID,
        in household: HouseholdID
    ) async throws -> (id: KeyID, secret: String) {
        let text = KeyText.random()
        let id = KeyID.new()
        let ordered = KeyScope.allCases.filter(scopes.contains)
        let expires: SQL = days.map { "now() + \(Int64($0)) * interval '1 day'" } ?? "NULL::timestamptz"
        // Keys are not in the change log. They are written in a household transaction, because such a transaction
        // prevents a repeated request from creating a second key.
        return try await database.write(household, by: person) { changes in
            let rows = try await onConstraint(["api_key_maker_fkey": Refusal.forbidden]) {
                // `least` ignores nulls, because a null expiry means that a key never expires.
                try await changes.query(
                    """
                    INSERT INTO api_key
                        (token_hash, id, household_id, person_id, name, hint, scopes, expires_at, maker_id)
                    SELECT \(text.token.hash), \(id), \(household), \(person), \(name), \(text.hint), \(ordered),
                        least(\(expires), (SELECT k.expires_at FROM api_key k WHERE k.id = \(maker))), \(maker)
                    WHERE (SELECT count(*) FROM api_key WHERE household_id = \(household) AND person_id = \(person))
                        < \(Int64(Self.limit))
                    RETURNING id
                    """)
            }
            guard !rows.isEmpty else { throw TooMany(limit: Self.limit, kind: "keys") }
            return (id, text.secret)
        }
    }

    /// The person's keys, the newest first.
    func list(_ person: PersonID, in household: HouseholdID) async throws -> [ListedKey] {
        let rows = try await database.read(
            """
            SELECT id, name, hint, scopes, created_at, expires_at, used_at FROM api_key
            WHERE household_id = \(household) AND person_id = \(person) ORDER BY created_at DESC, id DESC
            """)
        return try rows.decode(
            (KeyID, String, String, [KeyScope], PostgresInstant, PostgresInstant?, PostgresInstant?).self
        ).map { id, name, hint, scopes, created, expires, used in
            ListedKey(
                id: id, name: name, hint: hint, scopes: scopes, createdAt: created, expiresAt: expires, usedAt: used)
        }
    }

    /// Selects the person's valid keys in all households: name, hint, time of last use.
    static func valid(of person: PersonID) -> SQL {
        """
        SELECT k.name, k.hint, k.used_at FROM membership m
        JOIN api_key k ON k.household_id = m.household_id AND k.person_id = m.person_id
        WHERE m.person_id = \(person) AND (k.expires_at IS NULL OR k.expires_at > now())
        ORDER BY k.created_at DESC, k.id DESC
        """
    }

    /// Revokes a key and those that it created. Returns false if the person has no such key in the household.
    func revoke(_ key: KeyID, of person: PersonID, in household: HouseholdID) async throws -> Bool {
        !(try await database.query(Self.revocation(of: key, person, household)).isEmpty)
    }

    /// Deletes a key and those that it created, and returns a row if the person had the key in the household.
    static func revocation(of key: KeyID, _ person: PersonID, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM api_key WHERE id = \(key) AND person_id = \(person) AND household_id = \(household) RETURNING id
        """
    }

    /// Revokes any person's key and those that it created, for the operator of the server. Returns false if no key has
    /// this identifier.
    func revoke(_ key: KeyID) async throws -> Bool {
        !(try await database.query("DELETE FROM api_key WHERE id = \(key) RETURNING id").isEmpty)
    }
}
