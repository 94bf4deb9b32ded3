import HTTP

/// Decodes an uploaded table: UTF-8, or UTF-16 with a byte order mark, or otherwise Windows-1252, which older
/// spreadsheets write.
enum ImportText {
    enum Failure: Error {
        case notText
        case tooLarge
    }

    /// Reads the current part of a multipart form to its end.
    ///
    /// - Throws: `Failure.tooLarge` if it has more than `limit` bytes.
    static func bytes(_ reader: MultipartReader, limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await reader.nextChunk() {
            guard bytes.count + chunk.count <= limit else { throw Failure.tooLarge }
            bytes += chunk
        }
        return bytes
    }

    /// - Parameter limit: in bytes of UTF-8.
    static func decode(_ bytes: [UInt8], limit: Int) throws -> String {
        let text = try decode(bytes)
        guard text.utf8.count <= limit else { throw Failure.tooLarge }
        return text
    }

    static func decode(_ bytes: [UInt8]) throws -> String {
        let text: String
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittleEndian = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isLittleEndian ? second << 8 | first : first << 8 | second
            }
            text = String(decoding: units, as: UTF16.self)
        } else if let utf8 = String(validating: bytes, as: UTF8.self) {
            text = utf8
        } else {
            text = String(String.UnicodeScalarView(bytes.map(scalar)))
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\t\r\n".unicodeScalars.contains($0) })
        else { throw Failure.notText }
        return text
    }

    /// The characters of the bytes from 0x80 to 0x9F in Windows-1252. Other bytes are the same characters as in
    /// Latin-1. Undefined bytes become replacement characters.
    private static let windows1252: [Unicode.Scalar] = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

    /// Maps a character of Windows-1252 to the control character that earlier versions decoded instead. The control
    /// character has the number of the byte, such as U+0082 for `‚`.
    private static let earlierScalars: [Unicode.Scalar: Unicode.Scalar] = {
        let decoded = "\u{FFFD}€„‘’“”–—".unicodeScalars
        var earlierScalars: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (index, scalar) in windows1252.enumerated() where !decoded.contains(scalar) {
            earlierScalars[scalar] = Unicode.Scalar(UInt8(0x80 + index))
        }
        return earlierScalars
    }()

    /// Returns the text of a file in Windows-1252 as earlier versions decoded it. Stored digests depend on this text.
    static func earlierDecoding(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { earlierScalars[$0] != nil }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { earlierScalars[$0] ?? $0 }))
    }

    /// Decodes a byte of Windows-1252.
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
