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
            let count = min(3, bytes.count - start)
            let bits =
                UInt32(bytes[start]) << 16 | UInt32(count > 1 ? bytes[start + 1] : 0) << 8
                | UInt32(count > 2 ? bytes[start + 2] : 0)
            for place in 0..<4 {
                text.append(place <= count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the six bits of a character; nil for characters outside the alphabet, such as the padding.
    static func value(of character: UInt8) -> UInt8? {
        let value = values[Int(character)]
        return value < 64 ? value : nil
    }
}
