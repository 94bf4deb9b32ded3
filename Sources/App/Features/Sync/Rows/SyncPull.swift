import Domain
import HTTP
import JSON
import Postgres

/// The changes since a sequence number, as rows of tables, read from one database snapshot.
struct SyncPull: Sendable {
    let database: Database
    let member: Member
    /// The sequence number of the client's last pull; 0 for everything.
    let since: Int64
    /// Tables that the client did not have at its last pull. It receives all rows of these tables.
    var newTables: Set<String> = []
    /// Tables of which the client did not have all columns. It receives all rows of these tables as updated.
    var widenedTables: Set<String> = []

    /// The largest number of documents that one query reads.
    private static let batchSize: Int64 = 200

    /// Writes `{"changes":{table:{"created","updated","deleted"}},"timestamp"}`.
    func write(to writer: any ResponseWriter) async throws {
        let hasBegun = Attempt()
        try await database.pool.transaction(household: member.household, isolation: .snapshot) { transaction in
            // Part of the response was already sent, so the transaction must not be repeated after a lost connection.
            guard hasBegun.begin() else { throw Disconnected() }
            let timestamp =
                try await transaction.query(
                    "SELECT sync_seq FROM household WHERE id = \(member.household)"
                ).first(Int64.self) ?? 0
            try await writer.send(Array("{\"changes\":{".utf8))
            for (index, table) in SyncTable.all.enumerated() {
                try await writer.send(Array("\(index > 0 ? "," : "")\n\"\(table.name)\":".utf8))
                try await write(table, transaction, to: writer)
            }
            try await writer.send(Array("\n},\"timestamp\":\(timestamp)}\n".utf8))
        }
    }

    private final class Attempt: @unchecked Sendable {
        // Safe: only the task of the request uses it.
        private var hasBegun = false

        func begin() -> Bool {
            defer { hasBegun = true }
            return !hasBegun
        }
    }

    /// Writes the rows of a table: created rows as they are read, updated and deleted rows at the end.
    private func write(_ table: SyncTable, _ transaction: Transaction, to writer: any ResponseWriter) async throws {
        let since = newTables.contains(table.name) ? 0 : since
        var updated = JSONWriter()
        var deleted: [String] = []
        var updatedCount = 0
        var createdCount = 0
        try await writer.send(Array("{\"created\":[".utf8))
        var cursor = widenedTables.contains(table.name) ? 0 : since
        while true {
            let documents = try await read(table, after: cursor, since: since, transaction)
            var created = JSONWriter(capacity: 512 * documents.count)
            for document in documents {
                let before = Set(document.before.map { table.rows(of: document.key, $0).map(\.id) } ?? [])
                let rows = document.now.map { table.rows(of: document.key, $0) } ?? []
                for (id, row) in rows {
                    if before.contains(id) {
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
            }
            try await writer.send(created.bytes)
            guard documents.count == Self.batchSize, let last = documents.last else { break }
            cursor = last.seq
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
        /// The current document; nil if it is deleted.
        let now: JSONObject?
        /// The document at the client's last pull; nil if it did not exist then.
        let before: JSONObject?
    }

    private func read(
        _ table: SyncTable, after cursor: Int64, since: Int64, _ transaction: Transaction
    ) async throws -> [Changed] {
        let rows = try await transaction.query(
            """
            SELECT s.seq, s.document_id, CASE WHEN NOT s.deleted THEN d.body END, b.body
            FROM sync_document s
            JOIN document_revision d ON d.household_id = s.household_id AND d.document_type = s.document_type
                AND d.document_id = s.document_id AND d.generation = s.generation AND d.hash = s.hash
            LEFT JOIN LATERAL (
                SELECT c.rev FROM change_log c WHERE c.household_id = s.household_id AND c.document_id = s.document_id
                    AND c.document_type = s.document_type AND c.seq <= \(since)
                ORDER BY c.seq DESC LIMIT 1) l ON \(since) > 0
            LEFT JOIN document_revision b ON b.household_id = s.household_id AND b.document_type = s.document_type
                AND b.document_id = s.document_id AND b.generation = split_part(l.rev, '-', 1)::bigint
                AND b.hash = substr(l.rev, strpos(l.rev, '-') + 1)
            WHERE s.household_id = \(member.household) AND s.document_type = \(table.type.rawValue) AND s.seq > \(cursor)
                AND \(SyncDocumentQueries.isVisible(member))
            ORDER BY s.seq LIMIT \(Self.batchSize)
            """)
        func object(_ body: PostgresJSON?) throws -> JSONObject? {
            try body.flatMap { try JSONValue(reading: $0.bytes, limits: SyncLimits.stored).object }
        }
        return try rows.decode((Int64, Identifier<Void>, PostgresJSON?, PostgresJSON?).self).map {
            Changed(seq: $0.0, key: DocumentKey(table.type, $0.1), now: try object($0.2), before: try object($0.3))
        }
    }
}
