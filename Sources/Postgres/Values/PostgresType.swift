/// A type's object identifier (`pg_type.oid`), fixed for the built-in types.
package struct PostgresType: Hashable, Sendable {
    /// The identifier. Identifiers below 16384 are the same on every server; others differ between databases.
    package let oid: UInt32

    package init(oid: UInt32) { self.oid = oid }

    /// The server infers the type.
    package static let unspecified = PostgresType(oid: 0)
    /// One byte, 0 or 1.
    package static let bool = PostgresType(oid: 16)
    /// Arbitrary bytes.
    package static let bytea = PostgresType(oid: 17)
    /// `"char"` with quotes: one byte, used in system catalogs.
    package static let char = PostgresType(oid: 18)
    /// Identifiers in system catalogs, at most 63 bytes.
    package static let name = PostgresType(oid: 19)
    /// `bigint`.
    package static let int8 = PostgresType(oid: 20)
    /// `smallint`.
    package static let int2 = PostgresType(oid: 21)
    /// `integer`.
    package static let int4 = PostgresType(oid: 23)
    /// Text of any length, in UTF-8, which connections request.
    package static let text = PostgresType(oid: 25)
    /// Object identifiers: unsigned, 32 bits.
    package static let oid = PostgresType(oid: 26)
    /// JSON, stored as text.
    package static let json = PostgresType(oid: 114)
    /// `real`.
    package static let float4 = PostgresType(oid: 700)
    /// `double precision`.
    package static let float8 = PostgresType(oid: 701)
    /// `character(n)`, padded with spaces.
    package static let bpchar = PostgresType(oid: 1042)
    /// `character varying(n)`.
    package static let varchar = PostgresType(oid: 1043)
    /// Days since 2000-01-01, in four bytes.
    package static let date = PostgresType(oid: 1082)
    /// Microseconds since midnight, in eight bytes, without time zone.
    package static let time = PostgresType(oid: 1083)
    /// Microseconds since 2000-01-01 00:00, without time zone.
    package static let timestamp = PostgresType(oid: 1114)
    /// Microseconds since 2000-01-01 00:00 UTC.
    package static let timestamptz = PostgresType(oid: 1184)
    /// Exact decimals; the type of `sum(bigint)`.
    package static let numeric = PostgresType(oid: 1700)
    /// Sixteen bytes.
    package static let uuid = PostgresType(oid: 2950)
    /// Parsed JSON; its binary format is the version byte 1 and the text.
    package static let jsonb = PostgresType(oid: 3802)

    /// The type of arrays of this type; `unspecified` if unknown.
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

    /// Whether the type belongs to an extension or a user.
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
