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

    /// Writes a signed integer in two's complement.
    mutating func writeSigned32(_ value: Int) { write32(Int(UInt32(bitPattern: Int32(clamping: value)))) }

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
