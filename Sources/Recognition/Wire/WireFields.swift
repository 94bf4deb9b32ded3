/// Writes the fields of a message: integers big-endian, strings as length and UTF-8.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write8(_ value: Int) { bytes.append(UInt8(clamping: value)) }

    mutating func write16(_ value: Int) {
        let value = UInt16(clamping: value)
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func write32(_ value: Int) {
        let value = UInt32(clamping: value)
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func write64(_ value: UInt64) {
        write32(Int(value >> 32))
        write32(Int(value & 0xFFFF_FFFF))
    }

    /// Writes at most 65,535 bytes; a longer text is truncated between characters.
    mutating func write(_ text: String) {
        var text = text[...]
        while text.utf8.count > 65_535 { text = text.dropLast(max(1, text.count / 16)) }
        write16(text.utf8.count)
        bytes += text.utf8
    }

    mutating func write(_ box: PixelBox) {
        for value in [box.x, box.y, box.width, box.height] { write32(value) }
    }
}

/// Reads the fields of a message. Missing and invalid fields throw `malformed`.
struct WireReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var left: Int { bytes.count - at }

    private mutating func read(bytes count: Int) throws(WireError) -> Int {
        guard left >= count else { throw .malformed }
        defer { at += count }
        return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func read8() throws(WireError) -> Int { try read(bytes: 1) }
    mutating func read16() throws(WireError) -> Int { try read(bytes: 2) }
    mutating func read32() throws(WireError) -> Int { try read(bytes: 4) }

    mutating func read64() throws(WireError) -> UInt64 {
        let high = try read32()
        return UInt64(high) << 32 | UInt64(try read32())
    }

    /// Reads a count of elements of at least `size` bytes each. A count that exceeds the rest of the message is
    /// malformed.
    mutating func readCount(of size: Int) throws(WireError) -> Int {
        let count = try read32()
        guard count <= left / size else { throw .malformed }
        return count
    }

    mutating func readText() throws(WireError) -> String {
        let count = try read16()
        guard left >= count, let text = String(validating: bytes[at..<at + count], as: UTF8.self) else {
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

    mutating func rest() -> [UInt8] {
        defer { at = bytes.count }
        return Array(bytes[at...])
    }

    func end() throws(WireError) {
        guard left == 0 else { throw .malformed }
    }
}
