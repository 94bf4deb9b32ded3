import CPostgres

/// The result of one statement.
package final class Rows: @unchecked Sendable {
    // Safe to share: libpq does not change a result after creating it, and `deinit` frees the result.
    private let result: OpaquePointer
    /// Number of rows returned; see ``affected`` for the number of rows changed.
    package let count: Int
    /// Number of columns; 0 for a statement that returns no rows.
    package let columnCount: Int

    /// Takes ownership of the result.
    init(result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    /// Number of rows that INSERT, UPDATE, DELETE or MERGE changed or SELECT returned; 0 for other statements.
    package var affected: Int {
        var number = 0
        // PQcmdTuples never returns null for a valid result.
        guard var digit = PQcmdTuples(result) else { return 0 }
        while digit.pointee != 0 {
            number = number * 10 + Int(digit.pointee) - 48
            digit += 1
        }
        return number
    }

    /// The command tag: `SELECT 3`, `COMMIT`.
    package var commandTag: String { String(cString: PQcmdStatus(result)) }

    /// Name of a column, counted from 0; for messages.
    package func columnName(_ column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? "column \(column + 1)"
    }

    func cell(_ row: Int, _ column: Int) -> Cell {
        precondition(row < count && column < columnCount, "row \(row) column \(column) of \(count) × \(columnCount)")
        let row = Int32(truncatingIfNeeded: row)
        let column = Int32(truncatingIfNeeded: column)
        let type = PostgresType(oid: PQftype(result, column))
        let length = Int(PQgetlength(result, row, column))
        if length == 0, PQgetisnull(result, row, column) != 0 {
            return Cell(bytes: UnsafeRawBufferPointer(start: nil, count: 0), type: type, isNull: true)
        }
        return Cell(
            bytes: UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length), type: type,
            isNull: false)
    }

    // MARK: Reading

    /// Decodes every row: `try rows.decode((Int64, String?).self)`.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for the first row that does not fit.
    package func decode<each Value: PostgresValue>(
        _: (repeat each Value).Type
    ) throws(PostgresError) -> [(repeat each Value)] {
        var values: [(repeat each Value)] = []
        values.reserveCapacity(count)
        for row in self { values.append(try row.decode((repeat each Value).self)) }
        return values
    }

    /// Decodes the first column of every row: `try rows.decode(Int64.self)`.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for the first row that does not fit.
    package func decode<Value: PostgresValue>(_: Value.Type) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for row in self { values.append(try row.decode(0)) }
        return values
    }

    /// Decodes every row as `Value`.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for the first row that does not fit.
    package func decode<Value: RowDecodable>(_: Value.Type = Value.self) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for row in self {
            var reader = RowReader(of: row)
            values.append(try Value(from: &reader))
        }
        return values
    }

    /// Decodes the first row; nil if there is none.
    package func first<each Value: PostgresValue>(
        _: (repeat each Value).Type
    ) throws(PostgresError) -> (repeat each Value)? {
        guard let row = first else { return nil }
        return try row.decode((repeat each Value).self)
    }

    /// Decodes the first column of the first row; nil if there is no row.
    package func first<Value: PostgresValue>(_: Value.Type) throws(PostgresError) -> Value? {
        guard let row = first else { return nil }
        // Decodes `Value` itself, so that NULL in an optional column differs from a missing row.
        let value: Value = try row.decode(0)
        return value
    }

    /// Decodes the first row as `Value`; nil if there is none.
    package func first<Value: RowDecodable>(_: Value.Type = Value.self) throws(PostgresError) -> Value? {
        guard let row = first else { return nil }
        var reader = RowReader(of: row)
        return try Value(from: &reader)
    }
}

extension Rows: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
    package subscript(index: Int) -> Row {
        precondition(index >= 0 && index < count, "row \(index) of \(count)")
        return Row(rows: self, index: index)
    }
}
