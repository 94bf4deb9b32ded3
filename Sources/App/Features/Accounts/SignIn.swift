import Crypto
import Domain
import HTTP
import Postgres

/// Verifies passwords. Computes a hash even for an unknown e-mail address, and delays attempts after failures.
struct SignIn: Sendable {
    let database: Database
    let sessions: Sessions
    let passwords: PasswordHasher

    /// The result of a sign-in attempt.
    enum Outcome: Sendable {
        /// The cookies of the session and the device.
        case signedIn(SetCookie, device: SetCookie)
        /// Unknown e-mail address or wrong password; the response does not say which.
        case wrong
        /// Too many failures; the password was not verified. Seconds until the next attempt is verified.
        case blocked(seconds: Int)
    }

    /// The person with the entered login, and the household that signing in opens.
    private struct Candidate {
        let person: PersonID
        let household: HouseholdID
        let hash: PasswordHash
    }

    /// - Parameter device: the token of the device cookie.
    func attempt(
        login: String, password: String, from network: PeerAddress.Network, client: String, device: Token? = nil
    ) async throws -> Outcome {
        guard let password = Password(entered: password) else {
            // The empty password is the only invalid password that the form can send.
            guard password.isEmpty else { throw Refusal.badRequest }
            return .wrong
        }
        let known = try await KnownDevice.find(device, login: login, database)
        let throttle = SignInThrottle(database: database, login: login, network: network, device: known)
        if let seconds = try await throttle.secondsBlocked() { return .blocked(seconds: seconds) }
        let candidate = try await candidate(login)
        // For an unknown e-mail address, verify against a dummy hash, so that the response takes the same time.
        let isRight = try await verify(password, candidate?.hash, throttle)
        guard isRight, let candidate else {
            try await throttle.recordFailure()
            return .wrong
        }
        let rehashed = candidate.hash.needsRehash(passwords.cost) ? try await passwords.hash(password) : nil
        guard let cookies = try await begin(candidate, rehashed, client: client, device: device) else {
            // The password was changed, or the account was deleted, after the password was verified.
            try await throttle.recordFailure()
            return .wrong
        }
        try await throttle.recordSuccess()
        return .signedIn(cookies.session, device: cookies.device)
    }

    /// Begins a session if the verified hash is still the person's current one, and the person still has a household;
    /// otherwise returns nil.
    private func begin(
        _ candidate: Candidate, _ rehashed: PasswordHash?, client: String, device: Token?
    ) async throws -> (session: SetCookie, device: SetCookie)? {
        let (person, verified) = (candidate.person, candidate.hash.encoded)
        return try await database.transaction { transaction in
            // The person may have left the household after the password was read; the session then opens another
            // household. The lock delays a removal of the person until the session exists, so that the removal ends the
            // session. Removals lock the rows in the same order.
            let household = try await transaction.query(
                """
                SELECT household_id FROM membership WHERE person_id = \(person)
                ORDER BY household_id <> \(candidate.household), joined_at LIMIT 1 FOR KEY SHARE
                """
            ).first(HouseholdID.self)
            let isCurrent = try await transaction.query("SELECT keeps_password(\(person), \(verified))").first(
                Bool.self)
            guard let household, isCurrent == true else { return nil }
            if let rehashed {
                try await transaction.query(
                    "SELECT replace_password(\(person), \(verified), \(rehashed.encoded), false)")
            }
            return (
                try await sessions.begin(person, in: household, client: client, transaction),
                try await KnownDevice.remember(device, person, transaction)
            )
        }
    }

    /// The result of asking a signed-in person for the password.
    enum Confirmation: Sendable {
        /// The verified hash.
        case right(PasswordHash)
        case wrong
        /// Too many failures; the password was not verified. Seconds until the next attempt is verified.
        case blocked(seconds: Int)
    }

    /// Verifies the password of a signed-in person, for changes that require it. Counts failures, so that nobody can
    /// guess passwords in an unattended session.
    func confirm(
        _ password: String, _ person: PersonID, from network: PeerAddress.Network
    ) async throws -> Confirmation {
        guard let password = Password(entered: password) else { return .wrong }
        let rows = try await database.read("SELECT password_of_person(\(person))")
        guard let encoded = try rows.first(String?.self) ?? nil else { throw Refusal.notFound }
        let hash = PasswordHash(encoded: encoded)
        let throttle = SignInThrottle(database: database, person: person, network: network)
        if let seconds = try await throttle.secondsBlocked() { return .blocked(seconds: seconds) }
        guard try await verify(password, hash, throttle) else {
            try await throttle.recordFailure()
            return .wrong
        }
        try await throttle.recordSuccess()
        return .right(hash)
    }

    /// Replaces the e-mail address of a person whose password was verified. Returns false if the password has changed
    /// in the meantime.
    ///
    /// - Throws: `AccountError.loginTaken`.
    func changeLogin(_ verified: PasswordHash, to login: String, _ person: PersonID) async throws -> Bool {
        try await onConstraint(["person_login_key": AccountError.loginTaken]) {
            try await database.transaction { transaction in
                let isCurrent = try await transaction.query(
                    "SELECT keeps_password(\(person), \(verified.encoded))"
                ).first(Bool.self)
                guard isCurrent == true else { return false }
                // A person without a membership may not reserve an address.
                try await transaction.query(
                    """
                    UPDATE person SET login = \(login) WHERE id = \(person)
                        AND EXISTS (SELECT 1 FROM membership m WHERE m.person_id = person.id)
                    """)
                return true
            }
        }
    }

    /// Replaces a verified password, and ends the person's other sessions and links for setting a password. Returns
    /// false if the password has changed in the meantime.
    ///
    /// - Parameter revokesKeys: whether it also revokes the person's API keys, in all households.
    func change(
        _ verified: PasswordHash, to password: Password, _ person: PersonID, keeping session: SessionID,
        revokesKeys: Bool
    ) async throws -> Bool {
        let replacement = try await passwords.hash(password)
        return try await database.transaction { transaction in
            let isReplaced = try await transaction.query(
                "SELECT replace_password(\(person), \(verified.encoded), \(replacement.encoded), true)"
            ).first(Bool.self)
            guard isReplaced == true else { return false }
            // The row is locked now, so this also ends sessions that began with the old password in the meantime.
            try await transaction.query(batch: [
                "DELETE FROM session WHERE person_id = \(person) AND id <> \(session)",
                "DELETE FROM password_reset WHERE person_id = \(person)",
            ])
            if revokesKeys { try await transaction.query("DELETE FROM api_key WHERE person_id = \(person)") }
            return true
        }
    }

    /// Verifies a password. If the hasher throws, the attempt does not count as a failure.
    private func verify(_ password: Password, _ hash: PasswordHash?, _ throttle: SignInThrottle) async throws -> Bool {
        do {
            return try await passwords.verify(password, hash)
        } catch {
            // Nothing was verified, so nothing is counted.
            try await throttle.withdrawAttempt()
            throw error
        }
    }

    private func candidate(_ login: String) async throws -> Candidate? {
        let rows = try await database.read(
            "SELECT person_id, household_id, password_hash FROM password_of_login(\(login))")
        guard let (person, household, hash) = try rows.first((PersonID, HouseholdID, String).self) else { return nil }
        return Candidate(person: person, household: household, hash: PasswordHash(encoded: hash))
    }
}
