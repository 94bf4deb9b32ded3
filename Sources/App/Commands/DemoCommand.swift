import Crypto
import Demo
import Domain
import Postgres

/// `allesteurer demo`: creates a household with two years of generated receipts, so that every page shows data.
enum DemoCommand {
    static let login = "demo@example.org"

    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty || arguments == ["--again"] else { throw UsageError(description: "takes --again only") }
        let config = try program.config()
        let replacesExisting = !arguments.isEmpty
        let password = newPassword()
        let hash = try await PasswordHasher().hash(password.password)
        let report = try await OneLoop.run(config) { database in
            try await create(database, hash, replacesExisting: replacesExisting, reader: config.reader)
        }
        guard let report else {
            Console.error("allesteurer demo: the demo household already exists; --again replaces it")
            return 1
        }
        Console.print(
            """
            \(report)
            Sign in at \(config.baseURL)/sign-in
              e-mail    \(login)
              password  \(password.text)
            """)
        return 0
    }

    /// Creates the demo household, after deleting an existing one if `replacesExisting` is true.
    ///
    /// - Returns: the report; nil if a demo household exists and `replacesExisting` is false.
    static func create(
        _ database: Database, _ hash: PasswordHash, replacesExisting: Bool, reader: String
    ) async throws -> String? {
        let known = try await database.read(
            """
            SELECT p.id, m.household_id FROM person p LEFT JOIN membership m ON m.person_id = p.id
            WHERE p.login = \(login)
            """
        ).decode((PersonID, HouseholdID?).self)
        guard known.isEmpty || replacesExisting else { return nil }
        for (_, household) in known {
            guard let household else { continue }
            try await database.pool.transaction(household: household) { transaction in
                try await transaction.query(batch: HouseholdDeletion.erasing(household))
            }
        }
        for (person, _) in known.prefix(1) { try await database.query("DELETE FROM person WHERE id = \(person)") }
        let generated = DemoHousehold(endingOn: WallClock.today())
        let household = HouseholdID.new()
        let person = PersonID.new()
        try await database.pool.transaction(household: household) { transaction in
            try await transaction.query(batch: [
                """
                INSERT INTO person (id, login, name, password_hash, language)
                VALUES (\(person), \(login), 'Anna Muster', \(hash.encoded), 'de')
                """,
                """
                INSERT INTO household (id, name, digest_key) VALUES (\(household), 'Muster', \(Random.bytes(32)))
                """,
                """
                INSERT INTO membership (household_id, person_id, role) VALUES (\(household), \(person), 'owner')
                """,
            ])
            let changes = try await HouseholdTransaction(
                transaction, household: household, person: person, operation: .new())
            try await DefaultCategories.insert(.german, changes)
            try await DemoFilling(generated, changes).insert()
            _ = try await changes.appendToLog()
        }
        let pictures = try await DemoPictures(
            database: database, household: household, person: person, generated: generated
        ).insert(reader: reader)
        return """
            Created \(generated.receipts.count) receipts in \(generated.stores.count) stores, \
            \(generated.products.count) products; \
            the newest \(pictures) have pictures.
            """
    }

    /// Returns four groups of four letters and digits without similar-looking characters: 80 bits.
    private static func newPassword() -> (text: String, password: Password) {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let text = Random.bytes(16).map { String(letters[Int($0) % 32]) }
        let groups = stride(from: 0, to: 16, by: 4).map { text[$0..<$0 + 4].joined() }.joined(separator: "-")
        // Nineteen ASCII characters always make a valid password.
        return (groups, Password(entered: groups)!)
    }
}
