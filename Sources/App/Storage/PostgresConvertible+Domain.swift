import Domain
import Postgres

// The column types of domain values.

extension Identifier: PostgresConvertible, PostgresValue, PostgresArrayElement {
    package var postgresStored: PostgresUUID { PostgresUUID(high: high, low: low) }
    package init?(postgresStored: PostgresUUID) { self.init(high: postgresStored.high, low: postgresStored.low) }
}

extension LocalDate: PostgresConvertible, PostgresValue, PostgresArrayElement {
    package var postgresStored: PostgresDate { PostgresDate(daysSince1970: Int32(truncatingIfNeeded: dayNumber)) }
    package init?(postgresStored: PostgresDate) { self.init(dayNumber: Int(postgresStored.daysSince1970)) }
}

extension Language: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension Member.Role: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension Country: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension Currency: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension ExpenseKind: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension MoneyFlow: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension LineKind: PostgresConvertible, PostgresValue, PostgresArrayElement {}

extension RowReader {
    // Specialised for speed: lists read hundreds of these values, and the generic versions are in another module.

    mutating func next<Tag>() throws(PostgresError) -> Identifier<Tag>? {
        let stored: PostgresUUID? = try next()
        return stored.map { Identifier(high: $0.high, low: $0.low) }
    }

    mutating func next() throws(PostgresError) -> LocalDate? {
        let stored: PostgresDate? = try next()
        return stored.map { LocalDate(dayNumber: Int($0.daysSince1970)) }
    }
}
