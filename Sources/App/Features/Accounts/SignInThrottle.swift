import Crypto
import HTTP
import Postgres

/// Delays after failed sign-ins, counted for the name and for the network they come from.
///
/// Who is signed in already is never locked out: only new evaluations wait. The name's count waits at most a minute, so
/// that a stranger cannot keep somebody out; the network's (IPv6 by /64) grows to an hour.
struct SignInThrottle: Sendable {
    private let database: Database
    private let name: [UInt8]
    private let network: [UInt8]

    init(database: Database, login: String, network: PeerAddress.Network) {
        self.database = database
        name = sha256("name \(login)".utf8)
        self.network = sha256("network \(network)".utf8)
    }

    /// Nil when a try may be made now. It is counted as failed for the name before anything is evaluated, so that many
    /// at once get no further than one after the other; ``succeeded()`` and ``withdraw()`` take that back.
    func secondsBlocked() async throws -> Int? {
        if let seconds = try await seconds(of: [name, network]) { return seconds }
        let counted = try await database.query(
            """
            \(Self.counting(name, free: 5, limit: 60)) WHERE f.blocked_until <= clock_timestamp() RETURNING 1
            """)
        guard counted.isEmpty else { return nil }
        // Others' tries were counted meanwhile.
        return try await seconds(of: [name]) ?? 1
    }

    private func seconds(of subjects: [[UInt8]]) async throws -> Int? {
        let rows = try await database.read(
            """
            SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::bigint FROM sign_in_failure
            WHERE subject = ANY(\(subjects)) AND blocked_until > now()
            """)
        return try rows.first.flatMap { try $0[0, as: Int64?.self] }.map { Int(max(1, $0)) }
    }

    /// The name was counted when the try began.
    func failed() async throws {
        try await database.query(batch: [
            Self.counting(network, free: 20, limit: 3600),
            "DELETE FROM sign_in_failure WHERE last_at < now() - interval '1 day'",
        ])
    }

    /// The right password clears the name's count; the network's stays, it may be trying others.
    func succeeded() async throws {
        try await database.query("DELETE FROM sign_in_failure WHERE subject = \(name)")
    }

    /// Nothing was evaluated after all.
    func withdraw() async throws {
        try await database.query(
            """
            UPDATE sign_in_failure SET failures = failures - 1, blocked_until = now()
            WHERE subject = \(name) AND failures > 0
            """)
    }

    /// The first `free` failures wait for nothing, the next ones 1, 2, 4 … seconds up to `limit`. An hour of peace
    /// begins the count anew.
    private static func counting(_ subject: [UInt8], free: Int32, limit: Int32) -> SQL {
        """
        INSERT INTO sign_in_failure AS f (subject, failures, blocked_until) VALUES (\(subject), 1, now())
        ON CONFLICT (subject) DO UPDATE SET
            failures = CASE WHEN f.last_at < now() - interval '1 hour' THEN 1 ELSE f.failures + 1 END,
            blocked_until = CASE WHEN f.last_at < now() - interval '1 hour' OR f.failures < \(free) THEN now()
                ELSE now() + least(\(limit), power(2, least(f.failures - \(free), 20))) * interval '1 second' END,
            last_at = now()
        """
    }
}
