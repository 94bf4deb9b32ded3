import Archive
import Domain
import JSON
import Postgres

/// The people in an archive: all people of the installation, or those to whom rows of the household refer.
enum ArchivedPeople {
    /// The columns of `person` that every archive contains. An archive of the whole installation also has
    /// `password_hash`.
    static let columns = ["id", "login", "name", "language", "created_at", "password_changed_at"]

    /// Reads the people as JSON documents, sorted by id.
    static func read(_ head: ArchiveHead, _ transaction: Transaction) async throws -> [String] {
        let document: SQL = """
            jsonb_build_object('id', p.id, 'login', p.login, 'name', p.name, 'language', p.language,
                'created_at', p.created_at, 'password_changed_at', p.password_changed_at)
            """
        switch head.scope {
        case .installation:
            return try await transaction.query(
                """
                SELECT (\(document) || jsonb_build_object('password_hash', password_of_person(p.id)))::text
                FROM person p ORDER BY p.id
                """
            ).decode(String.self)
        case .household:
            guard let household = head.households.first?.id else { return [] }
            try await transaction.query(ArchiveExport.settingHousehold(household))
            var references: SQL = "SELECT person_id FROM membership WHERE household_id = \(household)"
            for (table, column) in try await Self.references(transaction) {
                references.append(
                    SQL(uncheckedText: " UNION SELECT \(column) FROM \(table)") + " WHERE household_id = \(household)")
            }
            return try await transaction.query(
                "SELECT (\(document))::text FROM person p WHERE p.id IN (\(references)) ORDER BY p.id"
            ).decode(String.self)
        }
    }

    /// Returns the columns of archived tables that refer to people. An older schema lacks some of them.
    private static func references(_ transaction: Transaction) async throws -> [(table: String, column: String)] {
        let columns = try await transaction.query(
            """
            SELECT c.conrelid::regclass::text, a.attname::text FROM pg_constraint c
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
            WHERE c.contype = 'f' AND c.confrelid = 'person'::regclass ORDER BY 1, 2
            """
        ).decode((String, String).self)
        let archived = Set(ArchivedTable.all.map(\.name))
        return columns.filter { archived.contains($0.0) }.map { (table: $0.0, column: $0.1) }
    }

    /// A value of `password_hash` that matches no password, because it is not a hash.
    static let noPassword = "!"

    struct Person: Sendable {
        let id: Identifier<Void>
        let login: String
        let name: String
        let json: JSONObject

        init(_ json: JSONObject) throws(ArchiveError) {
            guard let id = json["id"]?.string.flatMap({ Identifier<Void>($0) }), let login = json["login"]?.string,
                let name = json["name"]?.string, ArchivedPeople.columns.allSatisfy({ json[$0] != nil })
            else { throw .invalid("a person has invalid columns") }
            self.id = id
            self.login = login
            self.name = name
            self.json = json
        }

        /// Whether the person has no e-mail address, because the person no longer belongs to any household.
        var isFormer: Bool { login.hasPrefix(Self.formerLogin) }

        /// The beginning of the login of people without a household; their identifier follows.
        static let formerLogin = "removed "
    }
}
