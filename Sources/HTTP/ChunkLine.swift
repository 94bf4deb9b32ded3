/// The line with the size of a chunk in hexadecimal. Extensions are checked and ignored (RFC 9112 §7.1).
enum ChunkLine {
    static func size(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        var size = 0
        var index = line.startIndex
        while index < line.endIndex, let digit = ASCII.hexValue(line[index]) {
            guard size < 1 << 56 else { throw .malformed("chunk size is too large") }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > line.startIndex else { throw .malformed("chunk size is not a number") }
        while index < line.endIndex { try skipExtension(line, &index) }
        return size
    }

    /// Skips an extension: `;name`, `;name=token` or `;name="quoted"`.
    private static func skipExtension(_ line: ArraySlice<UInt8>, _ index: inout Int) throws(RequestRefusal) {
        guard line[index] == UInt8(ascii: ";") else { throw .malformed("invalid chunk size") }
        index += 1
        try skipToken(line, &index)
        guard index < line.endIndex, line[index] == UInt8(ascii: "=") else { return }
        index += 1
        guard index < line.endIndex, line[index] == UInt8(ascii: "\"") else { return try skipToken(line, &index) }
        index += 1
        while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
            if line[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < line.endIndex, ASCII.isFieldValue(line[index]) else { break }
            index += 1
        }
        guard index < line.endIndex, line[index] == UInt8(ascii: "\"") else {
            throw .malformed("invalid chunk extension")
        }
        index += 1
    }

    private static func skipToken(_ line: ArraySlice<UInt8>, _ index: inout Int) throws(RequestRefusal) {
        let start = index
        while index < line.endIndex, ASCII.isToken(line[index]) { index += 1 }
        guard index > start else { throw .malformed("invalid chunk extension") }
    }
}
