import Domain
import HTTP
import JSON
import Postgres

/// The changes since a sequence number, as rows of tables in WatermelonDB's format.
///
/// The response contains the rows as they were at its timestamp. If a document is written while the response is sent,
/// its state at the timestamp is read from its history. Therefore no database connection is held for a client that
/// receives slowly.
struct SyncPull: Sendable {
    let database: Database
    let member: Member
    /// The sequence number of the client's last pull; 0 for everything.
    let since: Int64
    /// Tables that the client did not have at its last pull. It receives all rows of these tables.
    var newTables: Set<String> = []
    /// Tables with columns that the client did not have at its last pull. It receives all rows of these tables as
    /// updated.
    var widenedTables: Set<String> = []
    /// The maximum size in bytes of the updated rows of a table that are kept in memory. Larger tables are read a
    /// second time.
    var maximumBuffered = 1 << 20

    /// The maximum number of documents that one query reads.
    private static let batchSize: Int64 = 200

    /// Writes `{"changes":{table:{"created","updated","deleted"}},"timestamp"}`.
    func write(to writer: any ResponseWriter) async throws {
        let timestamp =
            try await database.read(
                member.household, "SELECT sync_seq FROM household WHERE id = \(member.household)"
            ).first(Int64.self) ?? 0
        // A greater number comes from before a backup was restored. All rows are sent, because the client's rows may
        // differ from the stored rows.
        let since = since > timestamp ? 0 : since
        try await writer.send(Array("{\"changes\":{".utf8))
        for (index, table) in SyncTable.all.enumerated() {
            try await writer.send(Array("\(index > 0 ? "," : "")\n\"\(table.name)\":".utf8))
            try await write(table, since: since, asOf: timestamp, to: writer)
        }
        try await writer.send(Array("\n},\"timestamp\":\(timestamp)}\n".utf8))
    }

    /// Writes the rows of a table. If the updated rows exceed `maximumBuffered`, reads the table a second time.
    private func write(
        _ table: SyncTable, since: Int64, asOf timestamp: Int64, to writer: any ResponseWriter
    ) async throws {
        let since = newTables.contains(table.name) ? 0 : since
        let first = widenedTables.contains(table.name) ? 0 : since
        var reading = Reading(table: table, first: first, since: since, timestamp: timestamp)
        var (created, updated) = (RowList(), RowList())
        var isBuffered = true
        var deleted: [String] = []
        try await writer.send(Array("{\"created\":[".utf8))
        while let documents = try await reading.next(self) {
            for document in documents {
                let rows = document.rows(of: table)
                created.append(rows.created)
                if isBuffered { updated.append(rows.updated) }
                deleted += rows.deleted
            }
            try await writer.send(created.takeBytes())
            if updated.size > maximumBuffered { (isBuffered, updated) = (false, RowList()) }
        }
        try await writer.send(Array("],\"updated\":[".utf8))
        if isBuffered {
            try await writer.send(updated.takeBytes())
        } else {
            deleted = []
            reading = Reading(table: table, first: first, since: since, timestamp: timestamp)
            while let documents = try await reading.next(self) {
                for document in documents {
                    let rows = document.rows(of: table)
                    updated.append(rows.updated)
                    deleted += rows.deleted
                }
                try await writer.send(updated.takeBytes())
            }
        }
        var end = JSONWriter()
        end.array { json in for id in deleted { json.value(id) } }
        try await writer.send(Array("],\"deleted\":".utf8) + end.bytes + Array("}".utf8))
    }

    /// The elements of a JSON array that are not sent yet.
    private struct RowList {
        private var json = JSONWriter()
        private var isEmpty = true

        /// The size in bytes of the elements that are in memory.
        var size: Int { json.bytes.count }

        mutating func append(_ rows: [JSONObject]) {
            for row in rows {
                if !isEmpty { json.raw(",") }
                json.value(.object(row))
                isEmpty = false
            }
        }

        /// Returns and removes the elements, with the commas before and between them.
        mutating func takeBytes() -> [UInt8] {
            defer { json = JSONWriter() }
            return json.bytes
        }
    }

    /// The changed documents of a table, read in batches.
    private struct Reading {
        let table: SyncTable
        /// `first`, `since` and `timestamp` as in `Window`.
        let first: Int64
        let since: Int64
        let timestamp: Int64
        /// The sequence number of the last document that was read; nil before the first batch.
        private var cursor: Int64?
        private var isLate = false
        private var isAtEnd = false
        // A document may be read twice, because it gets a higher number if it is written between two queries.
        private var known: Set<DocumentKey> = []

        init(table: SyncTable, first: Int64, since: Int64, timestamp: Int64) {
            (self.table, self.first, self.since, self.timestamp) = (table, first, since, timestamp)
        }

        /// Returns the next batch without documents that were read before; nil after the last batch.
        mutating func next(_ pull: SyncPull) async throws -> [ChangedRow]? {
            guard !isAtEnd else { return nil }
            let window = Window(
                after: cursor ?? first, first: first, since: since, timestamp: timestamp, isLate: isLate)
            let documents = try await pull.read(table, window)
            if documents.count == SyncPull.batchSize, let last = documents.last {
                cursor = last.seq
            } else if isLate {
                isAtEnd = true
            } else {
                (isLate, cursor) = (true, timestamp)
            }
            var new: [ChangedRow] = []
            for document in documents where known.insert(document.key).inserted { new.append(document) }
            return new
        }
    }

