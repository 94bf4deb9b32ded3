/// Reads the fields of a message. Missing and invalid fields throw `malformed`.
struct WireReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes that were not read yet.
    var remaining: Int { bytes.count - at }

    private mutating func read(bytes count: Int) throws(WireError) -> Int {
        guard remaining >= count else { throw .malformed }
        defer { at += count }
        return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func read8() throws(WireError) -> Int { try read(bytes: 1) }
    mutating func read16() throws(WireError) -> Int { try read(bytes: 2) }
    mutating func read32() throws(WireError) -> Int { try read(bytes: 4) }

    mutating func readSigned32() throws(WireError) -> Int {
        Int(Int32(bitPattern: UInt32(truncatingIfNeeded: try read32())))
    }

    mutating func read64() throws(WireError) -> UInt64 {
        let high = try read32()
        return UInt64(high) << 32 | UInt64(try read32())
    }

    /// Reads the count of a list whose elements have at least `minimumBytes` bytes each. A count of more elements than
    /// the rest of the message can hold is malformed.
    mutating func readCount(minimumBytes: Int) throws(WireError) -> Int {
        let count = try read32()
        guard count <= remaining / minimumBytes else { throw .malformed }
        return count
    }

    /// Reads a length of two bytes and a text in UTF-8. Control characters are malformed, except the line feed and
    /// U+001D, which separates fields of bar codes.
    mutating func readText() throws(WireError) -> String {
        let count = try read16()
        guard remaining >= count, let text = String(validating: bytes[at..<at + count], as: UTF8.self) else {
            throw .malformed
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0.value != 0x1D && $0.value != 0x0A }) else {
            throw .malformed
        }
        at += count
        return text
    }

    /// Reads a box, which must be inside a picture of the given size.
    mutating func readBox(width: Int, height: Int) throws(WireError) -> PixelBox {
        let box = PixelBox(x: try read32(), y: try read32(), width: try read32(), height: try read32())
        guard box.maxX <= width, box.maxY <= height else { throw .malformed }
        return box
    }

    /// Reads all remaining bytes.
    mutating func rest() -> [UInt8] {
        defer { at = bytes.count }
        return Array(bytes[at...])
    }

    /// Throws unless all bytes were read.
    func end() throws(WireError) {
        guard remaining == 0 else { throw .malformed }
    }
}
