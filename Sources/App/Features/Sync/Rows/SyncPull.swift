import Domain
import HTTP
import JSON
import Postgres

/// The changes since a sequence number, as rows of tables.
///
/// The response contains the rows as they were at its timestamp. Documents that are written while it is sent are read
/// from their history, so no database connection is held for a client that receives slowly.
struct SyncPull: Sendable {
    let database: Database
    let member: Member
    /// The sequence number of the client's last pull; 0 for everything.
    let since: Int64
    /// Tables that the client did not have at its last pull. It receives all rows of these tables.
    var newTables: Set<String> = []
    /// Tables of which the client did not have all columns at its last pull. It receives all their rows as updated.
    var widenedTables: Set<String> = []

    /// The largest number of documents that one query reads.
    private static let batchSize: Int64 = 200

    /// Writes `{"changes":{table:{"created","updated","deleted"}},"timestamp"}`.
    func write(to writer: any ResponseWriter) async throws {
        let timestamp =
            try await database.read(
                member.household, "SELECT sync_seq FROM household WHERE id = \(member.household)"
            ).first(Int64.self) ?? 0
        try await writer.send(Array("{\"changes\":{".utf8))
        for (index, table) in SyncTable.all.enumerated() {
            try await writer.send(Array("\(index > 0 ? "," : "")\n\"\(table.name)\":".utf8))
            try await write(table, asOf: timestamp, to: writer)
        }
        try await writer.send(Array("\n},\"timestamp\":\(timestamp)}\n".utf8))
    }

    /// Writes the rows of a table: created rows as they are read, updated and deleted rows at the end.
    private func write(_ table: SyncTable, asOf timestamp: Int64, to writer: any ResponseWriter) async throws {
        let since = newTables.contains(table.name) ? 0 : since
        let first = widenedTables.contains(table.name) ? 0 : since
        var updated = JSONWriter()
        var deleted: [String] = []
        var updatedCount = 0
        var createdCount = 0
        // A document may be read twice, because it gets a higher number if it is written between two queries.
        var known: Set<DocumentKey> = []
        try await writer.send(Array("{\"created\":[".utf8))
        for isLate in [false, true] {
            var cursor = isLate ? timestamp : first
            while true {
                let window = Window(after: cursor, first: first, since: since, timestamp: timestamp, isLate: isLate)
                let documents = try await read(table, window)
                var created = JSONWriter(capacity: 512 * documents.count)
                for document in documents where known.insert(document.key).inserted {
                    let before = Set(document.before.map { table.rows(of: document.key, $0).map(\.id) } ?? [])
                    let rows = document.now.map { table.rows(of: document.key, $0) } ?? []
                    for (id, row) in rows {
                        if document.isOwn || before.contains(id) {
                            if updatedCount > 0 { updated.raw(",") }
                            updated.value(.object(row))
                            updatedCount += 1
                        } else {
                            if createdCount > 0 { created.raw(",") }
                            created.value(.object(row))
                            createdCount += 1
                        }
                    }
                    deleted += before.subtracting(rows.map(\.id)).sorted()
                    if document.isForgotten, table.parts == nil { deleted.append(document.key.id.description) }
                }
                try await writer.send(created.bytes)
                guard documents.count == Self.batchSize, let last = documents.last else { break }
                cursor = last.seq
            }
        }
        try await writer.send(Array("],\"updated\":[".utf8))
        try await writer.send(updated.bytes)
        var end = JSONWriter()
        end.array { json in for id in deleted { json.value(id) } }
        try await writer.send(Array("],\"deleted\":".utf8) + end.bytes + Array("}".utf8))
    }

    private struct Changed {
        let seq: Int64
        let key: DocumentKey
        /// The document at the timestamp; nil if it is deleted or has become private to another member.
        let now: JSONObject?
        /// The document at the client's last pull; nil if it did not exist then.
        let before: JSONObject?
        /// Whether the member has changed the document since the client's last pull.
        ///
        /// Its rows are sent as updated, because the client may have pushed and then deleted a row. WatermelonDB keeps
        /// its deletion of an updated row, and stores an updated row that it does not know. But it stores a created row
        /// even if it has deleted this row.
        let isOwn: Bool
        /// Whether the document existed at the client's last pull, and its contents of that time were erased since. The
        /// server then does not know which elements its lists had.
        let isForgotten: Bool
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
        /// Whether the query reads the documents that were written after the timestamp, as they were at the timestamp.
        let isLate: Bool
    }

    private func read(_ table: SyncTable, _ window: Window) async throws -> [Changed] {
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
                        AND c.person_id = \(member.person)),
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
            try body.flatMap { try JSONValue(reading: $0.bytes, limits: SyncLimits.stored).object }
        }
        return try rows.decode((Int64, Identifier<Void>, PostgresJSON?, PostgresJSON?, Bool, Bool).self).map {
            Changed(
                seq: $0.0, key: DocumentKey(table.type, $0.1), now: try object($0.2), before: try object($0.3),
                isOwn: $0.4, isForgotten: $0.5)
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

    /// Whether the row `revision` is the revision of document `s` with this name.
    private static func isRevision(_ revision: SQL, _ name: SQL) -> SQL {
        """
        \(revision).household_id = s.household_id AND \(revision).document_type = s.document_type
            AND \(revision).document_id = s.document_id
            AND \(revision).generation = split_part(\(name), '-', 1)::bigint
            AND \(revision).hash = substr(\(name), strpos(\(name), '-') + 1)
        """
    }
}
