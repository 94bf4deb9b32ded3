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
