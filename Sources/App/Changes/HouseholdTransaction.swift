import Domain
import Postgres

/// A writing transaction of one household: numbered, ordered and logged.
///
/// Confined to the task that got it.
package final class HouseholdTransaction {
    /// The household whose row is locked: one writer at a time.
    package let household: HouseholdID
    /// The person who makes the change; nil for the server.
    package let person: PersonID?
    private let transaction: Transaction
    /// The last number of the change log before this transaction.
    private let firstSequence: Int64
    private var changed: [DocumentType: Set<Identifier<Void>>] = [:]
    /// Documents that one statement logs at most.
    private static let batchSize = 2_000
    /// Up to this number of documents the planner may use nested loops.
    private static let fewDocuments = 20
    private var deleted: [(type: DocumentType, id: Identifier<Void>, revision: Int64)] = []

    init(
        _ transaction: Transaction, household: HouseholdID, person: PersonID?, operation: OperationID
    ) async throws {
        self.transaction = transaction
        self.household = household
        self.person = person
        var statements: [SQL] = [
            "SELECT sync_seq FROM household WHERE id = \(household) FOR UPDATE",
            // Inserts nothing for a deleted household; the guard below refuses it.
            "INSERT INTO operation (household_id, id) SELECT id, \(operation) FROM household WHERE id = \(household)",
        ]
        if let person {
            // After the lock: a member who was removed during a long upload writes nothing more.
            statements.append(
                "SELECT 1 FROM membership WHERE household_id = \(household) AND person_id = \(person)")
        }
        let rows = try await transaction.query(batch: statements)
        guard !rows[0].isEmpty else { throw Refusal.notFound }
        guard person == nil || !rows[2].isEmpty else { throw Refusal.forbidden }
        firstSequence = try rows[0].first(Int64.self) ?? 0
    }

    /// Runs one statement, which has to name the household.
    ///
    /// - Throws: `PostgresError`; the transaction has failed then.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows { try await transaction.query(sql) }

    /// Runs several statements in one round trip.
    ///
    /// - Throws: the error of the first statement that fails; the transaction has failed then.
    @discardableResult
    package func query(batch: [SQL]) async throws(PostgresError) -> [Rows] { try await transaction.query(batch: batch) }

    /// Records that documents were written. The statements that wrote them also raised their revisions.
    package func changed<Tag>(_ type: DocumentType, _ ids: [Identifier<Tag>]) {
        changed[type, default: []].formUnion(ids.lazy.map { $0.relabelled(Void.self) })
    }

    /// Records that one document was written.
    package func changed<Tag>(_ type: DocumentType, _ id: Identifier<Tag>) { changed(type, [id]) }

    /// Records that a document was deleted. The log gets a tombstone with the next revision.
    package func deleted<Tag>(_ type: DocumentType, _ id: Identifier<Tag>, lastRevision: Int64) {
        changed[type]?.remove(id.relabelled())
        deleted.append((type, id.relabelled(), lastRevision + 1))
    }

    /// Whether this household had the document and deleted it. A repeated request is then done already; another household's
    /// document is not found.
    package func wasDeleted<Tag>(_ id: Identifier<Tag>) async throws(PostgresError) -> Bool {
        try await !query(Self.tombstone(id, household)).isEmpty
    }

    /// One row when the household's document was deleted, else none.
    static func tombstone<Tag>(_ id: Identifier<Tag>, _ household: HouseholdID) -> SQL {
        "SELECT 1 FROM change_log WHERE household_id = \(household) AND document_id = \(id) AND deleted LIMIT 1"
    }

    /// Appends one entry for each document, numbered in sequence. The household's row is locked since the transaction began.
    ///
    /// - Returns: the last number of the log; nil if the transaction changed no document.
    func appendToLog() async throws -> Int64? {
        var statements: [SQL] = []
        var sequence = firstSequence
        if changed.values.contains(where: { $0.count > Self.fewDocuments }) {
            // The planner has no statistics of rows that this transaction wrote; hash joins do not depend on them.
            statements.append("SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)")
        }
        for (type, ids) in changed {
            for batch in ids.sorted().batches(of: Self.batchSize) {
                sequence += Int64(batch.count)
                statements.append(
                    numbering(
                        count: batch.count, entries: "documents.id, documents.revision, false, documents.body",
                        type: type, from: type.bodies(household.postgresStored, batch.map(\.postgresStored))))
            }
        }
        sequence += Int64(deleted.count)
        for (type, id, revision) in deleted {
            statements.append(
                numbering(
                    count: 1, entries: "documents.id, documents.revision, true, NULL::jsonb", type: type,
                    from: "SELECT \(id) AS id, \(revision) AS revision"))
        }
        // One round trip for what a person does. Imports need more, so that no statement exceeds its time limit.
        for batch in statements.batches(of: 4) { try await transaction.query(batch: batch) }
        return sequence > firstSequence ? sequence : nil
    }

    private func numbering(count: Int, entries: SQL, type: DocumentType, from documents: SQL) -> SQL {
        """
        WITH documents AS (\(documents)), taken AS (
            UPDATE household SET sync_seq = sync_seq + \(Int64(count)) WHERE id = \(household) RETURNING sync_seq)
        INSERT INTO change_log
            (household_id, seq, document_type, document_id, revision, deleted, body, person_id)
        SELECT \(household), taken.sync_seq - row_number() OVER (ORDER BY documents.id) + 1, \(type.rawValue),
            \(entries), \(person)
        FROM documents, taken
        """
    }
}
