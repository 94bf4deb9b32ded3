import Crypto
import Domain
import HTTP
import Postgres

/// Creates people and households.
struct Accounts: Sendable {
    let database: Database
    let sessions: Sessions
    let invitations: Invitations
    let passwords: PasswordHasher

    /// Creates a household, its owner, its categories and a session. Marks the invitation as used. All changes are one
    /// transaction.
    ///
    /// - Parameter client: the browser, as `Client.name` describes it.
    func setUp(
        _ form: AccountForm, _ password: Password, _ invitation: OpenInvitation, language: Language, client: String
    ) async throws -> SetCookie {
        let hash = try await passwords.hash(password)
        let household = HouseholdID.new()
        return try await database.pool.transaction(household: household) { transaction in
            guard try await invitations.markUsed(invitation, transaction) else { throw AccountError.invitationUsed }
            let person = try await insertPerson(form, hash, language, transaction)
            try await transaction.query(
                """
                INSERT INTO household (id, name, digest_key)
                VALUES (\(household), \(form.household), \(Random.bytes(32)))
                """)
            try await insertMembership(person, household, .owner, transaction)
            let changes = try await HouseholdTransaction(
                transaction, household: household, person: person, operation: .new())
            try await DefaultCategories.insert(language, changes)
            try await changes.query(batch: PersonPreferences.writing(language, of: person, household))
            changes.changed(.preferences, person)
            _ = try await changes.appendToLog()
            return try await sessions.begin(person, in: household, client: client, transaction)
        }
    }

    /// Creates a person, a membership in the household of the invitation, and a session. Marks the invitation as used.
    /// All changes are one transaction.
    ///
    /// - Parameter client: the browser, as `Client.name` describes it.
    func join(
        _ form: AccountForm, _ password: Password, _ invitation: OpenInvitation, household: HouseholdID,
        language: Language, client: String
    ) async throws -> SetCookie {
        let hash = try await passwords.hash(password)
        return try await database.pool.transaction(household: household) { transaction in
            guard try await invitations.markUsed(invitation, transaction) else { throw AccountError.invitationUsed }
            let person = try await insertPerson(form, hash, language, transaction)
            try await insertMembership(person, household, invitation.role, transaction)
            let changes = try await HouseholdTransaction(
                transaction, household: household, person: nil, operation: .new())
            try await changes.query(batch: PersonPreferences.writing(language, of: person, household))
            changes.changed(.preferences, person)
            _ = try await changes.appendToLog()
            return try await sessions.begin(person, in: household, client: client, transaction)
        }
    }

    private func insertPerson(
        _ form: AccountForm, _ hash: PasswordHash, _ language: Language, _ transaction: Transaction
    ) async throws -> PersonID {
        let person = PersonID.new()
        _ = try await onConstraint(["person_login_key": AccountError.loginTaken]) {
            try await transaction.query(
                """
                INSERT INTO person (id, login, name, password_hash, language)
                VALUES (\(person), \(form.email), \(form.name), \(hash.encoded), \(language))
                """)
        }
        return person
    }

    private func insertMembership(
        _ person: PersonID, _ household: HouseholdID, _ role: Member.Role, _ transaction: Transaction
    ) async throws {
        try await transaction.query(
            "INSERT INTO membership (household_id, person_id, role) VALUES (\(household), \(person), \(role))")
    }
}
