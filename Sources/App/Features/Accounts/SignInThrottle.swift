import Crypto
import Domain
import HTTP
import Postgres

/// Delays attempts after failed sign-ins, counted per account and per network.
///
/// The account's delay is at most a minute, so that strangers cannot lock the owner out for long. The network's delay
/// (IPv6 by /64) grows to an hour, and blocked attempts count towards it. For a device on which the person has signed
/// in before, a separate counter replaces those of the account and the network. Existing sessions are never blocked.
struct SignInThrottle: Sendable {
    private let database: Database
    /// The key of the counter of the account, or of the account on a known device.
    private let account: [UInt8]
    /// Nil for a known device.
    private let network: [UInt8]?

    init(database: Database, login: String, network: PeerAddress.Network, device: KnownDevice?) {
        self.database = database
        if let device {
            account = sha256("device \(Hexadecimal.encode(device.tokenHash)) \(login)".utf8)
            self.network = nil
        } else {
            account = sha256("name \(login)".utf8)
            self.network = sha256("network \(network)".utf8)
        }
    }

    /// For a signed-in person. Uses another counter for the account than the sign-in page.
    init(database: Database, person: PersonID, network: PeerAddress.Network) {
        self.database = database
        account = sha256("person \(person)".utf8)
        self.network = sha256("network \(network)".utf8)
    }

    /// Returns the seconds until a password may be verified; nil if it may be verified now. A call that returns nil has
    /// counted the attempt as a failure of the account, so that simultaneous attempts are delayed like successive ones.
    /// ``recordSuccess()`` and ``withdrawAttempt()`` undo this count.
    func secondsBlocked() async throws -> Int? {
        if let seconds = try await seconds(of: [account] + (network.map { [$0] } ?? [])) {
            try await countForNetwork()
            return seconds
        }
        let counted = try await database.query(
            """
            \(Self.countingFailure(account, free: 5, limit: 60)) WHERE f.blocked_until <= clock_timestamp() RETURNING 1
            """)
        guard counted.isEmpty else { return nil }
        // A simultaneous attempt was counted first and blocks this one.
        try await countForNetwork()
        return try await seconds(of: [account]) ?? 1
    }

    /// Counts an unknown API key for its network, separately from sign-ins. Returns the network's remaining delay in
    /// seconds.
    static func countUnknownKey(from network: PeerAddress.Network, _ database: Database) async throws -> Int? {
        let subject = sha256("key network \(network)".utf8)
        let blocked = try await seconds(of: [subject], database)
        try await database.query(countingFailure(subject, free: 20, limit: 3600))
        return blocked
    }

    /// The longest remaining delay of these counters in seconds; nil if none is blocked.
    private func seconds(of subjects: [[UInt8]]) async throws -> Int? {
        try await Self.seconds(of: subjects, database)
    }

    private static func seconds(of subjects: [[UInt8]], _ database: Database) async throws -> Int? {
        let rows = try await database.read(
            """
            SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::bigint FROM sign_in_failure
            WHERE subject = ANY(\(subjects)) AND blocked_until > now()
            """)
        return try rows.first.flatMap { try $0[0, as: Int64?.self] }.map { Int(max(1, $0)) }
    }

    /// Counts a failure for the network, unless the device is known.
    private func countForNetwork() async throws {
        guard let network else { return }
        try await database.query(Self.countingFailure(network, free: 20, limit: 3600))
    }

    /// Counts the failure for the network; the account's failure was counted in advance.
    func recordFailure() async throws {
        try await countForNetwork()
        try await database.query("DELETE FROM sign_in_failure WHERE last_at < now() - interval '1 day'")
    }

    /// Resets the account's counter. The network's counter remains, because the network may be attacking other
    /// accounts.
    func recordSuccess() async throws {
        try await database.query("DELETE FROM sign_in_failure WHERE subject = \(account)")
    }

    /// Undoes the count of an attempt that was not verified.
    func withdrawAttempt() async throws {
        try await database.query(
            """
            UPDATE sign_in_failure SET failures = failures - 1, blocked_until = now()
            WHERE subject = \(account) AND failures > 0
            """)
    }

    /// Returns a statement that counts a failure. The first `free` failures cause no delay, the next ones 1, 2, 4 …
    /// seconds up to `limit`. An hour without failures resets the counter.
    private static func countingFailure(_ subject: [UInt8], free: Int32, limit: Int32) -> SQL {
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
