/// `time`: microseconds since midnight.
package struct PostgresTime: PostgresValue, Hashable {
    /// 0 … 86,400,000,000. The maximum is 24:00, which PostgreSQL allows.
    package let microsecondsSinceMidnight: Int64

    package init(microsecondsSinceMidnight: Int64) { self.microsecondsSinceMidnight = microsecondsSinceMidnight }

    package static var postgresType: PostgresType { .time }
    package func encode(into parameters: inout Parameters) { parameters.write(microsecondsSinceMidnight) }
    package init(cell: Cell) throws(CellError) { microsecondsSinceMidnight = try cell.microseconds(.time) }
}
