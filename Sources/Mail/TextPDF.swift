/// Creates a PDF from the text of a message, so that the reader can process a receipt that has no file.
package enum TextPDF {
    /// The maximum number of characters of a line.
    private static let columns = 96
    /// The maximum number of lines of a page.
    private static let rows = 60
    private static let maximumPages = 10

    /// Returns the PDF, in Courier on pages of A4. Text after the tenth page is dropped.
    package static func document(_ text: String) -> [UInt8] {
        var lines: [[UInt8]] = []
        for line in text.split(whereSeparator: \.isNewline) {
            var remainingText = encoded(line)[...]
            repeat {
                lines.append(Array(remainingText.prefix(columns)))
                remainingText = remainingText.dropFirst(columns)
            } while !remainingText.isEmpty && lines.count < rows * maximumPages
            if lines.count >= rows * maximumPages { break }
        }
        let pages = stride(from: 0, to: max(1, lines.count), by: rows).map { lines[$0..<min($0 + rows, lines.count)] }
        var objects: [[UInt8]] = [
            bytes("<</Type/Catalog/Pages 2 0 R>>"),
            bytes(
                "<</Type/Pages/Count \(pages.count)/Kids[\(pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " "))]>>"
            ),
            bytes("<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"),
        ]
        for (index, page) in pages.enumerated() {
            objects.append(
                bytes(
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents \(5 + 2 * index) 0 R>>"
                ))
            var content = bytes("BT /F 9 Tf 13 TL 40 806 Td\n")
            for line in page { content += bytes("(") + line.flatMap(escaped) + bytes(") Tj T*\n") }
            content += bytes("ET")
            objects.append(bytes("<</Length \(content.count)>>\nstream\n") + content + bytes("\nendstream"))
        }
        return file(objects)
    }

    private static func file(_ objects: [[UInt8]]) -> [UInt8] {
        var result = bytes("%PDF-1.4\n")
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(result.count)
            result += bytes("\(index + 1) 0 obj\n") + object + bytes("\nendobj\n")
        }
        let table = result.count
        result += bytes("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n")
        for offset in offsets {
            let digits = String(offset)
            result += bytes(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
        }
        return result + bytes("trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n")
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\\")
            ? [UInt8(ascii: "\\"), byte] : [byte]
    }

    /// Encodes a line in Windows-1252. Typographic quotes and dashes become ASCII. Invisible characters become a space.
    /// Other characters outside Latin-1, except €, become `?`.
    private static func encoded(_ line: Substring) -> [UInt8] {
        line.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x20..<0x7F, 0xA1...0xFF: UInt8(scalar.value)
            case 0x20AC: 0x80
            case 0x2018, 0x2019: 0x27
            case 0x201C, 0x201D, 0x201E: 0x22
            case 0x2010...0x2015, 0x2212: 0x2D
            case 0...0x20, 0x7F...0xA0, 0x2000...0x200F, 0x202F, 0xFEFF: 0x20
            default: UInt8(ascii: "?")
            }
        }
    }
}
