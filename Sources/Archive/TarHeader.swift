/// The header of one file in an archive: a block of 512 bytes in the ustar format (POSIX.1-2017, pax, "ustar
/// Interchange Format").
///
/// Each name, size and time has exactly one encoding. The reader refuses all others, so every bit of a header is
/// checked.
package struct TarHeader: Equatable, Sendable {
    package static let blockSize = 512

    /// The name of the file, at most 100 bytes of ASCII.
    package let name: String
    /// The size of the content in bytes.
    package let size: Int
    /// The time of modification in seconds since 1970 UTC.
    package let time: Int64

    package init(name: String, size: Int, time: Int64) {
        self.name = name
        self.size = size
        self.time = time
    }

    /// The encoded header. Owner and group are 0, the mode is 0600.
    package var block: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.octal(Int64(size), digits: 11), at: 124)
        put(Self.octal(time, digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = block.reduce(0) { $0 + Int64($1) }
        put(Self.octal(sum, digits: 6) + "\0 ", at: 148)
        return block
    }

    /// Decodes a block. Returns nil unless encoding the values again gives the same block.
    package init?(block: [UInt8]) {
        guard block.count == Self.blockSize, let end = block.firstIndex(of: 0), (1...100).contains(end),
            block[..<end].allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let size = Self.number(block[124..<135]), let time = Self.number(block[136..<147])
        else { return nil }
        self.init(name: String(decoding: block[..<end], as: UTF8.self), size: Int(size), time: time)
        guard self.block == block else { return nil }
    }

    /// Number of zero bytes between a content of this size and the next block.
    package static func padding(_ size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

    private static func octal(_ number: Int64, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Reads octal digits. Eleven of them cannot overflow 64 bits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x37).contains(digit) else { return nil }
            number = number << 3 | Int64(digit - 0x30)
        }
        return number
    }
}
