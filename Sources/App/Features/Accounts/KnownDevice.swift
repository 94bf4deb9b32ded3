import Crypto
import Domain
import HTTP
import Postgres

/// A device on which a person has signed in before, by a cookie that survives signing out (OWASP, "device cookies").
///
/// It proves nothing by itself: it only gives failed sign-ins a count of their own.
struct KnownDevice: Sendable {
    static let cookie = "device"
    /// A device that is not used for this time is forgotten; in days.
    static let idleDays: Int64 = 400
    /// Devices kept for a person; the least recently used ones are forgotten.
    private static let maximum: Int64 = 50

    let tokenHash: [UInt8]

    /// The token of the request's device cookie, if it has one.
    static func token(_ head: RequestHead) -> Token? { head.cookie("__Host-" + cookie).flatMap(Token.init) }

    /// Finds the device if the owner of the login has signed in on it.
    static func find(_ token: Token?, login: String, _ database: Database) async throws -> KnownDevice? {
        guard let hash = token?.hash else { return nil }
        let rows = try await database.read(
            """
            SELECT 1 FROM known_device d JOIN person p ON p.id = d.person_id
            WHERE d.token_hash = \(hash) AND p.login = \(login)
            """)
        return rows.isEmpty ? nil : KnownDevice(tokenHash: hash)
    }

    /// Stores that the person has signed in on the device. A token that this server did not make is replaced.
    ///
    /// - Returns: the cookie to set.
    static func remember(
        _ token: Token?, _ person: PersonID, _ transaction: Transaction
    ) async throws -> SetCookie {
        var kept = Token.random()
        if let token,
            try await !transaction.query("SELECT 1 FROM known_device WHERE token_hash = \(token.hash) LIMIT 1").isEmpty
        {
            kept = token
        }
        try await transaction.query(batch: [
            """
            INSERT INTO known_device (token_hash, person_id) VALUES (\(kept.hash), \(person))
            ON CONFLICT (token_hash, person_id) DO UPDATE SET used_at = now()
            """,
            """
            DELETE FROM known_device WHERE person_id = \(person) AND token_hash IN (
                SELECT token_hash FROM known_device WHERE person_id = \(person)
                ORDER BY used_at DESC, token_hash OFFSET \(Self.maximum))
            """,
        ])
        return SetCookie(host: cookie, value: kept.secret, maxAge: Int(idleDays) * 86_400, sameSite: .strict)
    }
}
