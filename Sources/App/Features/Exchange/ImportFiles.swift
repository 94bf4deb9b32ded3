import Domain
import Postgres

/// Uploaded tables that wait for confirmation, and their import. Used by the pages and the API.
struct ImportFiles: Sendable {
    let database: Database
    let slowWork: SlowWork

    static let maximumBytes = 5 * 1_048_576
    /// The maximum number of a person's files that wait for confirmation. Another file replaces the oldest one.
    static let maximumWaiting: Int64 = 10
    /// Imports of at least this number of records refresh the planner's statistics.
    private static let manyRecords = 500
    /// The number of attempts to store a part. An attempt fails if another member writes in the meantime.
    private static let maximumTries = 10

    /// A file that waits for confirmation.
    struct WaitingFile: Sendable {
        let id: FileID
        let name: String
        let text: String
        let currency: Currency
    }

    /// Checks a table and stores it for a day.
    ///
    /// - Throws: `LineItemTable.Failure`, `ImportText.Failure`.
    func store(_ bytes: [UInt8], name: String, _ member: Member) async throws -> FileID {
        let text = try await slowWork.run {
            let text = try ImportText.decode(bytes, limit: Self.maximumBytes)
            _ = try ImportTable(text, currency: .eur)
            return text
        }
        let id = FileID.new()
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            try await changes.query(
                "DELETE FROM import_file WHERE household_id = \(household) AND created_at < now() - interval '1 day'")
            try await WaitingFiles.makeRoom(in: "import_file", maximum: Self.maximumWaiting, for: member, changes)
            try await changes.query(
                """
                INSERT INTO import_file (household_id, id, person_id, name, content)
                VALUES (\(household), \(id), \(member.person), \(name.cut(to: 200)), \(text))
                """)
        }
        return id
    }

    /// Returns nil if the file was already confirmed or discarded.
    ///
    /// - Throws: `Refusal.notFound`.
    func find(_ id: FileID, _ household: HouseholdID) async throws -> WaitingFile? {
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT f.name, f.content, h.currency FROM import_file f JOIN household h ON h.id = f.household_id
                WHERE f.household_id = \(household) AND f.id = \(id)
                """,
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
        guard let (name, text, currency) = try rows[0].first((String, String, Currency).self) else {
            guard !rows[1].isEmpty else { throw Refusal.notFound }
            return nil
        }
        return WaitingFile(id: id, name: name, text: text, currency: currency)
    }

    /// Parses the table and marks the rows that are already stored.
    func table(_ file: WaitingFile, _ member: Member) async throws -> ImportTable {
        let table = try await slowWork.run { try ImportTable(file.text, currency: file.currency) }
        let stored = try await database.read(member.household, table.storedLinesQuery(member))
        return try await slowWork.run {
            var table = table
            try table.markKnown(stored)
            return table
        }
    }

    /// Imports the new rows. Returns their number, or nil if the file was already confirmed or discarded.
    ///
    /// - Throws: `Refusal.notFound` if the file never existed; `Refusal.busy` if other members keep writing.
    func confirm(_ id: FileID, _ member: Member) async throws -> Int? {
        guard let file = try await find(id, member.household) else { return nil }
        let household = member.household
        let parts = try await slowWork.run { try ImportTable(file.text, currency: file.currency).parts }
        var count = 0
        // Each part is one transaction, so that other members can write between parts. If the import is interrupted,
        // confirming the file again completes it, because stored records are skipped.
        for part in parts { count += try await importPart(part, of: file.id, member) }
        guard try await remove(file.id, household) else { return nil }
        if count >= Self.manyRecords {
            // Best effort: until autovacuum runs, outdated planner statistics make lists slow.
            _ = try? await database.query("SELECT refresh_statistics()")
        }
        return count
    }

    /// Imports the records of a part that are not stored yet. Prepares them without a lock, and prepares them again if
    /// the household has changed in the meantime.
    ///
    /// - Returns: the number of imported records; 0 if the file no longer exists or all records are stored.
    /// - Throws: `Refusal.busy` if other members keep writing.
    private func importPart(_ part: ImportTable, of file: FileID, _ member: Member) async throws -> Int {
        for _ in 0..<Self.maximumTries {
            let rows = try await database.read(member.household, batch: PreparedImport.statements(part, member))
            let prepared = try await slowWork.run { try PreparedImport(part, rows) }
            guard prepared.count > 0 else { return 0 }
            let count: Int? = try await database.write(member.household, by: member.person) { changes in
                let stored = try await changes.query(
                    "SELECT 1 FROM import_file WHERE household_id = \(member.household) AND id = \(file)")
                guard !stored.isEmpty else { return 0 }
                return try await prepared.insert(changes) ? prepared.count : nil
            }
            if let count { return count }
        }
        throw Refusal.busy
    }

    /// Deletes the file without importing it. Returns false if it was already confirmed or discarded.
    ///
    /// - Throws: `Refusal.notFound` if it never existed.
    func discard(_ id: FileID, _ household: HouseholdID) async throws -> Bool {
        if try await remove(id, household) { return true }
        _ = try await find(id, household)
        return false
    }

    /// Deletes the file and stores its identifier in `operation`. Returns false if the file was already confirmed or
    /// discarded.
    private func remove(_ file: FileID, _ household: HouseholdID) async throws -> Bool {
        let insertedRows = try await database.pool.transaction(household: household) { transaction in
            try await transaction.query(
                """
                WITH gone AS (DELETE FROM import_file WHERE household_id = \(household) AND id = \(file) RETURNING id)
                INSERT INTO operation (household_id, id) SELECT \(household), id FROM gone
                ON CONFLICT DO NOTHING RETURNING id
                """)
        }
        return !insertedRows.isEmpty
    }
}
