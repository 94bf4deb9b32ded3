import Domain
import Postgres

/// A write transaction of one household. It locks the household, numbers its changes and logs them.
///
/// Confined to the task that received it.
package final class HouseholdTransaction {
    /// The household, whose row stays locked: only one transaction writes at a time.
    package let household: HouseholdID
    /// The author of the change; nil for the server.
    package let person: PersonID?
    /// The author's role, read after the household was locked; nil for the server.
    private let role: Member.Role?
    private let transaction: Transaction
    /// The last sequence number of the change log before this transaction.
    private let previousSequence: Int64
    private var changed: [DocumentType: Set<Identifier<Void>>] = [:]
    /// The maximum number of documents that one statement logs.
    private static let batchSize = 2_000
    /// The number of documents above which the planner must not use nested loops.
    private static let fewDocuments = 20
    private var deleted: [(type: DocumentType, id: Identifier<Void>, revision: Int64)] = []
    /// Whether removed references of the changed documents are restored after this transaction.
    var restoresReferences = true
    /// The changed documents whose references can be restored. `appendToLog()` sets them.
    private(set) var restorable: [RestorableDocument] = []

    /// Locks the household and stores the operation's identifier.
    ///
    /// - Parameter isSingle: whether the operation is a `SingleWrite`.
    /// - Throws: `Refusal.notFound` if the household does not exist; `Refusal.forbidden` if the person is not a member;
    ///   `AlreadyWritten` if the operation is stored already; `PostgresError`.
    init(
        _ transaction: Transaction, household: HouseholdID, person: PersonID?, operation: OperationID,
        isSingle: Bool = false
    ) async throws {
        self.transaction = transaction
        self.household = household
        self.person = person
        if isSingle {
            try await transaction.query(
                """
                DELETE FROM operation WHERE household_id = \(household) AND id = \(operation)
                    AND done_at < now() - \(SingleWrite.keptHours) * interval '1 hour'
                """)
        }
        var statements: [SQL] = [
            "SELECT sync_seq FROM household WHERE id = \(household) FOR UPDATE",
            // Inserts nothing if the household was deleted or the operation is stored; the guards below then fail.
            """
            INSERT INTO operation (household_id, id) SELECT id, \(operation) FROM household WHERE id = \(household)
            ON CONFLICT DO NOTHING RETURNING 1
            """,
        ]
        if let person {
            // Checked after the lock, so that a member who was removed during a long upload cannot write.
            statements.append(
                "SELECT role FROM membership WHERE household_id = \(household) AND person_id = \(person)")
        }
        let rows = try await transaction.query(batch: statements)
        guard !rows[0].isEmpty else { throw Refusal.notFound }
        guard !rows[1].isEmpty else { throw AlreadyWritten() }
        role = person == nil ? nil : try rows[2].first(Member.Role.self)
        guard person == nil || role != nil else { throw Refusal.forbidden }
        previousSequence = try rows[0].first(Int64.self) ?? 0
    }

    /// Refuses a change by an owner who lost this role after the request began.
    ///
    /// - Throws: `Refusal.forbidden` if the author is not an owner.
    package func requireOwner() throws {
        guard role == .owner else { throw Refusal.forbidden }
    }

    /// Runs one statement, which must restrict itself to the household.
    ///
    /// - Throws: `PostgresError`; the transaction has then failed.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows { try await transaction.query(sql) }

    /// Runs several statements in one round trip.
    ///
    /// - Throws: the error of the first failing statement; the transaction has then failed.
    @discardableResult
    package func query(batch: [SQL]) async throws(PostgresError) -> [Rows] { try await transaction.query(batch: batch) }

    /// Runs `body` in a savepoint. If `body` throws, everything that it wrote and recorded is undone. The transaction
    /// can then continue, except after the errors that `Transaction.attempt` lists.
    func attempt<Value>(_ body: () async throws -> Value) async throws -> Value {
        let before = (changed, deleted)
        do {
            return try await transaction.attempt(body)
        } catch {
            (changed, deleted) = before
            throw error
        }
    }

    /// Records written documents. The statements that wrote them must also have raised their revisions.
    package func changed<Tag>(_ type: DocumentType, _ ids: [Identifier<Tag>]) {
        changed[type, default: []].formUnion(ids.lazy.map { $0.relabelled(Void.self) })
    }

    /// Records a written document.
    package func changed<Tag>(_ type: DocumentType, _ id: Identifier<Tag>) { changed(type, [id]) }

    /// Records a deleted document. The log gets a tombstone with the next revision.
    package func deleted<Tag>(_ type: DocumentType, _ id: Identifier<Tag>, lastRevision: Int64) {
        changed[type]?.remove(id.relabelled())
        deleted.append((type, id.relabelled(), lastRevision + 1))
    }

    /// Whether this household deleted the document. If it did, a repeated request to delete the document is already
    /// done. False for documents of other households.
    package func wasDeleted<Tag>(_ id: Identifier<Tag>) async throws(PostgresError) -> Bool {
        try await !query(Self.tombstone(id, household)).isEmpty
    }

    /// Selects one row if the household deleted the document.
    static func tombstone<Tag>(_ id: Identifier<Tag>, _ household: HouseholdID) -> SQL {
        "SELECT 1 FROM change_log WHERE household_id = \(household) AND document_id = \(id) AND deleted LIMIT 1"
    }

    /// A condition over the log entries `t`, a tombstone, and `m`: one transaction wrote both. The entries of a
    /// transaction have consecutive numbers and the same time, and tombstones are the last of them. Searches 10,000
    /// entries, so that the cost does not grow with the log.
    static let isWrittenWithTombstone: SQL = """
        m.household_id = t.household_id AND m.seq BETWEEN t.seq - 10000 AND t.seq AND m.changed_at = t.changed_at
        """

    /// Stores the webhook messages about changed receipts, then appends one numbered entry with a sync revision for
    /// each document.
    ///
    /// - Returns: the last sequence number; nil if the transaction changed no document.
    func appendToLog() async throws -> Int64? {
        try await addImages()
        try await addExpenses()
        try await addStores()
        try await addRates()
        try await WebhookEvents(changes: self, sequence: previousSequence)
            .record((changed[.receipt] ?? []).map { $0.relabelled() }.sorted())
        var statements: [SQL] = []
        let restorableQuery = restorableQuery
        if let restorableQuery { statements.append(restorableQuery) }
        var sequence = previousSequence
        if changed.values.contains(where: { $0.count > Self.fewDocuments }) {
            statements.append(.planForManyRows)
        }
        let log = ChangeLogEntries(household: household, person: person)
        for (type, ids) in changed {
            for batch in ids.sorted().batches(of: Self.batchSize) {
                sequence += Int64(batch.count)
                statements.append(log.loggingWrites(type, batch.map(\.postgresStored)))
            }
        }
        sequence += Int64(deleted.count)
        for (type, id, revision) in deleted { statements.append(log.loggingDeletion(type, id, revision)) }
        // Most transactions need one round trip. Imports need several, so that no statement exceeds its time limit.
        var first: Rows?
        for batch in statements.batches(of: restorableQuery == nil ? 4 : 5) {
            let rows = try await transaction.query(batch: batch)
            first = first ?? rows.first
        }
        if restorableQuery != nil, let first { restorable = try RestorableDocument.decode(first) }
        return sequence > previousSequence ? sequence : nil
    }

    /// Selects the changed documents whose references can be restored. Nil if the server made the changes, or if there
    /// are so many that they come from an import: new documents have no removed references.
    private var restorableQuery: SQL? {
        let count = changed.reduce(0) { $0 + $1.value.count }
        guard restoresReferences, let person, count <= Self.batchSize else { return nil }
        return RestorableDocument.query(changed, household, by: person)
    }

    /// Records the expenses of receipts that were hidden, published or deleted.
    private func addExpenses() async throws {
        let writtenReceipts = (changed[.receipt] ?? []).sorted()
        let deletedReceipts = deleted.filter { $0.type == .receipt }.map(\.id)
        guard !writtenReceipts.isEmpty || !deletedReceipts.isEmpty else { return }
        let rows = try await transaction.query(batch: [
            """
            SELECT e.id FROM expense e
            JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
            JOIN sync_document s ON s.household_id = e.household_id AND s.document_type = 'expense'
                AND s.document_id = e.id AND NOT s.deleted
            WHERE e.household_id = \(household) AND e.receipt_id = ANY(\(writtenReceipts))
                AND (s.private_to IS NOT NULL) <> coalesce(r.hidden_until > \(WallClock.today()), false)
            """,
            """
            SELECT s.document_id, (SELECT max(l.revision) FROM change_log l WHERE l.household_id = s.household_id
                AND l.document_id = s.document_id) FROM sync_document s
            WHERE s.household_id = \(household) AND s.owner_id = ANY(\(deletedReceipts)) AND s.document_type = 'expense'
                AND NOT s.deleted AND NOT EXISTS (SELECT 1 FROM expense e
                    WHERE e.household_id = s.household_id AND e.id = s.document_id)
            """,
        ])
        changed(.expense, try rows[0].decode(ExpenseID.self))
        for (id, revision) in try rows[1].decode((ExpenseID, Int64).self) {
            deleted(.expense, id, lastRevision: revision)
        }
    }

    /// Records stores that now occur on hidden receipts only, and stores that are visible again.
    private func addStores() async throws {
        let writtenReceipts = (changed[.receipt] ?? []).sorted()
        guard !writtenReceipts.isEmpty || deleted.contains(where: { $0.type == .receipt }) else { return }
        let rows = try await transaction.query(
            """
            SELECT d.id FROM store d
            JOIN sync_document s ON s.household_id = d.household_id AND s.document_type = 'store'
                AND s.document_id = d.id AND NOT s.deleted
            WHERE d.household_id = \(household)
                AND (s.private_to IS NOT NULL OR d.id IN (SELECT r.store_id FROM receipt r
                    WHERE r.household_id = \(household) AND r.id = ANY(\(writtenReceipts))))
                AND s.private_to IS DISTINCT FROM \(Visibility.personOfHiddenStore("d.id", household))
            """)
        changed(.store, try rows.decode(StoreID.self))
    }

    /// Records imported exchange rates that become documents because they convert a written expense or
    /// receipt.
    private func addRates() async throws {
        let (expenses, receipts) = (changed[.expense]?.sorted() ?? [], changed[.receipt]?.sorted() ?? [])
        guard !expenses.isEmpty || !receipts.isEmpty else { return }
        let rates = try await transaction.query(PublishedRates.unpublishedRates(for: expenses, receipts, household))
        changed(.exchangeRate, try rates.decode(ExchangeRateID.self))
    }

    /// Records images that changed with their receipts: new files, newly read pictures, and images of receipts that
    /// were hidden, published, joined or deleted.
    private func addImages() async throws {
        let writtenReceipts = (changed[.receipt] ?? []).sorted()
        let deletedReceipts = deleted.filter { $0.type == .receipt }.map(\.id)
        guard !writtenReceipts.isEmpty || !deletedReceipts.isEmpty else { return }
        let rows = try await transaction.query(batch: [
            """
            SELECT d.id FROM receipt_file d
            JOIN receipt r ON r.household_id = d.household_id AND r.id = d.receipt_id
            LEFT JOIN sync_document s ON s.household_id = d.household_id AND s.document_type = 'image'
                AND s.document_id = d.id AND NOT s.deleted
            WHERE d.household_id = \(household) AND d.receipt_id = ANY(\(writtenReceipts))
                AND s.source IS DISTINCT FROM \(ImageSource.digest)
            """,
            """
            SELECT s.document_id, s.generation FROM sync_document s
            WHERE s.household_id = \(household) AND s.owner_id = ANY(\(deletedReceipts)) AND s.document_type = 'image'
                AND NOT s.deleted AND NOT EXISTS (SELECT 1 FROM receipt_file f
                    WHERE f.household_id = s.household_id AND f.id = s.document_id)
            """,
        ])
        changed(.image, try rows[0].decode(FileID.self))
        for (id, generation) in try rows[1].decode((FileID, Int64).self) {
            deleted(.image, id, lastRevision: generation)
        }
    }
}
