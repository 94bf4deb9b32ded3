import Domain
import Postgres

/// Chooses the uploader of files that arrive without a session: from a watched folder or by e-mail.
enum UploaderChoice {
    /// Returns the owner who joined the household first; nil if it has no owner.
    static func owner(of household: HouseholdID, _ database: Database) async throws -> Member? {
        try await first("m.household_id = \(household) AND m.role = 'owner'", database)
    }

    /// Returns the member with this e-mail address. If the person belongs to several households, returns the membership
    /// in the first joined household to which the person may write; nil if there is none.
    static func sender(_ address: String, _ database: Database) async throws -> Member? {
        try await first("p.login = \(address) AND m.role <> 'viewer'", database)
    }

    private static func first(_ condition: SQL, _ database: Database) async throws -> Member? {
        let rows = try await database.query(
            """
            SELECT m.household_id, p.id, p.name, m.role, p.language FROM membership m JOIN person p ON p.id = m.person_id
            WHERE \(condition) ORDER BY m.joined_at, m.household_id LIMIT 1
            """)
        guard let row = rows.first else { return nil }
        let (household, person, name, role, language) = try row.decode(
            (HouseholdID, PersonID, String, Member.Role, Language).self)
        return Member(
            household: household, person: person, name: name, role: role, language: language, country: .austria,
            zone: nil,
            session: .new(), csrfSecret: [])
    }
}
