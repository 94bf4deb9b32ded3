import Crypto
import Domain
import Postgres

/// Uploaded bank files: those that wait for confirmation, and those that were imported.
struct BankImports: Sendable {
    let database: Database
    let slowWork: SlowWork

    /// A file that waits for confirmation.
    struct WaitingFile: Sendable {
        let id: BankImportID
        let revision: Int64
        let name: String
        let text: String
        let isPersonal: Bool
        /// The account name that a person has entered; empty for none. It applies if the file names no account.
        let account: String
        /// The household's currency.
        let home: CurrencyCode
        /// The column roles that the household has chosen, by the digest of `BankTable.source`.
        let mappings: [String: BankColumns]
    }

    /// A file that waits for confirmation, without its contents.
    struct ListedFile: RowDecodable, Sendable {
        let id: BankImportID
        let name: String
        let format: String
        /// The account name that a person has entered; empty for none.
        let account: String
        let uploadedAt: PostgresInstant
        /// The number of bookings, or of rows if the roles of the columns are not known; nil if it was not counted.
        let lineCount: Int32?

        init(from row: inout RowReader) throws(PostgresError) {
            id = try row.next()
            name = try row.next()
            format = try row.next()
            account = try row.next()
            uploadedAt = try row.next()
            lineCount = try row.next()
        }
    }

    /// An imported file.
    struct ImportedFile: Sendable {
        let id: BankImportID
        let revision: Int64
        let name: String
        /// When the file was imported.
        let importedAt: PostgresInstant
        /// The number of expenses that the import created.
        let createdCount: Int64
        /// The number of bookings that the import linked with existing expenses or receipts.
        let linkedCount: Int64
    }

    static let maximumImported: Int32 = 20
    /// The maximum number of a person's files that wait for confirmation. Another file replaces the oldest one.
    static let maximumWaiting: Int64 = 10

