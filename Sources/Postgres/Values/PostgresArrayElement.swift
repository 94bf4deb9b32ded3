/// A type whose arrays are values. All values can be elements of PostgreSQL arrays, and `[UInt8]` is `bytea`.
package protocol PostgresArrayElement: Sendable {
    /// The type of an array of these elements.
    static var postgresArrayType: PostgresType { get }
    /// Appends a whole array in binary form.
    static func encode(array: [Self], into parameters: inout Parameters)
    /// Reads a whole array.
    ///
    /// - Throws: `CellError`; `null` for a NULL element whose Swift type is not optional.
    static func decodeArray(cell: Cell) throws(CellError) -> [Self]
}

extension PostgresArrayElement where Self: PostgresValue {
    package static var postgresArrayType: PostgresType { postgresType.array }

    package static func encode(array: [Self], into parameters: inout Parameters) { parameters.write(array: array) }

    package static func decodeArray(cell: Cell) throws(CellError) -> [Self] {
        var result: [Self] = []
        try cell.elements { element throws(CellError) in result.append(try Self(cell: element)) }
        return result
    }
}

extension UInt8: PostgresArrayElement {
    package static var postgresArrayType: PostgresType { .bytea }

    package static func encode(array: [UInt8], into parameters: inout Parameters) { parameters.write(array[...]) }

    package static func decodeArray(cell: Cell) throws(CellError) -> [UInt8] { Array(try cell.bytea()) }
}

/// `[UInt8]` is bytea; other arrays are PostgreSQL arrays, for `= ANY(\(ids))` and `unnest(\(names))`.
extension Array: PostgresArrayElement where Element: PostgresArrayElement {}

extension Array: PostgresValue where Element: PostgresArrayElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }
    package func encode(into parameters: inout Parameters) { Element.encode(array: self, into: &parameters) }
    package init(cell: Cell) throws(CellError) { self = try Element.decodeArray(cell: cell) }
}

extension ArraySlice: PostgresArrayElement where Element == UInt8 {}

/// A slice of a buffer as bytea, without copying.
extension ArraySlice: PostgresValue where Element == UInt8 {
    package static var postgresType: PostgresType { .bytea }
    package func encode(into parameters: inout Parameters) { parameters.write(self) }
    package init(cell: Cell) throws(CellError) { self = Array(try cell.bytea())[...] }
}
