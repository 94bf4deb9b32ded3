import Archive
import Domain
import JSON
import Postgres

/// How to treat the people in an archive when its household is restored into an installation that has other people.
enum PeopleRule: Sendable {
    /// For the operator: people are matched by e-mail address with people of the installation. Others are created
    /// without a password. All keep their roles.
    case byLogin
    /// For an owner in the web app: only people of the owner's own household are matched, so that a restore neither
    /// reveals other accounts nor adds them as members. Others are created without an e-mail address. Only the owner
    /// becomes a member of the restored household.
    case household(HouseholdID, owner: PersonID)

    func restore(_ person: ArchivedPeople.Person, _ transaction: Transaction) async throws -> RestoredPerson {
        if !person.isFormer, let known = try await find(person, transaction) {
            return RestoredPerson(archived: person.id, id: known, name: person.name, login: person.login, kind: .known)
        }
        let id = PersonID.new()
        var kind = RestoredPerson.Kind.former
        if case .byLogin = self, !person.isFormer { kind = .created }
        let login = kind == .created ? person.login : "\(ArchivedPeople.Person.formerLogin)\(id)"
        let language = person.json["language"]?.string ?? ""
        try await transaction.query(
            """
            INSERT INTO person (id, login, name, password_hash, language)
            VALUES (\(id), \(login), \(person.name), \(ArchivedPeople.noPassword), \(language))
            """)
        return RestoredPerson(archived: person.id, id: id, name: person.name, login: person.login, kind: kind)
    }

    /// Converts an archived row of `membership`, in which the identifiers are already replaced, to the row to insert;
    /// nil if the person does not become a member.
    ///
    /// The membership starts now, so that people still sign in to their original household.
    func membership(_ row: JSONObject) -> JSONObject? {
        var row = row
        row["joined_at"] = "now"
        switch self {
        case .byLogin: return row
        case .household(_, let owner):
            guard row["person_id"]?.string == owner.description else { return nil }
            row["role"] = .string(Member.Role.owner.rawValue)
            return row
        }
    }

    /// Whether a person becomes a member of the restored household.
    ///
    /// - Parameter person: the new identifier.
    func makesMember(_ person: String) -> Bool {
        switch self {
        case .byLogin: true
        case .household(_, let owner): person == owner.description
        }
    }

    private func find(_ person: ArchivedPeople.Person, _ transaction: Transaction) async throws -> PersonID? {
        switch self {
        case .byLogin:
            try await transaction.query("SELECT id FROM person WHERE login = \(person.login)").first(PersonID.self)
        case .household(let household, _):
            try await transaction.query(
                """
                SELECT p.id FROM person p JOIN membership m ON m.person_id = p.id
                WHERE m.household_id = \(household) AND p.login = \(person.login)
                """
            ).first(PersonID.self)
        }
    }
}
