import Domain
import Postgres

// How the domain's values lie in columns.

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
extension Currency: PostgresConvertible, PostgresValue, PostgresArrayElement {}
extension LineKind: PostgresConvertible, PostgresValue, PostgresArrayElement {}
