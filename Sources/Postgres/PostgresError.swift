/// What PostgreSQL, or the way to it, refused.
///
/// Its description never holds contents of rows or parameters, so that it can be logged; `message` and `detail` may.
package struct PostgresError: Error, Sendable, Hashable {
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

    package var kind: Kind
    package var sqlState: SQLState
    /// The server's or the library's words. May quote values.
    package var message: String
    /// May quote values.
    package var detail: String?
    package var constraint: String?
    package var table: String?
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
    package let code: String

    package init(_ code: String) { self.code = code }

    package var description: String { code }

    /// The first two characters are the class.
    package func isClass(_ prefix: String) -> Bool { code.hasPrefix(prefix) }

    static let none = SQLState("")
    package static let connectionFailure = SQLState("08006")
    package static let featureNotSupported = SQLState("0A000")
    package static let notNullViolation = SQLState("23502")
    package static let foreignKeyViolation = SQLState("23503")
    package static let uniqueViolation = SQLState("23505")
    package static let checkViolation = SQLState("23514")
    package static let invalidTransaction = SQLState("25P02")
    package static let invalidStatementName = SQLState("26000")
    package static let serializationFailure = SQLState("40001")
    package static let deadlockDetected = SQLState("40P01")
    package static let insufficientPrivilege = SQLState("42501")
    package static let lockNotAvailable = SQLState("55P03")
    package static let queryCanceled = SQLState("57014")
    package static let adminShutdown = SQLState("57P01")
    package static let crashShutdown = SQLState("57P02")
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
