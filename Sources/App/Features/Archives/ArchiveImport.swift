import Archive
import Crypto
import Domain
import JSON
import Postgres

/// Inserts the content of an archive in one transaction, completely or not at all.
///
/// Confined to the task that created it.
final class ArchiveImport {
    private let transaction: Transaction
    private let head: ArchiveHead
    private let mode: Mode
    private var mapping: IdentifierMapping
    private var columns: [String: TableColumns] = [:]
    /// The household whose parts are being read: its identifier in the archive.
    private var household: Identifier<Void>?
    private var table: ArchivedTable?
    /// The index in `ArchivedTable.all` of the household's last table so far; -1 before the first one.
    private var position = -1
    /// The references between rows of `table`, as they will be stored.
    private var references: [(id: Identifier<Void>, target: Identifier<Void>)] = []
    /// The households of which at least one part has been read.
    private var begunHouseholds: Set<Identifier<Void>> = []
    private(set) var people: [RestoredPerson] = []
    /// The identifiers, in the archive, of all people that were read.
    private var seenPeople: Set<Identifier<Void>> = []
    /// The people who are stored only when a row refers to them. The keys are their new identifiers.
    private var awaitedPeople: [String: RestoredPerson] = [:]
    /// Called with the offset in the archive, after each file in it.
    var progress: (Int64) -> Void = { _ in }

    enum Mode: Sendable {
        /// Keeps the identifiers. The database must be empty.
        case same
        /// Creates a new household, with new identifiers, in a database that has other households.
        case new(HouseholdID, PeopleRule)
    }

    init(_ head: ArchiveHead, _ mode: Mode, _ transaction: Transaction) {
        self.head = head
        self.mode = mode
        self.transaction = transaction
        mapping = IdentifierMapping(key: .random())
        if case .new(let new, _) = mode, let old = head.households.first?.id { mapping[old] = new.relabelled() }
    }

    /// Reads the archive to its end. The caller must roll back the transaction if this throws.
    ///
    /// - Throws: `ArchiveError`, also for values that PostgreSQL rejects; `PostgresError`.
    func run(_ reader: ArchiveReader) async throws {
        do {
            try await transaction.query(
                "SELECT set_config('idle_in_transaction_session_timeout', '600000', true)")
            while let file = try reader.next() {
                switch file {
                case .documents(let part, let lines): try await insert(lines, part)
                case .picture(let part, let blob, _): try await insertPicture(blob, part, reader)
                }
                progress(reader.offset)
            }
            try await endTable()
            try await endHousehold()
        } catch let error as PostgresError where error.isAboutContent {
            throw ArchiveError.invalid("\(table?.name ?? "people"): \(error.description)")
        }
        guard begunHouseholds == Set(head.households.map(\.id)) else {
            throw ArchiveError.invalid("a household is missing")
        }
    }

    private func insert(_ lines: [ArraySlice<UInt8>], _ part: ArchivePart) async throws {
        let documents = try lines.map { line throws(ArchiveError) in try Self.document(line, part) }
        guard let household = part.household else { return try await insertPeople(documents) }
        try await beginPart(household, part)
        guard let table else { throw ArchiveError.invalid("\(part.path) belongs to no table") }
        let columns = try await columns(of: table)
        let rows = try documents.compactMap { try row($0, table, columns, household) }
        try await insertPeople(of: rows, columns)
        var json = JSONWriter(capacity: 1 << 20)
        json.array { json in for row in rows { json.value(.object(row)) } }
        try await transaction.query(table.insertion(json.bytes))
    }

    private static func document(_ line: ArraySlice<UInt8>, _ part: ArchivePart) throws(ArchiveError) -> JSONObject {
        do {
            let limits = JSONLimits(size: ArchiveLimits.document, depth: 64, numberLength: 64)
            guard let object = try JSONValue(reading: line, limits: limits).object else {
                throw ArchiveError.invalid("a document in \(part.path) is not an object")
            }
            return object
        } catch let error as JSONError {
            throw .invalid("a document in \(part.path): \(error)")
        } catch {
            throw .invalid("a document in \(part.path) is malformed")
        }
    }

    // MARK: Households and tables

    /// Begins a part, after checking that the parts have the order in which archives are written.
    private func beginPart(_ household: Identifier<Void>, _ part: ArchivePart) async throws {
        if household != self.household {
            try await endTable()
            try await endHousehold()
            guard head.households.contains(where: { $0.id == household }), begunHouseholds.insert(household).inserted
            else {
                throw ArchiveError.invalid("a part belongs to a household that the head does not list")
            }
            self.household = household
            position = -1
            try await transaction.query(ArchiveExport.settingHousehold(newIdentifier(household)))
        }
        guard table?.name != part.name else { return }
        try await endTable()
        guard let index = ArchivedTable.all.firstIndex(where: { $0.name == part.name }), index > position else {
            throw ArchiveError.invalid("\(part.path) is out of order")
        }
        guard index == 0 || position >= 0 else { throw ArchiveError.invalid("the row of a household is missing") }
        position = index
        table = ArchivedTable.all[index]
    }

    /// Sets the references between rows of the current table, which now has all rows.
    private func endTable() async throws {
        if table?.name == "job" { try await removeForeignJobs() }
        guard let table, let column = table.reference else {
            self.table = nil
            return
        }
        for batch in references.batches(of: 5_000) {
            try await transaction.query(
                table.settingReferences(
                    batch.map(\.id.postgresStored), batch.map(\.target.postgresStored), column: column))
        }
        references = []
        self.table = nil
    }

