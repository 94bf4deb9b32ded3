/// A value that can be bound in ``SQL`` and read from a ``Row``, in PostgreSQL's binary format.
///
/// Types of other modules conform most easily through ``PostgresConvertible``.
package protocol PostgresValue: PostgresArrayElement {
    /// The type that a parameter is declared as.
    static var postgresType: PostgresType { get }
    /// Appends the binary form of this value, or calls ``Parameters/writeNull()``.
    func encode(into parameters: inout Parameters)
    /// Reads the binary form.
    init(cell: Cell) throws(CellError)
}

/// A value stored as another one: an identifier as `PostgresUUID`, an amount as `Int64`.
///
/// Enums with a raw value conform by naming the protocol: `extension LineKind: PostgresConvertible {}`.
package protocol PostgresConvertible: PostgresValue {
    associatedtype PostgresStored: PostgresValue
    /// What is bound in place of this value.
    var postgresStored: PostgresStored { get }
    /// Nothing when the stored value means none of this type; decoding then fails, naming the column.
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
    /// Nothing for a raw value without a case.
    package init?(postgresStored: RawValue) { self.init(rawValue: postgresStored) }
}

/// Why a cell is not the value asked for.
package enum CellError: Error, Sendable {
    /// NULL where the type has no place for it.
    case null
    /// The column's type does not fit.
    case mismatch
    /// The bytes are not that type's binary form.
    case malformed
    /// Right type, but a value that Swift's type cannot hold or that it does not know.
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
