import Domain
import HTTP
import Postgres

/// Uploaded wine tables that are not imported yet. They are stored in chunks; a whole table is never in memory.
struct WineTables: Sendable {
    let database: Database
    let slowWork: SlowWork

    /// The maximum size of a table, in bytes: enough for half a million wines with long notes.
    static let maximumBytes = 256 << 20
    /// The maximum number of a person's tables that wait for confirmation or are being imported. A further table
    /// replaces the oldest one that waits for confirmation.
    static let maximumWaiting: Int64 = 3
    private static let chunkBytes = 512 << 10

    /// The reason why a table cannot be read.
    enum Failure: Error {
        case empty
        case notText
        case tooLarge
        case badQuote(line: Int)
    }

    /// A table that waits for confirmation.
    struct WaitingTable: Sendable {
        let id: WineTableID
        let name: String
    }

    /// Stores a file in chunks while it is uploaded.
    ///
    /// - Throws: `Failure`, `FormError`; `Refusal.busy` if `maximumWaiting` tables of the person are being imported.
    func receive(_ reader: MultipartReader, name: String, _ member: Member) async throws -> WineTableID {
        let id = WineTableID.new()
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            try await changes.query(
                "DELETE FROM wine_table WHERE household_id = \(household) AND created_at < now() - interval '1 day'")
            try await WaitingFiles.makeRoom(
                in: "wine_table", maximum: Self.maximumWaiting, for: member, keeping: Self.isReserved, changes)
            let inserted = try await changes.query(
                """
                INSERT INTO wine_table (household_id, id, person_id, name)
                SELECT \(household), \(id), \(member.person), \(name.cut(to: 200))
                WHERE (SELECT count(*) FROM wine_table WHERE household_id = \(household)
                    AND person_id = \(member.person) AND \(Self.isReserved)) < \(Self.maximumWaiting)
                RETURNING id
                """)
            guard !inserted.isEmpty else { throw Refusal.busy }
        }
        do {
            let size = try await storeChunks(reader, id, household)
            guard size > 0 else { throw Failure.empty }
            // Reject a file that cannot be read.
            _ = try await excerpt(id, household)
        } catch {
            _ = try? await discard(id, household)
            throw error
        }
        return id
    }

    private func storeChunks(_ reader: MultipartReader, _ id: WineTableID, _ household: HouseholdID) async throws -> Int
    {
        var buffer: [UInt8] = []
        var (number, size): (Int32, Int) = (0, 0)
        func store(_ bytes: [UInt8]) async throws {
            _ = try await database.store(
                household,
                """
                INSERT INTO wine_table_chunk (household_id, table_id, n, bytes)
                VALUES (\(household), \(id), \(number), \(bytes))
                """)
            number += 1
        }
        while let chunk = try await reader.nextChunk() {
            size += chunk.count
            guard size <= Self.maximumBytes else { throw Failure.tooLarge }
            buffer += chunk
            while buffer.count >= Self.chunkBytes {
                try await store(Array(buffer.prefix(Self.chunkBytes)))
                buffer.removeFirst(Self.chunkBytes)
            }
        }
        if !buffer.isEmpty { try await store(buffer) }
        return size
    }

    /// - Returns: nil if the table was already imported or discarded.
    /// - Throws: `Refusal.notFound` if it never existed, or expired after a day.
    func find(_ id: WineTableID, _ household: HouseholdID) async throws -> WaitingTable? {
        let rows = try await database.read(
            household,
            batch: [
                "SELECT name FROM wine_table WHERE household_id = \(household) AND id = \(id)",
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
        guard let name = try rows[0].first(String.self) else {
            guard !rows[1].isEmpty else { throw Refusal.notFound }
            return nil
        }
        return WaitingTable(id: id, name: name)
    }

    /// A page of lines of a table, with the table's headings.
    struct Excerpt: Sendable {
        struct Row: Sendable {
            /// The line number in the file, from 1.
            let line: Int
            let fields: [String]
        }

        let headings: [String]
        let rows: [Row]
        let hasMore: Bool
    }

    /// Reads the headings and one page of the preview.
    ///
    /// - Parameter page: starts at 1.
    /// - Throws: `Failure`.
    func excerpt(_ id: WineTableID, _ household: HouseholdID, page: Int = 1) async throws -> Excerpt {
        var next = try await chunk(0, of: id, household)
        var reading = ExcerptReading(first: next ?? [], page: page)
        var number: Int32 = 0
        while !reading.isComplete {
            let (piece, before) = (next, reading)
            reading = try await slowWork.run {
                var reading = before
                try reading.add(piece)
                return reading
            }
            guard piece != nil else { break }
            number += 1
            next = try await chunk(number, of: id, household)
        }
        guard let excerpt = reading.excerpt else { throw Failure.empty }
        return excerpt
    }

    /// Returns a chunk of a table, numbered from 0; nil after the last one.
    func chunk(_ number: Int32, of id: WineTableID, _ household: HouseholdID) async throws -> [UInt8]? {
        try await database.read(
            household,
            "SELECT bytes FROM wine_table_chunk WHERE household_id = \(household) AND table_id = \(id) AND n = \(number)"
        ).first([UInt8].self)
    }

    /// Detects the separator of the fields from the beginning of a table.
    static func separator(_ bytes: [UInt8]) -> UInt8 {
        CSVReader.separator(of: String(decoding: bytes.prefix(16_384), as: UTF8.self)).asciiValue ?? 44
    }

    /// - Throws: `Failure`.
    static func rows(_ records: [UInt8], separator: UInt8) throws(Failure) -> [CSVReader.Row] {
        guard let text = try? ImportText.decode(records) else { throw .notText }
        do {
            return try CSVReader.rows(of: text, separator: Character(Unicode.Scalar(separator)))
        } catch {
            switch error {
            case .badQuote(let line): throw .badQuote(line: line)
            case .tooLarge: throw .tooLarge
            }
        }
    }

    /// The condition for reserved tables, which are being imported.
    private static let isReserved: SQL = "created_at > now()"

    /// The `created_at` of a table that is being imported. Each stored batch renews it, every few seconds. If the
    /// server is killed, the table can be imported again 10 minutes later.
    private static let reservedUntil: SQL = "now() + interval '10 minutes'"

    /// Reserves a table for an import, so that it is not replaced, discarded, imported twice or deleted after a day.
    /// Its `created_at` is in the future until it is released.
    ///
    /// - Returns: false if it is being imported, or was already imported or discarded.
    func reserve(_ id: WineTableID, _ household: HouseholdID) async throws -> Bool {
        let reserved = try await database.store(
            household,
            """
            UPDATE wine_table SET created_at = \(Self.reservedUntil)
            WHERE household_id = \(household) AND id = \(id) AND NOT (\(Self.isReserved)) RETURNING id
            """)
        return !reserved.isEmpty
    }

    /// A statement that renews the reservation of a table.
    static func renewReservation(_ id: WineTableID, _ household: HouseholdID) -> SQL {
        "UPDATE wine_table SET created_at = \(reservedUntil) WHERE household_id = \(household) AND id = \(id)"
    }

    /// Ends the reservation of a table that was not imported completely.
    func release(_ id: WineTableID, _ household: HouseholdID) async throws {
        _ = try await database.store(
            household,
            "UPDATE wine_table SET created_at = now() WHERE household_id = \(household) AND id = \(id)")
    }

    /// Deletes a table.
    ///
    /// - Parameter isImported: whether the caller has reserved and imported the table.
    /// - Returns: false if it was already imported or discarded, or if another request is importing it.
    /// - Throws: `Refusal.notFound` if it never existed, or expired after a day.
    func discard(_ id: WineTableID, _ household: HouseholdID, isImported: Bool = false) async throws -> Bool {
        let condition: SQL = isImported ? "true" : "NOT (\(Self.isReserved))"
        let deleted = try await database.pool.transaction(household: household) { transaction in
            try await transaction.query(
                """
                WITH gone AS (
                    DELETE FROM wine_table WHERE household_id = \(household) AND id = \(id) AND \(condition) RETURNING id)
                INSERT INTO operation (household_id, id) SELECT \(household), id FROM gone
                ON CONFLICT DO NOTHING RETURNING id
                """)
        }
        if !deleted.isEmpty { return true }
        _ = try await find(id, household)
        return false
    }
}
