/// One row of a result.
package struct Row: Sendable {
    let rows: Rows
    let index: Int

    /// Decodes a column, counted from 0. NULL needs an optional type.
    package subscript<Value: PostgresValue>(column: Int, as _: Value.Type = Value.self) -> Value {
        get throws(PostgresError) { try decode(column) }
    }

    /// Decodes as many columns as the tuple has types: `let (id, name) = try row.decode((Int64, String?).self)`.
    ///
    /// - Throws: `PostgresError` of kind `decoding` with the name of the column.
    package func decode<each Value: PostgresValue>(
        _: (repeat each Value).Type
    ) throws(PostgresError) -> (repeat each Value) {
        var column = 0
        return (repeat try next((each Value).self, &column))
    }

    private func next<Value: PostgresValue>(_: Value.Type, _ column: inout Int) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try decode(column)
    }

    /// Calls `body` with the bytes of a bytea column without copying them. The bytes are valid until `body` returns.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for NULL or another type; the errors of `body`.
    package func withBytes<Value>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        let bytes: UnsafeRawBufferPointer
        do {
            bytes = try rows.cell(index, column).bytea()
        } catch {
            throw decodingError(column, [UInt8].self, error)
        }
        return try withExtendedLifetime(rows) { try body(bytes) }
    }

    func decode<Value: PostgresValue>(_ column: Int) throws(PostgresError) -> Value {
        // The cell points to memory of the result, so the result must not be freed before.
        defer { withExtendedLifetime(rows) {} }
        do {
            return try Value(cell: rows.cell(index, column))
        } catch {
            throw decodingError(column, Value.self, error)
        }
    }

    /// Decodes a column as an optional, without the generic decoding of `Optional`.
    func decodeIfAny<Value: PostgresValue>(_ column: Int) throws(PostgresError) -> Value? {
        defer { withExtendedLifetime(rows) {} }
        let cell = rows.cell(index, column)
        guard !cell.isNull else { return nil }
        do {
            return try Value(cell: cell)
        } catch {
            throw decodingError(column, Value?.self, error)
        }
    }

    private func decodingError(_ column: Int, _ wanted: Any.Type, _ error: CellError) -> PostgresError {
        let name = rows.columnName(column)
        let type = rows.cell(index, column).type
        let reason =
            switch error {
            case .null: "is null"
            case .mismatch: "is \(type)"
            case .malformed: "has a malformed \(type)"
            case .outOfRange: "holds a value out of range"
            }
        var failure = PostgresError(.decoding, "column \"\(name)\" \(reason), requested as \(wanted)")
        failure.column = name
        return failure
    }
}

/// A type that is decoded from a row.
package protocol RowDecodable {
    /// Decodes a row with ``RowReader/next(_:)``, column by column in the order in which the statement selects them.
    init(from row: inout RowReader) throws(PostgresError)
}

/// Reads the columns of a row in order.
package struct RowReader {
    /// The row, for reading a column out of order.
    package let row: Row
    /// Index of the column that the next call reads, from 0.
    package private(set) var column = 0

    package init(of row: Row) { self.row = row }

    /// Decodes the next column, which the statement must select.
    ///
    /// - Throws: `PostgresError` of kind `decoding` with the name of the column, also for NULL.
    package mutating func next<Value: PostgresValue>(_: Value.Type = Value.self) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try row.decode(column)
    }

    /// Decodes the next column; nil for NULL.
    package mutating func next<Value: PostgresValue>(
        _: Value?.Type = Value?.self
    ) throws(PostgresError) -> Value? {
        defer { column += 1 }
        return try row.decodeIfAny(column)
    }

    // Overloads for the most frequent types. The compiler does not specialise generic code for callers in other
    // modules, and pages read thousands of cells.

    /// Decodes `int8` or a smaller integer; nil for NULL.
    package mutating func next() throws(PostgresError) -> Int64? { try nextIfAny() }
    /// Decodes `bool`; nil for NULL.
    package mutating func next() throws(PostgresError) -> Bool? { try nextIfAny() }
    /// Decodes text, an enum or JSON; nil for NULL.
    package mutating func next() throws(PostgresError) -> String? { try nextIfAny() }
    /// Decodes `uuid`; nil for NULL.
    package mutating func next() throws(PostgresError) -> PostgresUUID? { try nextIfAny() }
    /// Decodes a date; nil for NULL. `infinity` fails.
    package mutating func next() throws(PostgresError) -> PostgresDate? { try nextIfAny() }

    @inline(__always)
    private mutating func nextIfAny<Value: PostgresValue>() throws(PostgresError) -> Value? {
        defer { column += 1 }
        return try row.decodeIfAny(column)
    }
}
