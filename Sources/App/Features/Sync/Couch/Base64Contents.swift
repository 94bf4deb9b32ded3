/// Decodes the contents of an attachment that arrive in pieces: Base64 with padding (RFC 4648 §4) in a JSON string.
/// Reads up to and including the quotation mark at the end of the string.
struct Base64Contents {
    /// Whether the quotation mark was found.
    private(set) var isComplete = false
    /// False for characters outside the alphabet, or if the number of characters is not a multiple of four.
    private(set) var isValid = true

    private var bits: UInt32 = 0
    private var characters = 0
    private var padding = 0
    private var isEscaped = false
    /// The number of hexadecimal digits still to come in an escape such as `\u002b`; 0 outside an escape.
    private var missingDigits = 0
    private var escaped: UInt32 = 0

    /// Decodes a piece.
    ///
    /// - Returns: the number of bytes read, and the decoded bytes.
    mutating func decode(_ piece: ArraySlice<UInt8>) -> (length: Int, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(piece.count / 4 * 3 + 3)
        var length = 0
        for byte in piece {
            length += 1
            if missingDigits > 0 {
                readDigit(byte, &bytes)
            } else if isEscaped {
                isEscaped = false
                switch byte {
                case UInt8(ascii: "/"): append(byte, &bytes)
                case UInt8(ascii: "u"): (missingDigits, escaped) = (4, 0)
                default: isValid = false
                }
            } else if byte == UInt8(ascii: "\"") {
                finish(&bytes)
                break
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                append(byte, &bytes)
            }
        }
        return (length, isValid ? bytes : [])
    }

    private mutating func readDigit(_ byte: UInt8, _ bytes: inout [UInt8]) {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
            (isValid, missingDigits) = (false, 0)
            return
        }
        escaped = escaped << 4 | UInt32(digit)
        missingDigits -= 1
        if missingDigits == 0 { append(UInt8(exactly: escaped) ?? 0, &bytes) }
    }

    private mutating func append(_ character: UInt8, _ bytes: inout [UInt8]) {
        if character == UInt8(ascii: "=") {
            padding += 1
            return
        }
        guard padding == 0, let value = Base64Bytes.value(of: character) else {
            isValid = false
            return
        }
        bits = bits << 6 | UInt32(value)
        characters += 1
        guard characters.isMultiple(of: 4) else { return }
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
    }

    private mutating func finish(_ bytes: inout [UInt8]) {
        isComplete = true
        guard padding <= 2, (characters + padding).isMultiple(of: 4) else {
            isValid = false
            return
        }
        if padding == 1 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        } else if padding == 2 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        }
    }
}
