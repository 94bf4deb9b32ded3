/// `Name: value` with optional blanks around the value (RFC 9112 §5).
enum FieldLine {
    static func parse(_ text: [UInt8], _ line: Range<Int>) throws(RequestRefusal) -> Headers.Field {
        var colon = line.lowerBound
        while colon < line.upperBound, ASCII.isToken(text[colon]) { colon += 1 }
        guard colon > line.lowerBound, colon < line.upperBound, text[colon] == UInt8(ascii: ":") else {
            throw .malformed("invalid field name")
        }
        var start = colon + 1
        var end = line.upperBound
        for index in start..<end where !ASCII.isFieldValue(text[index]) {
            throw .malformed("control character in a field value")
        }
        while start < end, text[start] == ASCII.space || text[start] == ASCII.tab { start += 1 }
        while end > start, text[end - 1] == ASCII.space || text[end - 1] == ASCII.tab { end -= 1 }
        return Headers.Field(name: Int32(line.lowerBound)..<Int32(colon), value: Int32(start)..<Int32(end))
    }
}
