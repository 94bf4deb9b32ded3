/// Classes of bytes in the HTTP grammar (RFC 9110 §5.6, RFC 5234).
enum ASCII {
    static let tab: UInt8 = 9
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let space: UInt8 = 32

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 32) &- 97 < 26 }

    /// Unreserved characters, which need no percent-encoding: letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3).
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == 45 || byte == 46 || byte == 95 || byte == 126
    }

    /// The value of a hexadecimal digit, 0 … 15; nil for any other byte.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - 48 }
        let letter = byte | 32
        return letter &- 97 < 6 ? letter - 87 : nil
    }

    /// tchar: the characters of methods and field names.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? tokenLow >> UInt64(byte) : tokenHigh >> UInt64(byte - 64)) & 1 == 1
    }

    /// Bytes of field values: visible characters, space, tab and obs-text (0x80 and above); no other control, no DEL.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool { (byte >= 32 && byte != 127) || byte == tab }

    // ! # $ % & ' * + - . 0–9
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    // A–Z ^ _ ` a–z | ~
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE
}
