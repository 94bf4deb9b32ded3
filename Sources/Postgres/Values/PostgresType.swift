/// A type's object identifier (`pg_type.oid`), fixed for the built-in types.
package struct PostgresType: Hashable, Sendable {
    package let oid: UInt32

    package init(oid: UInt32) { self.oid = oid }

    /// Left to the server to infer.
    package static let unspecified = PostgresType(oid: 0)
    package static let bool = PostgresType(oid: 16)
    package static let bytea = PostgresType(oid: 17)
    package static let char = PostgresType(oid: 18)
    package static let name = PostgresType(oid: 19)
    package static let int8 = PostgresType(oid: 20)
    package static let int2 = PostgresType(oid: 21)
    package static let int4 = PostgresType(oid: 23)
    package static let text = PostgresType(oid: 25)
    package static let oid = PostgresType(oid: 26)
    package static let json = PostgresType(oid: 114)
    package static let float4 = PostgresType(oid: 700)
    package static let float8 = PostgresType(oid: 701)
    package static let bpchar = PostgresType(oid: 1042)
    package static let varchar = PostgresType(oid: 1043)
    package static let date = PostgresType(oid: 1082)
    package static let time = PostgresType(oid: 1083)
    package static let timestamp = PostgresType(oid: 1114)
    package static let timestamptz = PostgresType(oid: 1184)
    package static let numeric = PostgresType(oid: 1700)
    package static let uuid = PostgresType(oid: 2950)
    package static let jsonb = PostgresType(oid: 3802)

    /// The type of arrays of this one; unspecified where unknown.
    package var array: PostgresType {
        switch self {
        case .bool: PostgresType(oid: 1000)
        case .bytea: PostgresType(oid: 1001)
        case .int2: PostgresType(oid: 1005)
        case .int4: PostgresType(oid: 1007)
        case .text: PostgresType(oid: 1009)
        case .int8: PostgresType(oid: 1016)
        case .float4: PostgresType(oid: 1021)
        case .float8: PostgresType(oid: 1022)
        case .timestamp: PostgresType(oid: 1115)
        case .date: PostgresType(oid: 1182)
        case .time: PostgresType(oid: 1183)
        case .timestamptz: PostgresType(oid: 1185)
        case .uuid: PostgresType(oid: 2951)
        case .jsonb: PostgresType(oid: 3807)
        default: .unspecified
        }
    }

    /// Extensions' types and enums have identifiers from here on.
    var isUserDefined: Bool { oid >= 16384 }
}

extension PostgresType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bool: "bool"
        case .bytea: "bytea"
        case .char: "\"char\""
        case .name: "name"
        case .int8: "int8"
        case .int2: "int2"
        case .int4: "int4"
        case .text: "text"
        case .json: "json"
        case .float4: "float4"
        case .float8: "float8"
        case .bpchar: "bpchar"
        case .varchar: "varchar"
        case .date: "date"
        case .time: "time"
        case .timestamp: "timestamp"
        case .timestamptz: "timestamptz"
        case .numeric: "numeric"
        case .uuid: "uuid"
        case .jsonb: "jsonb"
        default: "type \(oid)"
        }
    }
}
