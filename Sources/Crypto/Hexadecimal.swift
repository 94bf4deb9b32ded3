/// Hexadecimal, two digits per byte: written in lower case, read in either case.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Encodes each byte as two digits.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil for an odd number of digits or any other character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for position in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(of: characters[position]), let low = value(of: characters[position + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 55
        case 0x61...0x66: character - 87
        default: nil
        }
    }
}
