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

    /// Creates a date from year (1 … 9999), month and day, which must exist.
    package init(year: Int, month: Int, day: Int) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSince1970 = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// In the proleptic Gregorian calendar; year 0 precedes year 1.
    package var yearMonthDay: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

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
