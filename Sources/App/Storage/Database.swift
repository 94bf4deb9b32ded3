import Domain
import EventLoop
import Postgres

/// PostgreSQL as the features see it: one pool a loop, the household set for every statement.
///
/// Every method runs on an event loop and uses that loop's own connections.
package final class Database: Sendable {
    private let pools: [ObjectIdentifier: Pool]

    /// - Parameter pools: one for each loop that requests run on.
    package init(pools: [Pool]) {
        self.pools = Dictionary(uniqueKeysWithValues: pools.map { (ObjectIdentifier($0.loop), $0) })
    }

    /// The current loop's connections.
    package var pool: Pool {
        guard let loop = EventLoop.current, let pool = pools[ObjectIdentifier(loop)] else {
            preconditionFailure("the database is asked on an event loop of the server")
        }
        return pool
    }

    // MARK: Within a household

    /// Reads with one statement, in the household's own transaction: row-level security applies.
    ///
    /// - Throws: as ``Pool/read(household:_:)`` does.
    package func read(_ household: HouseholdID, _ sql: SQL) async throws(PostgresError) -> Rows {
        try await pool.read(household: household, sql)
    }

    /// Reads with several statements in one round trip and one transaction.
    ///
    /// - Throws: as ``Pool/read(household:batch:)`` does.
    package func read(_ household: HouseholdID, batch: [SQL]) async throws(PostgresError) -> [Rows] {
        try await pool.read(household: household, batch: batch)
    }

    /// Runs `body` as the household's next writing transaction.
    ///
    /// Its first statement takes the household's row, so writers of one household stand in line; what `body` reports as
    /// changed is appended to the change log in the same transaction. `body` may run again after a failure that surely
    /// left nothing behind, so it has no effect outside.
    ///
    /// - Parameter person: who changes; nil for the server itself.
    /// - Throws: what `body` throws; `PostgresError`.
    package func write<Value>(
        _ household: HouseholdID, by person: PersonID?,
        _ body: (HouseholdTransaction) async throws -> Value
    ) async throws -> Value {
        let operation = OperationID.new()
        return try await pool.transaction(
            household: household,
            wasCommitted: { transaction in
                // The row lock waits for the try that the server may still be finishing.
                let rows = try await transaction.query(batch: [
                    "SELECT 1 FROM household WHERE id = \(household) FOR UPDATE",
                    "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(operation)",
                ])
                return !rows[1].isEmpty
            },
            { transaction in
                let changes = try await HouseholdTransaction(
                    transaction, household: household, person: person, operation: operation)
                let value = try await body(changes)
                try await changes.appendToLog()
                return value
            })
    }

    /// Writes what is no document (bytes, leases): several statements in one transaction, not logged, not numbered.
    ///
    /// - Throws: as ``Pool/query(household:batch:)`` does: all of it happened, or none.
    package func store(_ household: HouseholdID, batch: [SQL]) async throws(PostgresError) {
        try await pool.query(household: household, batch: batch)
    }

    // MARK: Before a household is known

    /// Reads global tables.
    package func read(_ sql: SQL) async throws(PostgresError) -> Rows { try await pool.read(sql) }

    /// Changes global tables (sessions, jobs): one statement, one transaction.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows { try await pool.query(sql) }

    /// Changes global tables with several statements: all of them or none.
    package func query(batch: [SQL]) async throws(PostgresError) { try await pool.query(batch: batch) }

    /// A transaction over global tables.
    ///
    /// - Throws: what `body` throws; `PostgresError`.
    package func transaction<Value>(_ body: (Transaction) async throws -> Value) async throws -> Value {
        try await pool.transaction(body)
    }
}
