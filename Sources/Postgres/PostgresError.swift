/// What PostgreSQL, or the way to it, refused.
///
/// Its description never holds contents of rows or parameters, so that it can be logged; `message` and `detail` may.
package struct PostgresError: Error, Sendable, Hashable {
    /// What a caller can do about the error differs by this.
    package enum Kind: Sendable, Hashable {
        /// The server refused; `sqlState` says why.
        case server
        /// No connection could be had in time. Nothing was sent: answer 503 and try again later.
        case unavailable
        /// The connection broke after the statement was sent: a write may or may not have happened.
        case connectionLost
        /// The deadline passed. The statement was cancelled; one that still waited behind another may yet happen.
        case timedOut
        /// The connection broke while COMMIT was under way, and no way was given to find out what became of it.
        case commitUnknown
        /// A value in the result is not what was asked for.
        case decoding
        /// A value that PostgreSQL cannot store, or a transaction used after its end.
        case invalid
    }

    /// Whose refusal it is, and what is known of a write.
    package var kind: Kind
    /// `SQLState.none` where neither the server nor the way it failed gives one.
    package var sqlState: SQLState
    /// The server's or the library's words. May quote values.
    package var message: String
    /// May quote values.
    package var detail: String?
    /// The name of the violated constraint; nil for other errors.
    package var constraint: String?
    /// Where the server names it: with violated constraints mostly.
    package var table: String?
    /// The server's name for it, or the column of a result that could not be decoded.
    package var column: String?
    /// In characters of the statement, from 1: where a syntax error is.
    package var position: Int?
    /// Hit by what was meant for another statement; rolled back, to be sent again.
    var isMishap = false

    init(_ kind: Kind, _ message: String, sqlState: SQLState = .none) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
    }

    /// Somebody else has the value already: `23505`.
    package var isUniqueViolation: Bool { sqlState == .uniqueViolation }

    /// True when the database cannot be reached now; a page answers 503.
    package var isUnavailable: Bool { kind == .unavailable || meansLostConnection }

    /// The connection is gone, or the server said that it is about to close it.
    var meansLostConnection: Bool {
        kind == .connectionLost || sqlState.isClass("08") || sqlState == .adminShutdown || sqlState == .crashShutdown
            || sqlState == .cannotConnectNow
    }

    /// The transaction was surely rolled back for a reason that lies in the moment, so the same again may succeed.
    var isRolledBackByChance: Bool {
        sqlState == .serializationFailure || sqlState == .deadlockDetected || meansStalePlan || isMishap
    }

    /// The prepared statement has to be prepared anew.
    var meansStalePlan: Bool {
        sqlState == .invalidStatementName || (sqlState == .featureNotSupported && message.contains("cached plan"))
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var text = "PostgreSQL"
        if sqlState != .none { text += " \(sqlState)" }
        text += " \(kind)"
        // Data exceptions and raised exceptions quote values in their message.
        if !sqlState.isClass("22"), !sqlState.isClass("P0") { text += ": \(message)" }
        if let constraint { text += " (constraint \(constraint))" }
        if let table { text += " (table \(table))" }
        if let column { text += " (column \(column))" }
        if let position { text += " (at character \(position))" }
        return text
    }
}

/// The five characters of PostgreSQL's appendix A; an open set.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
    /// Five digits and upper-case letters; empty when there is none.
    package let code: String

    package init(_ code: String) { self.code = code }

    package var description: String { code }

    /// The first two characters are the class.
    package func isClass(_ prefix: String) -> Bool { code.hasPrefix(prefix) }

    static let none = SQLState("")
    /// `08006`: the connection broke. Given by the pool too, where no word came from the server.
    package static let connectionFailure = SQLState("08006")
    /// `0A000`: not supported; a prepared statement whose result would have changed its type says so too.
    package static let featureNotSupported = SQLState("0A000")
    /// `23502`: NULL where the column takes none.
    package static let notNullViolation = SQLState("23502")
    /// `23503`: the row referred to is missing, or the one to go is still referred to.
    package static let foreignKeyViolation = SQLState("23503")
    /// `23505`: a row with these values exists already.
    package static let uniqueViolation = SQLState("23505")
    /// `23514`: a CHECK said no.
    package static let checkViolation = SQLState("23514")
    /// `25P02`: an earlier statement of the transaction failed; only ROLLBACK is heard.
    package static let invalidTransaction = SQLState("25P02")
    /// `26000`: no prepared statement has this name.
    package static let invalidStatementName = SQLState("26000")
    /// `40001`: what was read has been changed by another; the transaction may be run again.
    package static let serializationFailure = SQLState("40001")
    /// `40P01`: two transactions waited for each other, and this one was chosen to end; it may be run again.
    package static let deadlockDetected = SQLState("40P01")
    /// `42501`: the role lacks the right, or row-level security refused the row.
    package static let insufficientPrivilege = SQLState("42501")
    /// `55P03`: the lock was not to be had within `lock_timeout`, or at once with NOWAIT.
    package static let lockNotAvailable = SQLState("55P03")
    /// `57014`: cancelled by request or by `statement_timeout`.
    package static let queryCanceled = SQLState("57014")
    /// `57P01`: the server is being shut down, or somebody ended the connection.
    package static let adminShutdown = SQLState("57P01")
    /// `57P02`: another process of the server crashed, and all connections were ended.
    package static let crashShutdown = SQLState("57P02")
    /// `57P03`: the server is starting or stopping.
    package static let cannotConnectNow = SQLState("57P03")
}

/// Turns violations of named constraints into errors of the domain: runs `body`, and where it fails on one of the
/// constraints throws what stands beside its name.
///
///     try await onConstraint(["product_household_id_name_key": ProductError.nameTaken]) { try await tx.query(…) }
///
/// Inside a transaction the transaction is lost by then: let the error leave its closure.
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
