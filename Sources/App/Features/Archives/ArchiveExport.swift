import Archive
import Crypto
import Domain
import EventLoop
import Postgres

/// Writes an archive from one snapshot of the database. Reads rows with a cursor and pictures in chunks.
struct ArchiveExport {
    let pool: Pool
    let scope: Scope
    /// Called with the number of bytes written so far, after each batch of rows and at the end.
    var progress: (Int64) -> Void = { _ in }

    enum Scope: Sendable {
        case installation
        case household(HouseholdID)
    }

    struct UnknownHousehold: Error, CustomStringConvertible {
        let description = "no household has this identifier"
    }

    /// - Parameters:
    ///   - passphrase: authenticates the archive.
    ///   - sink: returns the destination. Called once for each attempt, because a transaction is repeated if its
    ///     connection is lost.
    /// - Throws: `UnknownHousehold`, `ArchiveError`, `PostgresError`, the errors of the sink.
    func write(
        _ passphrase: Password, madeAt: Int64, to sink: () throws -> any ArchiveSink
    ) async throws -> ArchiveManifest {
        let salt = Random.bytes(16)
        return try await write(
            try ArchiveKey(passphrase: passphrase, salt: salt), salt: salt, madeAt: madeAt, to: sink)
    }

    func write(
        _ key: ArchiveKey, salt: [UInt8], madeAt: Int64, to sink: () throws -> any ArchiveSink
    ) async throws -> ArchiveManifest {
        try await pool.transaction(isolation: .snapshot) { transaction in
            let head = try await head(madeAt: madeAt, salt: salt, transaction)
            return try await write(head, key, to: try sink(), transaction)
        }
    }

    /// Writes an archive with an existing head, to compare a restored database with its archive.
    func write(_ head: ArchiveHead, _ key: ArchiveKey, to sink: any ArchiveSink) async throws {
        try await pool.transaction(isolation: .snapshot) { transaction in
            _ = try await write(head, key, to: sink, transaction)
        }
    }

    private func head(madeAt: Int64, salt: [UInt8], _ transaction: Transaction) async throws -> ArchiveHead {
        let rows = try await transaction.query(batch: [
            "SELECT uuid FROM installation", "SELECT max(number)::bigint FROM schema_migration",
            // Row-level security hides the rows of `household` here, so list the households of `membership`, which is
            // readable.
            "SELECT DISTINCT household_id FROM membership ORDER BY household_id",
        ])
        guard let installation = try rows[0].first(Identifier<Void>.self), let schema = try rows[1].first(Int64.self)
        else { throw ArchiveError.invalid("the database has no tables of AllesTeurer") }
        var ids = try rows[2].decode(Identifier<Void>.self)
        var scope = ArchiveHead.Scope.installation
        if case .household(let household) = self.scope {
            ids = ids.filter { $0 == household.relabelled() }
            scope = .household
            guard !ids.isEmpty else { throw UnknownHousehold() }
        }
        var households: [ArchiveHead.Household] = []
        for id in ids {
            let names = try await transaction.query(batch: [
                Self.settingHousehold(id), "SELECT name FROM household WHERE id = \(id)",
            ])
            guard let name = try names[1].first(String.self) else { throw UnknownHousehold() }
            households.append(.init(id: id, name: name))
        }
        return ArchiveHead(
            program: ProgramVersion.number, schema: Int(schema), installation: installation, madeAt: madeAt,
            scope: scope,
            households: households, salt: salt)
    }

    private func write(
        _ head: ArchiveHead, _ key: ArchiveKey, to sink: any ArchiveSink, _ transaction: Transaction
    ) async throws -> ArchiveManifest {
        // Archives contain times in UTC. The long timeout is for slow disks: the transaction is idle while bytes are
        // written.
        try await transaction.query(
            """
            SELECT set_config('TimeZone', 'UTC', true),
                set_config('idle_in_transaction_session_timeout', '600000', true)
            """)
        let writer = try ArchiveWriter(sink, head)
        let people = try await ArchivedPeople.read(head, transaction)
        for line in people { try writer.append(line.utf8, to: .people) }
        for household in head.households {
            try await transaction.query(Self.settingHousehold(household.id))
            for table in try await presentTables(transaction) {
                try await transaction.query(table.cursor)
                let part = ArchivePart.documents(table.name, of: household.id)
                try await fetch(table.batch, transaction) { row in
                    try row.withText { try writer.append($0, to: part) }
                } after: {
                    progress(writer.written)
                }
            }
            try await writePictures(of: household.id, writer, transaction)
        }
        let manifest = try writer.finish(key)
        progress(writer.written)
        return manifest
    }

    /// Returns the tables that exist in the database, because an older schema lacks some of them.
    private func presentTables(_ transaction: Transaction) async throws -> [ArchivedTable] {
        let names = try await transaction.query(
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        ).decode(String.self)
        return ArchivedTable.all.filter { names.contains($0.name) }
    }

    private func writePictures(
        of household: Identifier<Void>, _ writer: ArchiveWriter, _ transaction: Transaction
    ) async throws {
        try await transaction.query(ArchivedTable.pictures)
        var current: Identifier<Void>?
        // A batch of eight chunks has at most 4 MiB.
        try await fetch(8, transaction) { row in
            let (blob, type, size) = try row.decode((Identifier<Void>, String, Int64).self)
            if blob != current {
                try writer.beginPicture(blob, of: household, mediaType: type, size: Int(size))
                current = blob
            }
            if let bytes = try row[3, as: [UInt8]?.self] { try writer.append(picture: bytes) }
        } after: {
            progress(writer.written)
        }
    }

    /// Fetches the rows of the cursor `archived` in batches of `count`, and closes it.
    ///
    /// - Parameters:
    ///   - each: called for each row.
    ///   - after: called after each batch.
    private func fetch(
        _ count: Int, _ transaction: Transaction, _ each: (Row) throws -> Void, after: () -> Void
    ) async throws {
        while true {
            let rows = try await transaction.query(ArchivedTable.fetch(count))
            for row in rows { try each(row) }
            after()
            if rows.count < count { break }
        }
        try await transaction.query(ArchivedTable.close)
    }

    /// Returns a statement that sets the household of the transaction. Row-level security allows only the rows of this
    /// household.
    static func settingHousehold(_ household: Identifier<Void>) -> SQL {
        "SELECT set_config('app.household', \(household.description), true)"
    }
}

extension Row {
    /// Calls `body` with the UTF-8 bytes of the first column.
    fileprivate func withText(_ body: ([UInt8]) throws -> Void) throws {
        try body(Array(try self[0, as: String.self].utf8))
    }
}
