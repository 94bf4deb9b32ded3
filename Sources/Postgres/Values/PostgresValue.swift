/// A value that can be bound in ``SQL`` and read from a ``Row``, in PostgreSQL's binary format.
///
/// Types of other modules usually conform through ``PostgresConvertible``.
package protocol PostgresValue: PostgresArrayElement {
    /// The type of a parameter with this value.
    static var postgresType: PostgresType { get }
    /// Appends the binary form of this value, or calls ``Parameters/writeNull()``.
    func encode(into parameters: inout Parameters)
    /// Decodes the binary format.
    init(cell: Cell) throws(CellError)
}

/// A value that is stored as a value of another type: an identifier as `PostgresUUID`, an amount as `Int64`.
///
/// Enums with a raw value conform without further code: `extension LineKind: PostgresConvertible {}`.
package protocol PostgresConvertible: PostgresValue {
    associatedtype PostgresStored: PostgresValue
    /// The value that is bound.
    var postgresStored: PostgresStored { get }
    /// Returns nil for an invalid stored value; decoding then fails with the name of the column.
    init?(postgresStored: PostgresStored)
}

extension PostgresConvertible {
    package static var postgresType: PostgresType { PostgresStored.postgresType }

    package func encode(into parameters: inout Parameters) { postgresStored.encode(into: &parameters) }

    package init(cell: Cell) throws(CellError) {
        guard let value = Self(postgresStored: try PostgresStored(cell: cell)) else { throw .outOfRange }
        self = value
    }
}

extension PostgresConvertible where Self: RawRepresentable, RawValue: PostgresValue {
    /// Enums are stored as their raw value.
    package var postgresStored: RawValue { rawValue }
    /// Returns nil for a raw value without a case.
    package init?(postgresStored: RawValue) { self.init(rawValue: postgresStored) }
}

/// The reason why a cell cannot be decoded.
package enum CellError: Error, Sendable {
    /// NULL, but the Swift type is not optional.
    case null
    /// The column has another type.
    case mismatch
    /// The bytes are not valid for the type.
    case malformed
    /// The Swift type cannot represent the value.
    case outOfRange
}

extension Optional: PostgresArrayElement where Wrapped: PostgresValue {}

extension Optional: PostgresValue where Wrapped: PostgresValue {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package func encode(into parameters: inout Parameters) {
        if let self { self.encode(into: &parameters) } else { parameters.writeNull() }
    }

    package init(cell: Cell) throws(CellError) {
        self = cell.isNull ? nil : try Wrapped(cell: cell)
    }
}
