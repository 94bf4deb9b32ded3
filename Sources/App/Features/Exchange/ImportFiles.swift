import Domain
import Postgres

/// Tables that wait for the decision to import them, and the import itself. For the pages and the API.
struct ImportFiles: Sendable {
    let database: Database
    let slowWork: SlowWork

    static let mostBytes = 5 * 1_048_576
    /// From this number of records on, the planner's statistics are refreshed.
    private static let manyRecords = 500
    /// How often a part is computed before the import gives up because other members write.
    private static let mostTries = 10

    struct Stored: Sendable {
        let id: FileID
        let name: String
        let text: String
        let currency: Currency
    }

    /// Checks a table and keeps it for a day.
    ///
    /// - Throws: `LineItemTable.Failure`, `ImportText.Failure`.
    func keep(_ bytes: [UInt8], name: String, _ member: Member) async throws -> FileID {
        let text = try await slowWork.run {
            let text = try ImportText.decode(bytes, limit: Self.mostBytes)
            _ = try ImportTable(text, currency: .eur)
            return text
        }
        let id = FileID.new()
        let household = member.household
        try await database.store(
            household,
            batch: [
                """
                DELETE FROM import_file WHERE household_id = \(household) AND created_at < now() - interval '1 day'
                """,
                """
                INSERT INTO import_file (household_id, id, person_id, name, content)
                VALUES (\(household), \(id), \(member.person), \(name.cut(to: 200)), \(text))
                """,
            ])
        return id
    }

    /// Nil when the file was confirmed or discarded before.
    ///
    /// - Throws: `Refusal.notFound`.
    func find(_ id: FileID, _ household: HouseholdID) async throws -> Stored? {
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
        return Stored(id: id, name: name, text: text, currency: currency)
    }

    /// The table with the rows that are booked already marked.
    func table(_ file: Stored, _ member: Member) async throws -> ImportTable {
        let table = try await slowWork.run { try ImportTable(file.text, currency: file.currency) }
        let booked = try await database.read(member.household, table.bookedQuery(member))
        return try await slowWork.run {
            var table = table
            try table.markKnown(booked)
            return table
        }
    }

    /// Books the new rows. Returns their number, or nil when the file was confirmed or discarded before.
    ///
    /// - Throws: `Refusal.notFound`.
    func confirm(_ id: FileID, _ member: Member) async throws -> Int? {
        guard let file = try await find(id, member.household) else { return nil }
        let household = member.household
        let parts = try await slowWork.run { try ImportTable(file.text, currency: file.currency).parts }
        var count = 0
        // One transaction per part, so that other members can write in between. After an interruption, confirming again
        // finishes the import: booked records are skipped.
        for part in parts { count += try await book(part, of: file.id, member) }
        guard try await remove(file.id, household) else { return nil }
        if count >= Self.manyRecords {
            // Best effort: without it lists are slow until autovacuum runs.
            _ = try? await database.query("SELECT refresh_statistics()")
        }
        return count
    }

    /// Books the part's records that are not booked yet. The household is locked only while they are stored; if it has
    /// changed since they were computed, they are computed again.
    ///
    /// - Returns: the number of records booked; 0 after a double submit, when the file is gone or all records are booked.
    /// - Throws: `Refusal.busy` if other members write all the time.
    private func book(_ part: ImportTable, of file: FileID, _ member: Member) async throws -> Int {
        for _ in 0..<Self.mostTries {
            let rows = try await database.read(member.household, batch: ImportBooking.statements(part, member))
            let booking = try await slowWork.run { try ImportBooking(part, rows) }
            guard booking.count > 0 else { return 0 }
            let count: Int? = try await database.write(member.household, by: member.person) { changes in
                let left = try await changes.query(
                    "SELECT 1 FROM import_file WHERE household_id = \(member.household) AND id = \(file)")
                guard !left.isEmpty else { return 0 }
                return try await booking.book(changes) ? booking.count : nil
            }
            if let count { return count }
        }
        throw Refusal.busy
    }

    /// False when the file was confirmed or discarded before.
    ///
    /// - Throws: `Refusal.notFound` when it never existed.
    func discard(_ id: FileID, _ household: HouseholdID) async throws -> Bool {
        if try await remove(id, household) { return true }
        _ = try await find(id, household)
        return false
    }

    /// Deletes the file and records that it was confirmed or discarded. False when that was done before.
    private func remove(_ file: FileID, _ household: HouseholdID) async throws -> Bool {
        let gone = try await database.pool.transaction(household: household) { transaction in
            try await transaction.query(
                """
                WITH gone AS (DELETE FROM import_file WHERE household_id = \(household) AND id = \(file) RETURNING id)
                INSERT INTO operation (household_id, id) SELECT \(household), id FROM gone
                ON CONFLICT DO NOTHING RETURNING id
                """)
        }
        return !gone.isEmpty
    }
}
