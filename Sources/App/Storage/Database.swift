import Domain
import EventLoop
import Postgres

/// The database access of features, with one connection pool for each loop. Statements on a household's tables set the
/// household, for row-level security.
///
/// Must be called on a loop that has a pool.
package final class Database: Sendable {
    private let pools: [ObjectIdentifier: Pool]
    /// Whether PostgreSQL recently refused writes for lack of space.
    package let diskSpace: DiskSpace
    /// Wakes tasks that wait for changes.
    package let signal: HouseholdSignal

    /// - Parameters:
    ///   - pools: one for each loop that uses this database.
    ///   - diskSpace: shared with the other databases of the process.
    ///   - signal: shared with the other databases of the process.
    package init(
        pools: [Pool], diskSpace: DiskSpace = DiskSpace(), signal: HouseholdSignal = HouseholdSignal()
    ) {
        self.diskSpace = diskSpace
        self.signal = signal
        self.pools = Dictionary(uniqueKeysWithValues: pools.map { (ObjectIdentifier($0.loop), $0) })
    }

    /// The pool of the current loop.
    package var pool: Pool {
        guard let loop = EventLoop.current, let pool = pools[ObjectIdentifier(loop)] else {
            preconditionFailure("Database must be used on an event loop that has a pool")
        }
        return pool
    }

    // MARK: Within a household

    /// Reads with one statement. Row-level security restricts it to the household.
    package func read(_ household: HouseholdID, _ sql: SQL) async throws(PostgresError) -> Rows {
        try await pool.read(household: household, sql)
    }

    /// Reads with several statements in one round trip and one transaction.
    package func read(_ household: HouseholdID, batch: [SQL]) async throws(PostgresError) -> [Rows] {
        try await pool.read(household: household, batch: batch)
    }

    /// Runs `body` in a write transaction of the household.
    ///
    /// The first statement locks the household's row, so the writers of a household run one after another. The changes
    /// that `body` reports are appended to the change log in the same transaction. `body` may run again after a
    /// rollback, so it must have no effects outside the transaction.
    ///
    /// A second transaction restores references of the changed documents to documents that were deleted and exist again.
    ///
    /// - Parameter person: the author of the change; nil for the server itself.
    /// - Throws: the errors of `body`; `PostgresError`; `Refusal.notFound` if the household does not exist;
    ///   `Refusal.forbidden` if the person is no longer a member; `AlreadyWritten` for a `SingleWrite`.
    package func write<Value>(
        _ household: HouseholdID, by person: PersonID?,
        _ body: (HouseholdTransaction) async throws -> Value
    ) async throws -> Value {
        let single = SingleWrite.current?.take()
        let operation = single ?? OperationID.new()
        let (value, sequence, restorable) = try await pool.transaction(
            household: household,
            wasCommitted: { transaction in
                // If PostgreSQL is still committing the earlier attempt, the row lock waits for the commit.
                let rows = try await transaction.query(batch: [
                    "SELECT 1 FROM household WHERE id = \(household) FOR UPDATE",
                    "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(operation)",
                ])
                return !rows[1].isEmpty
            },
            { transaction in
                let changes = try await HouseholdTransaction(
                    transaction, household: household, person: person, operation: operation, isSingle: single != nil)
                let value = try await body(changes)
                let sequence = try await changes.appendToLog()
                return (value, sequence, changes.restorable)
            })
        if let sequence { signal.report(household, sequence: sequence) }
        if let person, !restorable.isEmpty {
            await SyncEdits(database: self).restoreReferences(of: restorable, household, by: person)
        }
        return value
    }

    /// Waits until the household's change log contains a number greater than `sequence`. Holds no connection while it
    /// waits.
    ///
    /// Should be called in the body of a stream: a handler that waits would count towards its household's limit of
    /// simultaneous requests (`HouseholdRequestLimiter`).
    ///
    /// - Returns: the last known number; nil after `time`, when the task is cancelled, or when the server stops
    ///   (`signal.hasStopped`).
    package func waitForChange(of household: HouseholdID, after sequence: Int64, atMost time: Duration) async -> Int64?
    {
        await signal.wait(for: household, after: sequence, atMost: time) { [self] household in
            try await read(household, "SELECT sync_seq FROM household WHERE id = \(household)").first(Int64.self)
        }
    }

    /// Writes data that is not part of the change log (blobs, leases), in one transaction.
    package func store(_ household: HouseholdID, batch: [SQL]) async throws(PostgresError) {
        try await pool.query(household: household, batch: batch)
    }

    /// Writes data that is not part of the change log with one statement, and returns its rows.
    package func store(_ household: HouseholdID, _ sql: SQL) async throws(PostgresError) -> Rows {
        try await pool.query(household: household, sql)
    }

    // MARK: Global tables

    package func read(_ sql: SQL) async throws(PostgresError) -> Rows { try await pool.read(sql) }

    /// Changes global tables (sessions, jobs) with one statement.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows { try await pool.query(sql) }

    /// Changes global tables with several statements in one transaction.
    package func query(batch: [SQL]) async throws(PostgresError) { try await pool.query(batch: batch) }

    /// Runs a transaction over global tables.
    ///
    /// - Throws: the errors of `body`; `PostgresError`.
    package func transaction<Value>(_ body: (Transaction) async throws -> Value) async throws -> Value {
        try await pool.transaction(body)
    }
}
