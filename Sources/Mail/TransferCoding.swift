/// Content transfer encodings (RFC 2045 §6).
enum TransferCoding {
    /// Returns the decoded body; the same bytes for unknown encodings.
    static func decode(_ body: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
        switch encoding {
        case "base64": base64(body)
        case "quoted-printable": quotedPrintable(body)
        default: Array(body)
        }
    }

    /// Decodes base64. Ignores bytes outside the alphabet, as RFC 2045 §6.8 requires.
    static func base64(_ body: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in body {
            let value: UInt32
            switch byte {
            case 65...90: value = UInt32(byte) - 65
            case 97...122: value = UInt32(byte) - 71
            case 48...57: value = UInt32(byte) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="): return bytes
            default: continue
            }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    /// - Parameter isWord: whether the body is an encoded word (RFC 2047 §4.2), in which `_` is a space.
    static func quotedPrintable(_ body: some Collection<UInt8>, isWord: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var remainingBytes = Array(body)[...]
        while let byte = remainingBytes.popFirst() {
            if byte == UInt8(ascii: "_"), isWord {
                bytes.append(0x20)
            } else if byte != UInt8(ascii: "=") {
                bytes.append(byte)
            } else if remainingBytes.starts(with: [13, 10]) {
                remainingBytes = remainingBytes.dropFirst(2)
            } else if remainingBytes.first == 10 {
                remainingBytes = remainingBytes.dropFirst()
            } else if let high = remainingBytes.first.flatMap(hexadecimalValue),
                let low = remainingBytes.dropFirst().first.flatMap(hexadecimalValue)
            {
                bytes.append(high << 4 | low)
                remainingBytes = remainingBytes.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static let singleByte: Set<String> = ["iso-8859-1", "iso-8859-15", "windows-1252"]

    /// Decodes text as Windows-1252 if `charset` is ISO-8859-1, ISO-8859-15 or Windows-1252 or the text is not valid
    /// UTF-8, otherwise as UTF-8. Zero bytes become blanks, because the database cannot store them in text. In
    /// Windows-1252, the bytes 0x81 … 0x9F become blanks too. Dashes are kept: many stores write `5,–` for `5,00`.
    static func text(_ encoded: [UInt8], charset: String) -> String {
        let bytes = encoded.contains(0) ? encoded.map { $0 == 0 ? 0x20 : $0 } : encoded
        if !singleByte.contains(charset), let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            switch byte {
            case 0x80: text.append("€")
            case 0x96, 0x97: text.append("–")
            case 0x81..<0xA0: text.append(" ")
            // The euro sign of ISO-8859-15.
            case 0xA4 where charset == "iso-8859-15": text.append("€")
            default: text.append(Unicode.Scalar(byte))
            }
        }
        return String(text)
    }
}

func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
}
