/// `GET /path HTTP/1.1`, separated by single spaces (RFC 9112 §3).
struct RequestLine {
    let method: Method
    let target: String
    let version: HTTPVersion

    init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
        guard let first = line.firstIndex(of: ASCII.space),
            let last = line.lastIndex(of: ASCII.space), first < last
        else { throw .malformed("invalid request line") }
        let name = try Self.methodName(line[..<first])
        let target = line[(first + 1)..<last]
        guard !target.isEmpty, target.allSatisfy({ $0 > 32 && $0 < 127 }) else { throw .malformed("invalid target") }
        self.target = String(decoding: target, as: UTF8.self)
        // The version is checked before the method, so that the preface of HTTP/2, whose method is PRI (RFC 9113 §3.4),
        // is refused with 505.
        version = try Self.version(line[(last + 1)...])
        guard name == "GET" || name == "POST" || Self.registered.contains(name) else {
            throw RequestRefusal(.notImplemented, "unknown method")
        }
        method = Method(name)
    }

    private static func methodName(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> String {
        guard !bytes.isEmpty, bytes.count <= 24, bytes.allSatisfy(ASCII.isToken) else {
            throw .malformed("invalid method")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// HTTP/1.2 … 1.9 are treated as 1.1 (RFC 9110 §2.5).
    private static func version(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> HTTPVersion {
        let start = bytes.startIndex
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), ASCII.isDigit(bytes[start + 5]),
            bytes[start + 6] == UInt8(ascii: "."), ASCII.isDigit(bytes[start + 7])
        else { throw .malformed("invalid version") }
        guard bytes[start + 5] == UInt8(ascii: "1") else {
            throw RequestRefusal(.httpVersionNotSupported, "not HTTP/1")
        }
        return bytes[start + 7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// Methods of HTTP and of protocols based on it; the router answers most of them with 405.
    private static let registered: Set<String> = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LABEL",
        "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
        "MOVE", "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY",
        "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK",
        "UNSUBSCRIBE", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]
}

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

/// A field after a chunked body. It is checked and dropped, never merged with the fields of the head (RFC 9110 §6.5.1).
enum TrailerLine {
    /// Fields that frame or route a message are not allowed in trailers (RFC 9110 §6.5.1), because they could mislead a
    /// recipient that merges trailers into the head.
    private static let misplaced: [StaticString] = ["content-length", "transfer-encoding", "host"]

    static func check(_ text: [UInt8], _ line: Range<Int>) throws(RequestRefusal) {
        let field = try FieldLine.parse(text, line)
        let name = text[Int(field.name.lowerBound)..<Int(field.name.upperBound)]
        let value = text[Int(field.value.lowerBound)..<Int(field.value.upperBound)]
        for misplaced in misplaced where name.equalsIgnoringCase(misplaced) {
            throw .malformed("framing or routing field in a trailer")
        }
        // A proxy that skips the first two bytes of a trailer, as if they were the final CR LF, would read
        // `X:POST / HTTP/1.1` as the next request.
        guard !endsInVersion(value) else { throw .malformed("request line in a trailer") }
    }

    private static func endsInVersion(_ value: ArraySlice<UInt8>) -> Bool {
        let end = value.suffix(9)
        return end.count == 9 && end.starts(with: " HTTP/".utf8) && ASCII.isDigit(end[end.startIndex + 6])
            && end[end.startIndex + 7] == UInt8(ascii: ".") && ASCII.isDigit(end[end.startIndex + 8])
    }
}

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
