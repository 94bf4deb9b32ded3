/// The bound values of a statement in binary format, in one buffer. Large byte arrays are kept by reference.
package struct Parameters: Sendable {
    struct Entry: Sendable {
        let type: PostgresType
        let offset: Int
        /// Length in bytes; -1 for NULL.
        let length: Int
        /// Index in `large`, or -1 if the bytes are in `bytes`.
        let large: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    private(set) var large: [ArraySlice<UInt8>] = []
    /// True if a value was bound that PostgreSQL cannot store, or more than ``maximumCount`` values. The statement is
    /// then refused before sending.
    private(set) var isInvalid = false

    /// The maximum number of values of a statement. libpq refuses statements with more values, with an error that would
    /// be regarded as a lost connection.
    static let maximumCount = 65_535

    /// Whether the value that is being written is NULL.
    private var isNull = false
    /// Index in `large` of the value that is being written, or -1.
    private var pending = -1
    private var isInArray = false

    /// Byte arrays of this size and more are not copied.
    private static let largeSize = 4096

    var count: Int { entries.count }

    mutating func reserve(_ count: Int) {
        guard count > 0 else { return }
        entries.reserveCapacity(count)
        bytes.reserveCapacity(count * 16)
    }

    mutating func bind(_ value: some PostgresValue) {
        let offset = bytes.count
        isNull = false
        pending = -1
        value.encode(into: &self)
        let length = isNull ? -1 : pending >= 0 ? large[pending].count : bytes.count - offset
        entries.append(Entry(type: type(of: value).postgresType, offset: offset, length: length, large: pending))
        if entries.count > Self.maximumCount { isInvalid = true }
    }

    mutating func append(_ other: Parameters) {
        entries.append(
            contentsOf: other.entries.map {
                Entry(
                    type: $0.type, offset: $0.offset + bytes.count, length: $0.length,
                    large: $0.large < 0 ? -1 : $0.large + large.count)
            })
        bytes.append(contentsOf: other.bytes)
        large.append(contentsOf: other.large)
        isInvalid = isInvalid || other.isInvalid || entries.count > Self.maximumCount
    }

    // MARK: Writing values

    /// Writes NULL. Discards the bytes that the same value has already written.
    package mutating func writeNull() { isNull = true }

    /// Writes an integer, big-endian.
    package mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes text. A statement with U+0000 is refused before sending, because PostgreSQL cannot store this character.
    package mutating func write(_ text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if bytes[start...].contains(0) { isInvalid = true }
    }

    /// Writes bytes as the whole value; large ones are kept by reference.
    package mutating func write(_ slice: ArraySlice<UInt8>) {
        if slice.count >= Self.largeSize, !isInArray {
            pending = large.count
            large.append(slice)
        } else {
            bytes.append(contentsOf: slice)
        }
    }

    /// Writes bytes as a part of a value; always copies them.
    package mutating func writeInline(_ part: [UInt8]) { bytes.append(contentsOf: part) }

    /// Marks the statement as invalid, for a value that cannot be stored, such as a date out of range.
    package mutating func refuse() { isInvalid = true }

    /// Writes a one-dimensional array, as `array_send` does.
    mutating func write<Element: PostgresValue>(array: [Element]) {
        isInArray = true
        defer { isInArray = false }
        write(Int32(array.isEmpty ? 0 : 1))
        let flags = bytes.count
        write(Int32(0))
        write(Element.postgresType.oid)
        guard !array.isEmpty else { return }
        write(Int32(array.count))
        write(Int32(1))
        for element in array {
            let start = bytes.count
            write(Int32(-1))
            isNull = false
            element.encode(into: &self)
            if isNull {
                bytes[flags + 3] = 1
            } else {
                overwrite(Int32(bytes.count - start - 4), at: start)
            }
        }
        isNull = false
    }

    private mutating func overwrite(_ value: Int32, at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { value in
            for index in 0..<4 { bytes[offset + index] = value[index] }
        }
    }
}
