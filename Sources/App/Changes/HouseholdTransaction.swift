import Domain
import Postgres

/// A writing transaction of one household: numbered, ordered and logged.
///
/// Confined to the task that got it.
package final class HouseholdTransaction {
    /// Whose rows the transaction sees and locks: one writer at a time.
    package let household: HouseholdID
    /// Who changes; nil for the server itself.
    package let person: PersonID?
    private let transaction: Transaction
    private var changed: [DocumentType: Set<Identifier<Void>>] = [:]
    /// Documents of one statement.
    private static let batchSize = 2_000
    /// Up to so many are looked up one by one.
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
            // Of a household that is gone nothing is written, so that the guard below says it.
            "INSERT INTO operation (household_id, id) SELECT id, \(operation) FROM household WHERE id = \(household)",
        ]
        if let person {
            // Behind the lock: whoever was removed while a long upload ran writes nothing more.
            statements.append(
                "SELECT 1 FROM membership WHERE household_id = \(household) AND person_id = \(person)")
        }
        let rows = try await transaction.query(batch: statements)
        guard !rows[0].isEmpty else { throw Refusal.notFound }
        guard person == nil || !rows[2].isEmpty else { throw Refusal.forbidden }
    }

    /// Runs one statement; it names the household itself.
    ///
    /// - Throws: what the statement fails with; the transaction is lost by then.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows { try await transaction.query(sql) }

    /// Runs several statements in one round trip.
    ///
    /// - Throws: what the first statement that fails fails with; the transaction is lost by then.
    @discardableResult
    package func query(batch: [SQL]) async throws(PostgresError) -> [Rows] { try await transaction.query(batch: batch) }

    /// Says that documents were written. The statements that wrote them also raised their revisions.
    package func changed<Tag>(_ type: DocumentType, _ ids: [Identifier<Tag>]) {
        changed[type, default: []].formUnion(ids.lazy.map { $0.relabelled(Void.self) })
    }

    /// Says that one document was written.
    package func changed<Tag>(_ type: DocumentType, _ id: Identifier<Tag>) { changed(type, [id]) }

    /// Says that a document was deleted: its tombstone stays, with the revision after its last.
    package func deleted<Tag>(_ type: DocumentType, _ id: Identifier<Tag>, lastRevision: Int64) {
        changed[type]?.remove(id.relabelled())
        deleted.append((type, id.relabelled(), lastRevision + 1))
    }

    /// Whether a document of this household was there once and was deleted: what is asked for twice is done already,
    /// what belongs to somebody else was never there.
    package func wasDeleted<Tag>(_ id: Identifier<Tag>) async throws(PostgresError) -> Bool {
        try await !query(Self.tombstone(id, household)).isEmpty
    }

    /// One row where a document of the household was there once and was deleted.
    static func tombstone<Tag>(_ id: Identifier<Tag>, _ household: HouseholdID) -> SQL {
        "SELECT 1 FROM change_log WHERE household_id = \(household) AND document_id = \(id) AND deleted LIMIT 1"
    }

    /// Appends one entry a document, each with the next number; the row lock was taken when the transaction began.
    func appendToLog() async throws {
        var statements: [SQL] = []
        if changed.values.contains(where: { $0.count > Self.fewDocuments }) {
            // The planner knows nothing of rows that this transaction wrote; joins by hashing do not depend on it.
            statements.append("SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)")
        }
        for (type, ids) in changed {
            for batch in ids.sorted().batches(of: Self.batchSize) {
                statements.append(
                    numbering(
                        count: batch.count, entries: "documents.id, documents.revision, false, documents.body",
                        type: type, from: type.bodies(household.postgresStored, batch.map(\.postgresStored))))
            }
        }
        for (type, id, revision) in deleted {
            statements.append(
                numbering(
                    count: 1, entries: "documents.id, documents.revision, true, NULL::jsonb", type: type,
                    from: "SELECT \(id) AS id, \(revision) AS revision"))
        }
        // One round trip for what people do; what an import does keeps to the deadline of a statement, piece by piece.
        for batch in statements.batches(of: 4) { try await transaction.query(batch: batch) }
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
