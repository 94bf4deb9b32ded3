import CPostgres

/// A blocking connection, for commands, migrations and tests. Not for use on an event loop.
package final class SynchronousConnection {
    private let handle: OpaquePointer

    /// - Throws: `PostgresError` of kind `unavailable`.
    package init(_ settings: PostgresSettings) throws(PostgresError) {
        let handle = settings.withParameters { PQconnectdbParams($0, $1, 0) }
        guard let handle else { throw PostgresError(.unavailable, "out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let error = PostgresError(.unavailable, PostgresError.message(of: handle))
            PQfinish(handle)
            throw error
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// Runs one statement.
    ///
    /// - Throws: `invalid` for a value that cannot be stored or too many values, `server`, `connectionLost`.
    @discardableResult
    package func query(_ sql: SQL) throws(PostgresError) -> Rows {
        guard !sql.parameters.isInvalid else { throw .unstorable }
        let result = sql.parameters.withLibpqArrays { types, values, lengths, formats in
            PQexecParams(handle, sql.text, Int32(sql.parameters.count), types, values, lengths, formats, 1)
        }
        return try check(result)
    }

    /// Runs a script of several statements. They are one transaction unless the script contains transaction blocks.
    ///
    /// - Throws: `invalid` if the script contains U+0000, `server` for the first error, `connectionLost`.
    package func run(script: String) throws(PostgresError) {
        guard !script.utf8.contains(0) else { throw .unstorable }
        _ = try check(PQexec(handle, script))
    }

    var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    private func check(_ result: OpaquePointer?) throws(PostgresError) -> Rows {
        guard let result else {
            throw PostgresError(.connectionLost, PostgresError.message(of: handle), sqlState: .connectionFailure)
        }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return Rows(result: result)
        default:
            defer { PQclear(result) }
            throw PostgresError(result: result)
        }
    }
}

extension PostgresError {
    static let unstorable = PostgresError(
        .invalid, "a value cannot be stored (U+0000 in a text, or out of range), or there are more than 65,535 values")
}
