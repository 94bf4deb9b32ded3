/// `uuid`.
package struct PostgresUUID: PostgresValue, Hashable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static var postgresType: PostgresType { .uuid }

    package func encode(into parameters: inout Parameters) {
        parameters.write(high)
        parameters.write(low)
    }

    package init(cell: Cell) throws(CellError) { (high, low) = try cell.uuid() }
}

/// `jsonb`, as the bytes of its text, which PostgreSQL checks.
package struct PostgresJSON: PostgresValue, Hashable {
    /// UTF-8. A value that was read has jsonb's formatting, which may differ from what was written.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// - Parameter text: JSON; not checked here.
    package init(_ text: String) { bytes = Array(text.utf8) }

    package static var postgresType: PostgresType { .jsonb }

    package func encode(into parameters: inout Parameters) {
        parameters.write(UInt8(1))  // version of jsonb's binary form
        parameters.writeInline(bytes)
    }

    package init(cell: Cell) throws(CellError) { bytes = Array(try cell.textBytes()) }
}

/// `date`: days since 1970-01-01 in the proleptic Gregorian calendar.
package struct PostgresDate: PostgresValue, Hashable {
    /// Negative before 1970.
    package let daysSince1970: Int32

    package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    private static let daysFrom1970To2000: Int32 = 10_957

    package static var postgresType: PostgresType { .date }

    package func encode(into parameters: inout Parameters) { parameters.write(daysSince1970 - Self.daysFrom1970To2000) }

    /// `infinity` is out of range.
    package init(cell: Cell) throws(CellError) {
        let days = try cell.days()
        guard days != .max, days != .min else { throw .outOfRange }
        daysSince1970 = days + Self.daysFrom1970To2000
    }
}

/// `timestamptz`: an instant, in microseconds since 1970-01-01 00:00 UTC.
package struct PostgresInstant: PostgresValue, Hashable {
    /// Negative before 1970.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    private static let from1970To2000: Int64 = 946_684_800_000_000

    package static var postgresType: PostgresType { .timestamptz }

    package func encode(into parameters: inout Parameters) {
        // PostgreSQL refuses the earliest value that 64 bits can hold, so saturating is safe.
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

/// `time`: microseconds since midnight.
package struct PostgresTime: PostgresValue, Hashable {
    /// 0 … 86,400,000,000; the latter is 24:00, which PostgreSQL allows.
    package let microsecondsSinceMidnight: Int64

    package init(microsecondsSinceMidnight: Int64) { self.microsecondsSinceMidnight = microsecondsSinceMidnight }

    package static var postgresType: PostgresType { .time }
    package func encode(into parameters: inout Parameters) { parameters.write(microsecondsSinceMidnight) }
    package init(cell: Cell) throws(CellError) { microsecondsSinceMidnight = try cell.microseconds(.time) }
}
