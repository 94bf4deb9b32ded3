import Crypto
import Domain
import HTTP
import Postgres

/// Proving who somebody is: one hash evaluation on every path, and delays that grow with failures.
struct SignIn: Sendable {
    let database: Database
    let sessions: Sessions
    let passwords: PasswordHasher

    enum Outcome: Sendable {
        case signedIn(SetCookie)
        /// Unknown name or wrong password: not told which.
        case wrong
        /// Too many failures; nothing was evaluated. Seconds until the next try counts.
        case blocked(seconds: Int)
    }

    private struct Candidate {
        let person: PersonID
        let household: HouseholdID
        let hash: PasswordHash
    }

    func attempt(
        login: String, password: String, from network: PeerAddress.Network, client: String
    ) async throws -> Outcome {
        let throttle = SignInThrottle(database: database, login: login, network: network)
        guard let password = Password(entered: password) else {
            // Nobody can have chosen it: empty, or longer than any.
            guard password.isEmpty else { throw Refusal.badRequest }
            return .wrong
        }
        if let seconds = try await throttle.secondsBlocked() { return .blocked(seconds: seconds) }
        let candidate = try await candidate(login)
        // An unknown name costs the same evaluation, against a hash that nothing matches.
        let isRight = try await verify(password, candidate?.hash, throttle)
        guard isRight, let candidate else {
            try await throttle.failed()
            return .wrong
        }
        let rehashed = candidate.hash.needsRehash() ? try await passwords.hash(password) : nil
        let cookie = try await database.transaction { transaction in
            if let rehashed {
                try await transaction.query(
                    "UPDATE person SET password_hash = \(rehashed.encoded) WHERE id = \(candidate.person)")
            }
            return try await sessions.begin(candidate.person, in: candidate.household, client: client, transaction)
        }
        try await throttle.succeeded()
        return .signedIn(cookie)
    }

    enum Confirmation: Sendable {
        case right, wrong
        /// Too many failures; nothing was evaluated. Seconds until the next try counts.
        case blocked(seconds: Int)
    }

    /// Whether `password` is this person's, for changes that ask for it again: counted like a sign-in, so that a session
    /// left open is no way to guess.
    func confirm(
        _ password: String, _ person: PersonID, from network: PeerAddress.Network
    ) async throws -> Confirmation {
        guard let password = Password(entered: password) else { return .wrong }
        let rows = try await database.read("SELECT login, password_hash FROM person WHERE id = \(person)")
        guard let (login, hash) = try rows.first((String, String).self) else { throw Refusal.notFound }
        let throttle = SignInThrottle(database: database, login: login, network: network)
        if let seconds = try await throttle.secondsBlocked() { return .blocked(seconds: seconds) }
        guard try await verify(password, PasswordHash(encoded: hash), throttle) else {
            try await throttle.failed()
            return .wrong
        }
        try await throttle.succeeded()
        return .right
    }

    private func verify(_ password: Password, _ hash: PasswordHash?, _ throttle: SignInThrottle) async throws -> Bool {
        do {
            return try await passwords.verify(password, hash)
        } catch {
            // Too many at the door: no try of theirs.
            try await throttle.withdraw()
            throw error
        }
    }

    private func candidate(_ login: String) async throws -> Candidate? {
        let rows = try await database.read(
            """
            SELECT p.id, m.household_id, p.password_hash FROM person p
            JOIN membership m ON m.person_id = p.id
            WHERE p.login = \(login) ORDER BY m.joined_at LIMIT 1
            """)
        guard let (person, household, hash) = try rows.first((PersonID, HouseholdID, String).self) else { return nil }
        return Candidate(person: person, household: household, hash: PasswordHash(encoded: hash))
    }
}
