/// A field after a chunked body. It is checked and dropped, never merged with the fields of the head (RFC 9110 §6.5.1).
enum TrailerLine {
    /// Fields that frame or route a message are not allowed in trailers (RFC 9110 §6.5.1). They could mislead a
    /// recipient that merges trailers into the head.
    private static let misplacedNames: [StaticString] = ["content-length", "transfer-encoding", "host"]

    static func check(_ text: [UInt8], _ line: Range<Int>) throws(RequestRefusal) {
        let field = try FieldLine.parse(text, line)
        let name = text[Int(field.name.lowerBound)..<Int(field.name.upperBound)]
        let value = text[Int(field.value.lowerBound)..<Int(field.value.upperBound)]
        for misplacedName in misplacedNames where name.equalsIgnoringCase(misplacedName) {
            throw .malformed("framing or routing field in a trailer")
        }
        // A proxy may skip the first two bytes of a trailer, as if they were the final CR LF. The proxy then reads
        // `X:POST / HTTP/1.1` as the next request.
        guard !endsInVersion(value) else { throw .malformed("request line in a trailer") }
    }

    private static func endsInVersion(_ value: ArraySlice<UInt8>) -> Bool {
        let end = value.suffix(9)
        return end.count == 9 && end.starts(with: " HTTP/".utf8) && ASCII.isDigit(end[end.startIndex + 6])
            && end[end.startIndex + 7] == UInt8(ascii: ".") && ASCII.isDigit(end[end.startIndex + 8])
    }
}