    /// Removes jobs that only a manipulated archive contains: only receipts that are being read have a job.
    private func removeForeignJobs() async throws {
        guard case .new(let household, .household) = mode else { return }
        try await transaction.query(
            """
            DELETE FROM job j WHERE j.household_id = \(household) AND (j.kind <> \(JobQueue.Kind.read)
                OR NOT EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = \(household) AND r.id = j.subject_id
                    AND r.stage = \(Stage.reading.sql) AND r.discarded_at IS NULL))
            """)
    }

    /// Checks that all pictures are complete.
    private func endHousehold() async throws {
        guard let household else { return }
        let id = newIdentifier(household)
        let incomplete = try await transaction.query(
            """
            SELECT count(*) FROM blob b WHERE b.household_id = \(id) AND b.size <> (
                SELECT coalesce(sum(octet_length(c.bytes)), 0) FROM blob_chunk c
                WHERE c.household_id = b.household_id AND c.blob_id = b.id)
            """
        ).first(Int64.self)
        guard incomplete == 0 else { throw ArchiveError.invalid("a picture is incomplete") }
        self.household = nil
    }

    private func columns(of table: ArchivedTable) async throws -> TableColumns {
        if let known = columns[table.name] { return known }
        let tableColumns = try await TableColumns.read(table.name, transaction)
        columns[table.name] = tableColumns
        return tableColumns
    }

    // MARK: Rows

    private func row(
        _ document: JSONObject, _ table: ArchivedTable, _ columns: TableColumns, _ household: Identifier<Void>
    ) throws(ArchiveError) -> JSONObject? {
        guard document[table.householdColumn]?.string == household.description else {
            throw .invalid("a document in \(table.name) belongs to another household")
        }
        guard columns.names.isSubset(of: document.names) else {
            throw .invalid("a document in \(table.name) lacks a column")
        }
        var row = document
        if case .new = mode { row = columns.mapped(document, mapping) }
        if let column = table.reference, let text = row[column]?.string {
            guard let target = Identifier<Void>(text), let id = row["id"]?.string.flatMap({ Identifier<Void>($0) })
            else { throw .invalid("a malformed reference in \(table.name)") }
            references.append((id, target))
            row[column] = JSONValue.null
        }
        if case .new(_, let rule) = mode {
            if table.name == "membership" { return rule.membership(row) }
            // Only members have preferences.
            if table.name == "preferences", let person = row["id"]?.string, !rule.makesMember(person) { return nil }
        }
        return row
    }

    private func newIdentifier(_ old: Identifier<Void>) -> Identifier<Void> {
        if case .new = mode { mapping.new(old) } else { old }
    }

    // MARK: People

    private func insertPeople(_ documents: [JSONObject]) async throws {
        guard household == nil, begunHouseholds.isEmpty else {
            throw ArchiveError.invalid("people must precede the households")
        }
        let archived = try documents.map { document throws(ArchiveError) in try ArchivedPeople.Person(document) }
        for person in archived where !seenPeople.insert(person.id).inserted {
            throw ArchiveError.invalid("a person occurs twice")
        }
        let restored: [RestoredPerson]
        switch mode {
        case .same: restored = try await insertUnchanged(archived)
        case .new(_, let rule):
            restored = try await rule.match(archived, transaction)
            let new = restored.filter { $0.kind != .known }
            if rule.storesOnlyReferences {
                for person in new { awaitedPeople[person.id.description] = person }
            } else {
                try await PeopleRule.insert(new, transaction)
            }
        }
        for person in restored { mapping[person.archived] = person.id.relabelled() }
        people += restored.filter { awaitedPeople[$0.id.description] == nil }
    }

    /// Stores the people to whom these rows refer and who are not stored yet.
    private func insertPeople(of rows: [JSONObject], _ columns: TableColumns) async throws {
        guard !awaitedPeople.isEmpty else { return }
        let new = rows.flatMap { columns.identifiers(in: $0) }.compactMap { awaitedPeople.removeValue(forKey: $0) }
        try await PeopleRule.insert(new, transaction)
        people += new
    }

    private func insertUnchanged(_ people: [ArchivedPeople.Person]) async throws -> [RestoredPerson] {
        var json = JSONWriter()
        json.array { json in
            for person in people {
                var row = person.json
                if row["password_hash"] == nil { row["password_hash"] = .string(ArchivedPeople.noPassword) }
                json.value(.object(row))
            }
        }
        try await transaction.query(
            "INSERT INTO person SELECT * FROM jsonb_populate_recordset(NULL::person, \(PostgresJSON(json.bytes)))")
        return people.map {
            RestoredPerson(
                archived: $0.id, id: $0.id.relabelled(), name: $0.name, login: $0.login,
                language: $0.json["language"]?.string ?? "", kind: .same)
        }
    }

    // MARK: Pictures

    private func insertPicture(_ blob: Identifier<Void>, _ part: ArchivePart, _ reader: ArchiveReader) async throws {
        guard let household, household == part.household else {
            throw ArchiveError.invalid("pictures precede the documents of their household")
        }
        try await endTable()
        position = ArchivedTable.all.count
        let (owner, id) = (newIdentifier(household), newIdentifier(blob))
        var n: Int32 = 0
        while let bytes = try reader.pictureBytes(524_288) {
            try await transaction.query(
                """
                INSERT INTO blob_chunk (household_id, blob_id, n, bytes) VALUES (\(owner), \(id), \(n), \(bytes))
                """)
            n += 1
        }
    }
}

extension PostgresError {
    /// Whether PostgreSQL rejected the content. The SQLSTATE classes and codes: data exceptions (22), violated
    /// constraints (23), rows that row-level security excludes (42501), exceeded limits (54000).
    fileprivate var isAboutContent: Bool {
        kind == .server
            && (sqlState.isClass("22") || sqlState.isClass("23") || sqlState == SQLState("42501")
                || sqlState == SQLState("54000"))
    }
}
