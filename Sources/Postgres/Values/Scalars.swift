extension Int64: PostgresValue {
    package static var postgresType: PostgresType { .int8 }
    package func encode(into parameters: inout Parameters) { parameters.write(self) }
    package init(cell: Cell) throws(CellError) { self = try cell.integer() }
}

extension Int: PostgresValue {
    package static var postgresType: PostgresType { .int8 }
    package func encode(into parameters: inout Parameters) { parameters.write(Int64(self)) }
    package init(cell: Cell) throws(CellError) { self = Int(try cell.integer()) }
}

extension Int32: PostgresValue {
    package static var postgresType: PostgresType { .int4 }
    package func encode(into parameters: inout Parameters) { parameters.write(self) }
    package init(cell: Cell) throws(CellError) {
        guard let value = Int32(exactly: try cell.integer()) else { throw .outOfRange }
        self = value
    }
}

extension Int16: PostgresValue {
    package static var postgresType: PostgresType { .int2 }
    package func encode(into parameters: inout Parameters) { parameters.write(self) }
    package init(cell: Cell) throws(CellError) {
        guard let value = Int16(exactly: try cell.integer()) else { throw .outOfRange }
        self = value
    }
}

extension Bool: PostgresValue {
    package static var postgresType: PostgresType { .bool }
    package func encode(into parameters: inout Parameters) { parameters.write(UInt8(self ? 1 : 0)) }
    package init(cell: Cell) throws(CellError) { self = try cell.bool() }
}

/// Used for search scores only. Money and quantities are integers.
extension Double: PostgresValue {
    package static var postgresType: PostgresType { .float8 }
    package func encode(into parameters: inout Parameters) { parameters.write(bitPattern) }
    package init(cell: Cell) throws(CellError) { self = try cell.double() }
}

/// `text`; U+0000 is refused.
extension String: PostgresValue {
    package static var postgresType: PostgresType { .text }
    package func encode(into parameters: inout Parameters) { parameters.write(self) }
    package init(cell: Cell) throws(CellError) { self = try cell.text() }
}
