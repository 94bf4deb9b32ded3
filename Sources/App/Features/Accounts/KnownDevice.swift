import Crypto
import Domain
import HTTP
import Postgres

/// A device on which a person has signed in before, recognised by a cookie that outlives the session (OWASP, "device
/// cookies").
///
/// The cookie does not sign anybody in. It only gives failed sign-ins on the device a separate counter.
struct KnownDevice: Sendable {
    static let cookie = "device"
    /// A device is forgotten after this many days without use.
    static let idleDays: Int64 = 400
    /// The maximum number of devices per person; the least recently used ones are forgotten.
    private static let maximum: Int64 = 50

    let tokenHash: [UInt8]

    /// The token in the request's device cookie, if any.
    static func token(_ head: RequestHead) -> Token? { head.cookie("__Host-" + cookie).flatMap(Token.init) }

    /// Returns the device if the person with this login has signed in on it.
    static func find(_ token: Token?, login: String, _ database: Database) async throws -> KnownDevice? {
        guard let hash = token?.hash else { return nil }
        let rows = try await database.read(
            """
            SELECT 1 FROM known_device d JOIN person p ON p.id = d.person_id
            WHERE d.token_hash = \(hash) AND p.login = \(login)
            """)
        return rows.isEmpty ? nil : KnownDevice(tokenHash: hash)
    }

    /// Stores that the person has signed in on the device. Uses a new token if `token` is not stored.
    ///
    /// - Returns: the device cookie.
    static func remember(
        _ token: Token?, _ person: PersonID, _ transaction: Transaction
    ) async throws -> SetCookie {
        var cookieToken = Token.random()
        if let token,
            try await !transaction.query("SELECT 1 FROM known_device WHERE token_hash = \(token.hash) LIMIT 1").isEmpty
        {
            cookieToken = token
        }
        try await transaction.query(batch: [
            """
            INSERT INTO known_device (token_hash, person_id) VALUES (\(cookieToken.hash), \(person))
            ON CONFLICT (token_hash, person_id) DO UPDATE SET used_at = now()
            """,
            """
            DELETE FROM known_device WHERE person_id = \(person) AND token_hash IN (
                SELECT token_hash FROM known_device WHERE person_id = \(person)
                ORDER BY used_at DESC, token_hash OFFSET \(Self.maximum))
            """,
        ])
        return SetCookie(host: cookie, value: cookieToken.secret, maxAge: Int(idleDays) * 86_400, sameSite: .strict)
    }
}