    /// A document that has changed since the client's last pull, at two times.
    private struct ChangedRow {
        let seq: Int64
        let key: DocumentKey
        /// The document at the timestamp; nil if it is deleted or has become private to another member.
        let now: JSONObject?
        /// The document at the client's last pull; nil if it did not exist then.
        let before: JSONObject?
        /// Whether the member has changed the document between the client's last pull and the timestamp.
        ///
        /// Its rows are sent as updated, because the client may have pushed a row and then deleted it. If the server
        /// sends a row as created, WatermelonDB stores it even if the client has deleted it. If the server sends it as
        /// updated, WatermelonDB keeps the deletion, and also stores a row that it does not have.
        let isOwn: Bool
        /// Whether the document existed at the client's last pull, but its contents of that time were erased since. The
        /// server then cannot determine which list elements the client has.
        let isForgotten: Bool

        func rows(of table: SyncTable) -> (created: [JSONObject], updated: [JSONObject], deleted: [String]) {
            let before = Set(before.map { table.rows(of: key, $0).map(\.id) } ?? [])
            let rows = now.map { table.rows(of: key, $0) } ?? []
            var deleted = before.subtracting(rows.map(\.id)).sorted()
            if isForgotten, table.parts == nil { deleted.append(key.id.description) }
            return (
                created: rows.filter { !isOwn && !before.contains($0.id) }.map(\.row),
                updated: rows.filter { isOwn || before.contains($0.id) }.map(\.row), deleted: deleted
            )
        }
    }

    /// The documents that one query reads.
    private struct Window {
        /// The sequence number of the last document that was read.
        let after: Int64
        /// The sequence number after which changes are sent: `since`, or 0 for all rows of a table with new columns.
        let first: Int64
        /// The sequence number of the client's last pull; 0 if it has no rows of the table.
        let since: Int64
        let timestamp: Int64
        /// Whether the query reads the documents that were written after the timestamp, in their state at the
        /// timestamp.
        let isLate: Bool
    }

    private func read(_ table: SyncTable, _ window: Window) async throws -> [ChangedRow] {
        let current: SQL =
            window.isLate
            ? """
            CROSS JOIN LATERAL (\(Self.entry(upTo: window.timestamp))) n
            JOIN document_revision d ON \(Self.isRevision("d", "n.rev")) AND n.seq > \(window.first)
            """
            : """
            CROSS JOIN LATERAL (SELECT s.deleted) n
            JOIN document_revision d ON d.household_id = s.household_id AND d.document_type = s.document_type
                AND d.document_id = s.document_id AND d.generation = s.generation AND d.hash = s.hash
                AND s.seq <= \(window.timestamp)
            """
        let isVisible = SyncDocumentQueries.isVisible(member)
        let rows = try await database.read(
            member.household,
            """
            SELECT s.seq, s.document_id, CASE WHEN NOT n.deleted AND \(isVisible) THEN d.body END, b.body,
                \(window.since) > 0 AND EXISTS (SELECT 1 FROM change_log c
                    WHERE c.household_id = s.household_id AND c.document_id = s.document_id
                        AND c.document_type = s.document_type AND c.seq > \(window.since)
                        AND c.seq <= \(window.timestamp) AND c.person_id = \(member.person)),
                (n.deleted OR NOT \(isVisible)) AND l.rev IS NOT NULL AND NOT l.deleted AND b.body IS NULL
            FROM sync_document s
            \(current)
            LEFT JOIN LATERAL (\(Self.entry(upTo: window.since))) l ON \(window.since) > 0
            LEFT JOIN document_revision b ON \(Self.isRevision("b", "l.rev"))
            WHERE s.household_id = \(member.household) AND s.document_type = \(table.type.rawValue)
                AND s.seq > \(window.after) AND (\(isVisible)
                    OR s.hidden_seq > greatest(\(window.since), \(SyncDocumentQueries.joining(member))))
            ORDER BY s.seq LIMIT \(Self.batchSize)
            """)
        func object(_ body: PostgresJSON?) throws -> JSONObject? {
            try body.flatMap { try JSONValue(reading: $0.bytes, limits: SyncLimits.storedDocument).object }
        }
        return try rows.decode((Int64, Identifier<Void>, PostgresJSON?, PostgresJSON?, Bool, Bool).self).map {
            seq, id, now, before, isOwn, isForgotten in
            ChangedRow(
                seq: seq, key: DocumentKey(table.type, id), now: try object(now), before: try object(before),
                isOwn: isOwn, isForgotten: isForgotten)
        }
    }

    /// Selects the last entry of the change log for document `s` up to a sequence number.
    private static func entry(upTo number: Int64) -> SQL {
        """
        SELECT c.seq, c.rev, c.deleted, c.body FROM change_log c
        WHERE c.household_id = s.household_id AND c.document_id = s.document_id
            AND c.document_type = s.document_type AND c.seq <= \(number)
        ORDER BY c.seq DESC LIMIT 1
        """
    }

    /// A condition: the row `revision` is the revision of document `s` with the given name.
    private static func isRevision(_ revision: SQL, _ name: SQL) -> SQL {
        """
        \(revision).household_id = s.household_id AND \(revision).document_type = s.document_type
            AND \(revision).document_id = s.document_id
            AND \(revision).generation = split_part(\(name), '-', 1)::bigint
            AND \(revision).hash = substr(\(name), strpos(\(name), '-') + 1)
        """
    }
}
