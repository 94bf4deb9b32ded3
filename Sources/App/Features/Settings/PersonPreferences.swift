import Domain
import Postgres

/// Writes a person's preferences. Logs the change for sync clients.
enum PersonPreferences {
    /// Sets the language and, unless it is nil, the name of a member.
    static func set(_ language: Language, name: String? = nil, of member: Member, _ database: Database) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await changes.query(batch: writing(language, of: member.person, member.household))
            if let name { try await changes.query("UPDATE person SET name = \(name) WHERE id = \(member.person)") }
            changes.changed(.preferences, member.person)
        }
    }

    /// Statements that set the language. The caller must log the changed document.
    static func writing(_ language: Language, of person: PersonID, _ household: HouseholdID) -> [SQL] {
        [
            "UPDATE person SET language = \(language) WHERE id = \(person)",
            """
            INSERT INTO preferences AS p (household_id, id, language) VALUES (\(household), \(person), \(language))
            ON CONFLICT (household_id, id) DO UPDATE SET language = excluded.language, revision = p.revision + 1
            """,
        ]
    }
}
