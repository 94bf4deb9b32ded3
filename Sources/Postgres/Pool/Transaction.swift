import EventLoop

/// An open transaction with its own connection; valid until the closure that received it returns.
package final class Transaction: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it (checked by the connection and the pool).

    /// Isolation levels (PostgreSQL documentation, 13.2).
    package enum Isolation: Sendable {
        /// READ COMMITTED: each statement sees what was committed when it began.
        case readCommitted
        /// REPEATABLE READ: one snapshot for all statements.
        case repeatableRead
        /// REPEATABLE READ READ ONLY: one snapshot for statements that only read.
        case snapshot
        /// SERIALIZABLE: as if transactions ran one after the other. A transaction for which that is impossible fails
        /// with `40001` and is retried.
        case serializable
    }

    private let connection: Connection
    private let timeout: Duration
    private let openingStatements: [SQL]
    private var hasBegun = false
    private var isFinished = false
    /// The first error; the transaction cannot be used after it, unless ``attempt(_:)`` rolled back to its savepoint.
    private(set) var failure: PostgresError?

    init(connection: Connection, timeout: Duration, isolation: Isolation, household: (some PostgresValue)?) {
        self.connection = connection
        self.timeout = timeout
        let begin: SQL =
            switch isolation {
            case .readCommitted: "BEGIN"
            case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
            case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
            }
        openingStatements = [begin] + Pool.settingHousehold(household)
    }

    /// Runs one statement. BEGIN is sent together with the first one.
    ///
    /// - Throws: `invalid` for a value that cannot be stored; the transaction can continue. After any other error,
    ///   every later statement throws the same error.
    @discardableResult
    package func query(_ sql: SQL) async throws(PostgresError) -> Rows {
        try await run([sql])[0]
    }

    /// Runs several statements in one round trip.
    ///
    /// - Throws: as ``query(_:)`` does, for the first statement that fails.
    @discardableResult
    package func query(batch: [SQL]) async throws(PostgresError) -> [Rows] {
        try await run(batch)
    }

    /// Runs `body` in a savepoint. If it throws, its statements are undone and the transaction can continue. The
    /// transaction cannot continue if the connection was lost, a deadline has passed or it must be repeated as a whole.
    ///
    /// - Throws: the error of `body`; `PostgresError`.
    @discardableResult
    package func attempt<Value>(_ body: () async throws -> Value) async throws -> Value {
        // ROLLBACK has nothing to undo here. It is sent so that the connection prepares it now. After a failed
        // statement, the preparation could fail.
        _ = try await run(["SAVEPOINT attempt", "ROLLBACK TO SAVEPOINT attempt"])
        do {
            let value = try await body()
            _ = try await run(["RELEASE SAVEPOINT attempt"])
            return value
        } catch {
            guard failure.map({ $0.kind == .server && !$0.allowsRetry }) ?? true else { throw error }
            failure = nil
            _ = try await run(["ROLLBACK TO SAVEPOINT attempt"])
            _ = try await run(["RELEASE SAVEPOINT attempt"])
            throw error
        }
    }

    private func run(_ statements: [SQL]) async throws(PostgresError) -> [Rows] {
        if let failure { throw failure }
        guard !isFinished else { throw PostgresError(.invalid, "the transaction has ended") }
        if statements.contains(where: \.parameters.isInvalid) { throw .unstorable }
        let preamble = hasBegun ? [] : openingStatements
        hasBegun = true
        do {
            return try await exchange(preamble + statements, preamble: preamble.count)
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    private func exchange(_ statements: [SQL], preamble: Int) async throws(PostgresError) -> [Rows] {
        guard connection.state == .ready else {
            throw PostgresError(.connectionLost, "the connection was closed", sqlState: .connectionFailure)
        }
        let deadline = EventLoop.monotonicNow() + timeout.nanoseconds
        let answer: Exchange.Answer = await withUnsafeContinuation { continuation in
            connection.send(
                Exchange(
                    statements: statements, preamble: preamble, deadline: deadline, continuation: continuation))
        }
        return try answer.get()
    }

    // MARK: Ending

    enum CommitFailure: Error {
        /// The server rolled back, or COMMIT was not sent.
        case rolledBack(PostgresError)
        /// The connection broke before COMMIT was answered.
        case unknown(PostgresError)
    }

    func commit() async throws(CommitFailure) {
        isFinished = true
        guard hasBegun else { return }
        if let failure { throw .rolledBack(failure) }
        guard connection.state == .ready else {
            throw .rolledBack(
                PostgresError(.connectionLost, "the connection was closed", sqlState: .connectionFailure))
        }
        let rows: [Rows]
        do {
            rows = try await exchange(["COMMIT"], preamble: 0)
        } catch {
            // The result is unknown after a deadline too, because COMMIT may have succeeded before it was cancelled.
            throw error.meansLostConnection || error.kind == .timedOut ? .unknown(error) : .rolledBack(error)
        }
        guard rows.first?.commandTag == "COMMIT" else {
            throw .rolledBack(
                PostgresError(.server, "a statement of the transaction has failed", sqlState: .invalidTransaction))
        }
    }

    func rollBack() async {
        isFinished = true
        guard hasBegun, connection.state == .ready else { return }
        // If it fails, the pool closes the connection and the server rolls back.
        _ = try? await exchange(["ROLLBACK"], preamble: 0)
    }
}
