/// The codewords of a QR code: padded text and Reed–Solomon correction in interleaved blocks (ISO/IEC 18004 §7.4–7.6).
enum QRCodewords {
    /// The layout of blocks. In versions 1 to 6 at level M all blocks have the same size.
    struct Layout {
        let blocks: Int
        let data: Int
        let correction: Int

        var capacity: Int { blocks * data }
    }

    /// Returns the data and correction codewords, taken alternately from the blocks (§7.6).
    static func interleaved(_ text: [UInt8], _ layout: Layout) -> [UInt8] {
        let data = padded(text, layout.capacity)
        let blocks = (0..<layout.blocks).map { Array(data[$0 * layout.data..<($0 + 1) * layout.data]) }
        let corrections = blocks.map { correction($0, count: layout.correction) }
        return (0..<layout.data).flatMap { index in blocks.map { $0[index] } }
            + (0..<layout.correction).flatMap { index in corrections.map { $0[index] } }
    }

    /// Returns the data codewords: byte mode (4 bits), length (8 bits), the bytes, the terminator (4 bits), then the
    /// padding bytes 236 and 17 alternately.
    private static func padded(_ text: [UInt8], _ capacity: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var carry: UInt8 = 0b0100
        for byte in [UInt8(truncatingIfNeeded: text.count)] + text {
            bytes.append(carry << 4 | byte >> 4)
            carry = byte & 15
        }
        bytes.append(carry << 4)
        let filler: [UInt8] = [236, 17]
        for index in 0..<(capacity - bytes.count) { bytes.append(filler[index % 2]) }
        return bytes
    }

    /// Returns the remainder of the data divided by the generator polynomial, over GF(256).
    private static func correction(_ data: [UInt8], count: Int) -> [UInt8] {
        var generator = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = product(root, 2)
        }
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// Multiplies modulo x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) &* 0x1D
            if right >> UInt8(bit) & 1 == 1 { result ^= left }
        }
        return result
    }
}