    /// Checks a file and stores it for a day.
    ///
    /// - Parameter account: the name of the account; empty for none.
    /// - Throws: `BankFileFailure`, `ImportText.Failure`.
    func store(
        _ bytes: [UInt8], name: String, account: String = "", isPersonal: Bool, _ member: Member
    ) async throws -> BankImportID {
        let mappings = try Self.decode(try await database.read(member.household, Self.mappings(member.household)))
        let (text, format, lineCount) = try await slowWork.run {
            let text = try ImportText.decode(bytes, limit: BankFileLimits.maximumBytes)
            let format = BankFile.format(of: text)
            let count: Int
            do throws(BankFileFailure) {
                count = try BankFile.read(text, home: .eur).bookings.count
            } catch {
                // Accept a table with unknown columns, because a person can choose the roles of its columns.
                guard format == .csv, error == .unknownFormat else { throw error }
                let table = try BankTable(text)
                count = Self.lineCount(table, mappings[Self.digest(table.source)])
            }
            return (text, format, Int32(count))
        }
        let id = BankImportID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.query(Self.sweep(member.household))
            try await WaitingFiles.makeRoom(
                in: "bank_import", maximum: Self.maximumWaiting, for: member, where: "content IS NOT NULL", changes)
            try await changes.query(
                """
                INSERT INTO bank_import (household_id, id, person_id, name, format, account, is_personal, content,
                    line_count)
                VALUES (\(member.household), \(id), \(member.person), \(name.cut(to: 200)), \(format.rawValue),
                    \(account.trimmed.cut(to: BankAccount.maximumLength)), \(isPersonal), \(text), \(lineCount))
                """)
        }
        return id
    }

    /// Returns the number of bookings of a table, or of its rows if the roles of its columns are not known.
    private static func lineCount(_ table: BankTable, _ columns: BankColumns?) -> Int {
        guard columns?.roles.count == table.columns.roles.count,
            let statement = try? table.statement(columns, home: .eur)
        else { return table.rows.count }
        return statement.bookings.count
    }

    /// Selects the column roles that the household has chosen.
    private static func mappings(_ household: HouseholdID) -> SQL {
        "SELECT source_key, roles FROM bank_columns WHERE household_id = \(household) LIMIT 500"
    }

    /// Decodes the rows of `mappings`.
    private static func decode(_ mappings: Rows) throws -> [String: BankColumns] {
        let decoded = try mappings.decode((String, [String]).self).map { key, roles in
            (key, BankColumns(roles.map { BankColumns.Role(rawValue: $0) ?? .ignored }))
        }
        return Dictionary(decoded) { first, _ in first }
    }

    /// Returns a statement that deletes files which were neither imported nor discarded within a day.
    static func sweep(_ household: HouseholdID) -> SQL {
        """
        DELETE FROM bank_import WHERE household_id = \(household) AND content IS NOT NULL
            AND created_at < now() - interval '1 day'
        """
    }

    /// Returns nil if the file was already imported, discarded or undone.
    ///
    /// - Throws: `Refusal.notFound`.
    func find(_ id: BankImportID, _ member: Member) async throws -> WaitingFile? {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT i.name, i.content, i.is_personal, i.account, h.currency, i.revision FROM bank_import i
                JOIN household h ON h.id = i.household_id
                WHERE i.household_id = \(household) AND i.id = \(id) AND i.person_id = \(member.person)
                """,
                Self.mappings(household),
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
        let found = try rows[0].first((String, String?, Bool, String, Currency, Int64).self)
        guard let (name, text, isPersonal, account, home, revision) = found else {
            guard !rows[2].isEmpty else { throw Refusal.notFound }
            return nil
        }
        guard let text else { return nil }
        return WaitingFile(
            id: id, revision: revision, name: name, text: text, isPersonal: isPersonal, account: account,
            home: CurrencyCode(home), mappings: try Self.decode(rows[1]))
    }

    /// Returns the member's files that wait for confirmation, newest first.
    func waitingFiles(_ member: Member) async throws -> [ListedFile] {
        try await database.read(
            member.household,
            """
            SELECT i.id, i.name, i.format, i.account, i.created_at, i.line_count FROM bank_import i
            WHERE i.household_id = \(member.household) AND i.person_id = \(member.person) AND i.content IS NOT NULL
            ORDER BY i.created_at DESC, i.id DESC LIMIT \(Self.maximumWaiting)
            """
        ).decode(ListedFile.self)
    }

    /// Returns the member's imported files, newest first.
    func importedFiles(_ member: Member) async throws -> [ImportedFile] {
        try await database.read(
            member.household,
            """
            SELECT i.id, i.revision, i.name, i.confirmed_at, b.made, b.joined FROM bank_import i
            CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE b.is_made) AS made,
                count(*) FILTER (WHERE NOT b.is_made) AS joined
                FROM bank_booking b WHERE b.household_id = i.household_id AND b.import_id = i.id) b
            WHERE i.household_id = \(member.household) AND i.person_id = \(member.person) AND i.confirmed_at IS NOT NULL
            ORDER BY i.created_at DESC LIMIT \(Self.maximumImported)
            """
        ).decode((BankImportID, Int64, String, PostgresInstant, Int64, Int64).self).map {
            id, revision, name, importedAt, created, linked in
            ImportedFile(
                id: id, revision: revision, name: name, importedAt: importedAt, createdCount: created,
                linkedCount: linked)
        }
    }

    /// Returns the account names that the member has entered.
    func accounts(_ member: Member) async throws -> [String] {
        try await database.read(
            member.household,
            """
            SELECT DISTINCT i.account COLLATE "de-x-icu" FROM bank_import i WHERE i.household_id = \(member.household)
                AND i.person_id = \(member.person) AND i.account <> '' ORDER BY 1 LIMIT 50
            """
        ).decode(String.self)
    }

    /// Stores the roles of a table's columns, for this and other files with the same headings.
    func assignRoles(of file: WaitingFile, _ roles: [BankColumns.Role], _ member: Member) async throws {
        let (key, lineCount) = try await slowWork.run {
            let table = try BankTable(file.text)
            return (Self.digest(table.source), Int32(Self.lineCount(table, BankColumns(roles))))
        }
        try await database.store(
            member.household,
            batch: [
                """
                INSERT INTO bank_columns (household_id, source_key, roles)
                VALUES (\(member.household), \(key), \(roles.map(\.rawValue)))
                ON CONFLICT (household_id, source_key) DO UPDATE SET roles = excluded.roles
                """,
                """
                UPDATE bank_import SET line_count = \(lineCount), revision = revision + 1
                WHERE household_id = \(member.household) AND id = \(file.id) AND person_id = \(member.person)
                    AND content IS NOT NULL
                """,
            ])
    }

    /// Deletes a waiting file. Returns false if it was already imported or discarded.
    ///
    /// - Parameter revision: the expected revision; nil for any.
    /// - Throws: `Refusal.notFound` when it never existed; `Conflict`.
    func discard(_ id: BankImportID, revision: Int64? = nil, _ member: Member) async throws -> Bool {
        let household = member.household
        let isDeleted = try await database.pool.transaction(household: household) { transaction in
            let deleted = try await transaction.query(
                """
                DELETE FROM bank_import WHERE household_id = \(household) AND id = \(id)
                    AND person_id = \(member.person) AND content IS NOT NULL RETURNING revision
                """
            ).first(Int64.self)
            guard let deleted else { return false }
            try Conflict.requireRevision(deleted, shown: revision)
            try await transaction.query(
                "INSERT INTO operation (household_id, id) VALUES (\(household), \(id)) ON CONFLICT DO NOTHING")
            return true
        }
        if isDeleted { return true }
        _ = try await find(id, member)
        return false
    }

    static func digest(_ text: String) -> String { Hexadecimal.encode(sha256(text.utf8)) }
}
