/// Base64 with padding (RFC 4648 §4), fast enough for pictures.
enum Base64Bytes {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = min(3, bytes.count - start)
            let bits =
                UInt32(bytes[start]) << 16 | UInt32(left > 1 ? bytes[start + 1] : 0) << 8
                | UInt32(left > 2 ? bytes[start + 2] : 0)
            for place in 0..<4 {
                text.append(place <= left ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil for characters outside the alphabet or a length that is not a multiple of four.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { characters in
            guard characters.count.isMultiple(of: 4) else { return nil }
            var padding = 0
            while padding < min(2, characters.count), characters[characters.count - 1 - padding] == UInt8(ascii: "=") {
                padding += 1
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(characters.count / 4 * 3)
            var bits: UInt32 = 0
            for (index, character) in characters.dropLast(padding).enumerated() {
                let value = values[Int(character)]
                guard value < 64 else { return nil }
                bits = bits << 6 | UInt32(value)
                if index & 3 == 3 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                }
            }
            if padding == 1 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            } else if padding == 2 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            }
            return bytes
        }
    }
}
