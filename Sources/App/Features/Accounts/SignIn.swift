import Crypto
import Domain
import HTTP
import Postgres

/// Verifies passwords: one hash evaluation in every case, and delays that grow with failures.
struct SignIn: Sendable {
    let database: Database
    let sessions: Sessions
    let passwords: PasswordHasher

    enum Outcome: Sendable {
        /// Cookies of the session and of the device.
        case signedIn(SetCookie, device: SetCookie)
        /// Unknown name or wrong password; the answer does not tell which.
        case wrong
        /// Too many failures; nothing was evaluated. Seconds until the next try is evaluated.
        case blocked(seconds: Int)
    }

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
            // Such a password cannot have been chosen: empty, or too long.
            guard password.isEmpty else { throw Refusal.badRequest }
            return .wrong
        }
        let known = try await KnownDevice.find(device, login: login, database)
        let throttle = SignInThrottle(database: database, login: login, network: network, device: known)
        if let seconds = try await throttle.secondsBlocked() { return .blocked(seconds: seconds) }
        let candidate = try await candidate(login)
        // An unknown name takes the same time: the password is compared with a dummy hash.
        let isRight = try await verify(password, candidate?.hash, throttle)
        guard isRight, let candidate else {
            try await throttle.failed()
            return .wrong
        }
        let rehashed = candidate.hash.needsRehash(passwords.cost) ? try await passwords.hash(password) : nil
        guard let cookies = try await begin(candidate, rehashed, client: client, device: device) else {
            // The password was changed after it was verified.
            try await throttle.failed()
            return .wrong
        }
        try await throttle.succeeded()
        return .signedIn(cookies.session, device: cookies.device)
    }

    /// Begins a session, bound to the hash that was verified. Returns nil if the person has another one by now.
    private func begin(
        _ candidate: Candidate, _ rehashed: PasswordHash?, client: String, device: Token?
    ) async throws -> (session: SetCookie, device: SetCookie)? {
        let (person, verified) = (candidate.person, candidate.hash.encoded)
        return try await database.transaction { transaction in
            let keeps = try await transaction.query("SELECT keeps_password(\(person), \(verified))").first(Bool.self)
            guard keeps == true else { return nil }
            if let rehashed {
                try await transaction.query(
                    "SELECT replace_password(\(person), \(verified), \(rehashed.encoded), false)")
            }
            return (
                try await sessions.begin(person, in: candidate.household, client: client, transaction),
                try await KnownDevice.remember(device, person, transaction)
            )
        }
    }

    enum Confirmation: Sendable {
        /// The hash that was verified.
        case right(PasswordHash)
        case wrong
        /// Too many failures; nothing was evaluated. Seconds until the next try is evaluated.
        case blocked(seconds: Int)
    }

    /// Verifies the password of a person who is signed in, for changes that ask for it again. Failures are counted, so
    /// that an unattended session cannot be used to guess.
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
            try await throttle.failed()
            return .wrong
        }
        try await throttle.succeeded()
        return .right(hash)
    }

    /// Replaces a verified password and ends the person's other sessions. Returns false if it was changed meanwhile.
    func change(
        _ verified: PasswordHash, to password: Password, _ person: PersonID, keeping session: SessionID
    ) async throws -> Bool {
        let replacement = try await passwords.hash(password)
        return try await database.transaction { transaction in
            let isReplaced = try await transaction.query(
                "SELECT replace_password(\(person), \(verified.encoded), \(replacement.encoded), true)"
            ).first(Bool.self)
            guard isReplaced == true else { return false }
            // Runs after the row is locked: it also ends sessions that began with the old password meanwhile.
            try await transaction.query("DELETE FROM session WHERE person_id = \(person) AND id <> \(session)")
            return true
        }
    }

    private func verify(_ password: Password, _ hash: PasswordHash?, _ throttle: SignInThrottle) async throws -> Bool {
        do {
            return try await passwords.verify(password, hash)
        } catch {
            // Nothing was evaluated, so nothing is counted.
            try await throttle.withdraw()
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
