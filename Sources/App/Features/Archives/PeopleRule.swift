import Archive
import Domain
import JSON
import Postgres

/// How to treat the people in an archive when its household is restored into an installation that has other people.
enum PeopleRule: Sendable {
    /// For the operator: people are matched by e-mail address with people of the installation. Others are created
    /// without a password. All keep their roles.
    case byLogin
    /// For an owner in the web app: only people of the owner's own household are matched. A restore therefore neither
    /// reveals other accounts nor adds them as members. Others are created without an e-mail address. Only the owner
    /// becomes a member of the restored household.
    case household(HouseholdID, owner: PersonID)

    /// Matches archived people with people of this installation. Unmatched people get new identifiers, and are not
    /// stored yet.
    func match(_ people: [ArchivedPeople.Person], _ transaction: Transaction) async throws -> [RestoredPerson] {
        let known = try await find(people.filter { !$0.isFormer }.map(\.login), transaction)
        return people.map { person in
            let found = person.isFormer ? nil : known[person.login]
            var kind = found == nil ? RestoredPerson.Kind.former : .known
            if case .byLogin = self, found == nil, !person.isFormer { kind = .created }
            return RestoredPerson(
                archived: person.id, id: found ?? .new(), name: person.name, login: person.login,
                language: person.json["language"]?.string ?? "", kind: kind)
        }
    }

    /// Whether new people are stored only when a row refers to them. Otherwise an owner could create any number of
    /// people with an archive.
    var storesOnlyReferences: Bool {
        switch self {
        case .byLogin: false
        case .household: true
        }
    }

    /// Stores new people.
    static func insert(_ people: [RestoredPerson], _ transaction: Transaction) async throws {
        guard !people.isEmpty else { return }
        let logins = people.map {
            $0.kind == .created ? $0.login : "\(ArchivedPeople.Person.formerLogin)\($0.id)"
        }
        try await transaction.query(
            """
            INSERT INTO person (id, login, name, password_hash, language)
            SELECT n.id, n.login, n.name, \(ArchivedPeople.noPassword), n.language
            FROM unnest(\(people.map(\.id))::uuid[], \(logins)::text[], \(people.map(\.name))::text[],
                \(people.map(\.language))::text[]) AS n (id, login, name, language)
            """)
    }

    /// Converts an archived row of `membership` to the row to insert. The identifiers in the row are already replaced.
    /// Returns nil if the person does not become a member.
    ///
    /// The membership starts now. Signing in opens the household that the person joined first, which is still the
    /// original household.
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

    /// Returns the people of this installation, or of the owner's household, by their logins.
    private func find(_ logins: [String], _ transaction: Transaction) async throws -> [String: PersonID] {
        let query: SQL =
            switch self {
            case .byLogin: "SELECT login, id FROM person WHERE login = ANY(\(logins))"
            case .household(let household, _):
                """
                SELECT p.login, p.id FROM person p JOIN membership m ON m.person_id = p.id
                WHERE m.household_id = \(household) AND p.login = ANY(\(logins))
                """
            }
        let found = try await transaction.query(query).decode((String, PersonID).self)
        return Dictionary(found.map { ($0.0, $0.1) }) { first, _ in first }
    }
}
