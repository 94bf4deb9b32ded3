/// An error of PostgreSQL or of the connection to it.
///
/// Its description contains no values of rows or parameters, so that it can be logged. `message` and `detail` may
/// contain them.
package struct PostgresError: Error, Sendable, Hashable {
    /// The kind of an error, which determines how to handle it.
    package enum Kind: Sendable, Hashable {
        /// The server reported an error; see `sqlState`.
        case server
        /// No connection was available in time. Nothing was sent: answer 503 and retry later.
        case unavailable
        /// The connection broke. A statement outside a transaction may or may not have been executed.
        case connectionLost
        /// The deadline passed. A running statement was cancelled. A statement that waited for another statement on
        /// the same connection may still be executed.
        case timedOut
        /// The connection broke during COMMIT, and no `wasCommitted` was given to find out whether it succeeded.
        case commitUnknown
        /// A value in the result does not have the requested type.
        case decoding
        /// A value that PostgreSQL cannot store, too many values, or use of a transaction after its end.
        case invalid
    }

    package var kind: Kind
    /// `SQLState.none` if there is none.
    package var sqlState: SQLState
    /// The message of the server or of libpq. May contain values.
    package var message: String
    /// The server's detail message. May contain values.
    package var detail: String?
    /// Name of the violated constraint; nil for other errors.
    package var constraint: String?
    /// Name of the table, if the server gives it, mostly with constraint violations.
    package var table: String?
    /// Name of the column: the one that the server reports, or the one that could not be decoded.
    package var column: String?
    /// Position of a syntax error in characters of the statement, from 1.
    package var position: Int?
    /// True if a cancellation that was meant for another statement cancelled this one. The statement was rolled back
    /// and is sent again.
    var isMisdirectedCancellation = false

    init(_ kind: Kind, _ message: String, sqlState: SQLState = .none) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
    }

    /// Whether the database cannot be reached. The server then answers the request with 503.
    package var isUnavailable: Bool { kind == .unavailable || meansLostConnection }

    /// Whether a job that failed with this error can succeed when it runs again, without a change of its data.
    package var isTemporary: Bool {
        isUnavailable || allowsRetry || kind == .timedOut || kind == .commitUnknown
    }

    /// Whether the connection is lost or the server is about to close it.
    var meansLostConnection: Bool {
        kind == .connectionLost || sqlState.isClass("08") || sqlState == .adminShutdown || sqlState == .crashShutdown
            || sqlState == .cannotConnectNow
    }

    /// Whether the transaction was certainly rolled back for a temporary reason, so that a retry may succeed.
    var allowsRetry: Bool {
        sqlState == .serializationFailure || sqlState == .deadlockDetected || meansStalePlan
            || isMisdirectedCancellation
    }

    /// Whether the statement must be prepared again.
    var meansStalePlan: Bool {
        sqlState == .invalidStatementName || (sqlState == .featureNotSupported && message.contains("cached plan"))
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var text = "PostgreSQL"
        if sqlState != .none { text += " \(sqlState)" }
        text += " \(kind)"
        // The messages of data exceptions (class 22) and of RAISE (class P0) contain values.
        if !sqlState.isClass("22"), !sqlState.isClass("P0") { text += ": \(message)" }
        if let constraint { text += " (constraint \(constraint))" }
        if let table { text += " (table \(table))" }
        if let column { text += " (column \(column))" }
        if let position { text += " (at character \(position))" }
        return text
    }
}

/// An SQLSTATE code (PostgreSQL documentation, appendix A).
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
    /// Five digits and upper-case letters; empty if there is none.
    package let code: String

    package init(_ code: String) { self.code = code }

    package var description: String { code }

    /// Whether the code is in the class `prefix`, the first two characters of a code.
    package func isClass(_ prefix: String) -> Bool { code.hasPrefix(prefix) }

    static let none = SQLState("")
    /// `08006`: connection failure. Also used by the pool if the server sent no message.
    package static let connectionFailure = SQLState("08006")
    /// `0A000`: feature not supported. Also reported if the result type of a prepared statement has changed.
    package static let featureNotSupported = SQLState("0A000")
    /// `22003`: a number does not fit in its type.
    package static let numericValueOutOfRange = SQLState("22003")
    /// `23503`: foreign key violation.
    package static let foreignKeyViolation = SQLState("23503")
    /// `23505`: unique violation.
    package static let uniqueViolation = SQLState("23505")
    /// `23514`: check violation.
    package static let checkViolation = SQLState("23514")
    /// `25P02`: an earlier statement of the transaction failed; only ROLLBACK is accepted.
    package static let invalidTransaction = SQLState("25P02")
    /// `26000`: there is no prepared statement of this name.
    package static let invalidStatementName = SQLState("26000")
    /// `40001`: serialization failure; the transaction may be retried.
    package static let serializationFailure = SQLState("40001")
    /// `40P01`: deadlock; the transaction was rolled back and may be retried.
    package static let deadlockDetected = SQLState("40P01")
    /// `42501`: insufficient privilege, or row-level security refused the row.
    package static let insufficientPrivilege = SQLState("42501")
    /// `53100`: the server's disk is full.
    package static let diskFull = SQLState("53100")
    /// `55P03`: the lock was not available within `lock_timeout`, or at once with NOWAIT.
    package static let lockNotAvailable = SQLState("55P03")
    /// `57014`: cancelled on request or by `statement_timeout`.
    package static let queryCanceled = SQLState("57014")
    /// `57P01`: the server is shutting down, or an administrator ended the connection.
    package static let adminShutdown = SQLState("57P01")
    /// `57P02`: a server process crashed, and the server ended all connections.
    package static let crashShutdown = SQLState("57P02")
    /// `57P03`: the server is starting or stopping.
    package static let cannotConnectNow = SQLState("57P03")
}

/// Turns violations of named constraints into errors of the domain: runs `body`, and throws the error given for the
/// constraint that it violates.
///
///     try await onConstraint(["product_household_name_key": NameTaken()]) { try await tx.query(…) }
///
/// A violation makes an enclosing transaction fail, so its closure must pass the error on.
package func onConstraint<Value>(
    _ errors: [String: any Error], _ body: () async throws -> Value
) async throws -> Value {
    do {
        return try await body()
    } catch let error as PostgresError {
        if error.sqlState.isClass("23"), let constraint = error.constraint, let replacement = errors[constraint] {
            throw replacement
        }
        throw error
    }
}
