/// One value of a result in binary format; valid only while it is decoded.
///
/// Reading throws `null` for NULL, `mismatch` for a column of another type, `malformed` for invalid bytes and
/// `outOfRange` for values that the Swift type cannot represent.
package struct Cell {
    /// The bytes as sent, integers big-endian; empty for NULL.
    package let bytes: UnsafeRawBufferPointer
    /// The type of the column, or of the element of an array.
    package let type: PostgresType
    /// Distinguishes NULL from an empty value.
    package let isNull: Bool

    private func load<Value: FixedWidthInteger>(_: Value.Type, at offset: Int = 0) throws(CellError) -> Value {
        guard bytes.count >= offset + MemoryLayout<Value>.size else { throw .malformed }
        return Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    private func require(_ expected: PostgresType, size: Int) throws(CellError) {
        if isNull { throw .null }
        guard type == expected else { throw .mismatch }
        guard bytes.count == size else { throw .malformed }
    }

    /// Reads any integer, or a numeric without a fraction (such as the result of `sum(bigint)`).
    package func integer() throws(CellError) -> Int64 {
        if isNull { throw .null }
        switch type {
        case .int8: return try load(Int64.self)
        case .int4: return Int64(try load(Int32.self))
        case .int2: return Int64(try load(Int16.self))
        case .oid: return Int64(try load(UInt32.self))
        case .numeric: return try wholeNumeric()
        default: throw .mismatch
        }
    }

    /// Reads `bool`.
    package func bool() throws(CellError) -> Bool {
        try require(.bool, size: 1)
        return bytes[0] != 0
    }

    /// Reads `float8` or `float4`, but not numeric, which would lose digits.
    package func double() throws(CellError) -> Double {
        if isNull { throw .null }
        switch type {
        case .float8: return Double(bitPattern: try load(UInt64.self))
        case .float4: return Double(Float(bitPattern: try load(UInt32.self)))
        default: throw .mismatch
        }
    }

    /// Reads any text type, enums and JSON.
    package func text() throws(CellError) -> String {
        String(decoding: try textBytes(), as: UTF8.self)
    }

    /// Reads the bytes of text, of an enum label or of JSON (without `jsonb`'s version byte), without copying.
    package func textBytes() throws(CellError) -> UnsafeRawBufferPointer {
        if isNull { throw .null }
        switch type {
        case .text, .varchar, .bpchar, .name, .char, .json: return bytes
        case .jsonb:
            guard bytes.first == 1 else { throw .malformed }
            return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        default:
            guard type.isUserDefined else { throw .mismatch }
            return bytes
        }
    }

    /// Reads the bytes of `bytea` without copying.
    package func bytea() throws(CellError) -> UnsafeRawBufferPointer {
        if isNull { throw .null }
        guard type == .bytea else { throw .mismatch }
        return bytes
    }

    /// Reads the sixteen bytes of `uuid`; `high` are the first eight.
    package func uuid() throws(CellError) -> (high: UInt64, low: UInt64) {
        try require(.uuid, size: 16)
        return (try load(UInt64.self), try load(UInt64.self, at: 8))
    }

    /// Reads days since 2000-01-01.
    package func days() throws(CellError) -> Int32 {
        try require(.date, size: 4)
        return try load(Int32.self)
    }

    /// Reads microseconds: since 2000-01-01 00:00 UTC for timestamptz, since midnight for time.
    package func microseconds(_ expected: PostgresType) throws(CellError) -> Int64 {
        try require(expected, size: 8)
        return try load(Int64.self)
    }

    /// Reads a numeric without a fraction, whose digits `numeric_send` writes in base 10,000.
    private func wholeNumeric() throws(CellError) -> Int64 {
        let count = Int(try load(Int16.self))
        let weight = Int(try load(Int16.self, at: 2))
        let sign = try load(UInt16.self, at: 4)
        guard sign == 0 || sign == 0x4000, count >= 0 else { throw .outOfRange }
        var value: Int64 = 0
        for position in 0..<max(count, weight + 1) {
            let digit = position < count ? Int64(try load(Int16.self, at: 8 + 2 * position)) : 0
            if position > weight {
                guard digit == 0 else { throw .outOfRange }
                continue
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10_000)
            let (difference, underflow) = product.subtractingReportingOverflow(digit)
            guard !overflow, !underflow else { throw .outOfRange }
            value = difference
        }
        if sign == 0x4000 { return value }
        guard value != .min else { throw .outOfRange }
        return -value
    }

    /// Calls `body` for each element of a one-dimensional array.
    package func elements(_ body: (Cell) throws(CellError) -> Void) throws(CellError) {
        if isNull { throw .null }
        let dimensions = try load(Int32.self)
        guard dimensions == 0 || dimensions == 1 else { throw .mismatch }
        let element = PostgresType(oid: try load(UInt32.self, at: 8))
        guard dimensions == 1 else { return }
        let count = try load(Int32.self, at: 12)
        var offset = 20
        for _ in 0..<max(0, count) {
            let length = Int(try load(Int32.self, at: offset))
            offset += 4
            guard length >= 0 else {
                try body(Cell(bytes: UnsafeRawBufferPointer(start: nil, count: 0), type: element, isNull: true))
                continue
            }
            guard bytes.count - offset >= length else { throw .malformed }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
            try body(Cell(bytes: slice, type: element, isNull: false))
            offset += length
        }
    }
}
