import Crypto

/// The text of an API key: `at_`, a token of 43 characters, and a checksum of six characters.
///
/// The checksum is the CRC-32 (ISO 3309) of everything before it in base 62. It lets the server refuse a truncated or
/// mistyped key without a query, and lets scanners for leaked secrets recognise a real key.
struct KeyText: Sendable {
    static let prefix = "at_"
    private static let checkLength = 6
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    let token: Token

    static func random() -> KeyText { KeyText(token: Token.random()) }

    private init(token: Token) { self.token = token }

    /// Returns nil unless the text has the form of a key and a valid checksum.
    init?(_ text: some StringProtocol) {
        let body = text.dropLast(Self.checkLength)
        guard text.utf8.count == Self.prefix.utf8.count + 43 + Self.checkLength, body.hasPrefix(Self.prefix),
            text.suffix(Self.checkLength) == Self.checkSum(String(body)),
            let token = Token(body.dropFirst(Self.prefix.count))
        else { return nil }
        self.token = token
    }

    /// The whole key, which is shown only once.
    var secret: String {
        let body = Self.prefix + token.secret
        return body + Self.checkSum(body)
    }

    /// The beginning of the key, by which the member recognises it in the list.
    var hint: String { String(secret.prefix(9)) }

    /// The checksum in base 62, padded with zeros.
    private static func checkSum(_ text: String) -> String {
        var remaining = crc32(Array(text.utf8))
        var characters: [UInt8] = []
        for _ in 0..<checkLength {
            characters.append(digits[Int(remaining % 62)])
            remaining /= 62
        }
        return String(decoding: characters.reversed(), as: UTF8.self)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
