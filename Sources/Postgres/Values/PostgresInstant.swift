/// `timestamptz`: an instant, in microseconds since 1970-01-01 00:00 UTC.
package struct PostgresInstant: PostgresValue, Hashable {
    /// Negative before 1970.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    private static let from1970To2000: Int64 = 946_684_800_000_000

    package static var postgresType: PostgresType { .timestamptz }

    package func encode(into parameters: inout Parameters) {
        // On overflow, sends a value that PostgreSQL refuses as out of range.
        let (value, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.from1970To2000)
        parameters.write(overflow ? .min + 1 : value)
    }

    /// `infinity` is out of range.
    package init(cell: Cell) throws(CellError) {
        let value = try cell.microseconds(.timestamptz)
        guard value != .max, value != .min else { throw .outOfRange }
        let (sum, overflow) = value.addingReportingOverflow(Self.from1970To2000)
        guard !overflow else { throw .outOfRange }
        microsecondsSince1970 = sum
    }
}
