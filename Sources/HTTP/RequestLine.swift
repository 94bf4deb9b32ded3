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
        // The version is checked before the method, so that the preface of HTTP/2 is refused with 505. Its method is
        // PRI (RFC 9113 §3.4).
        version = try Self.version(line[(last + 1)...])
        guard name == "GET" || name == "POST" || Self.registeredMethods.contains(name) else {
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
    private static let registeredMethods: Set<String> = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LABEL",
        "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
        "MOVE", "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY",
        "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK",
        "UNSUBSCRIBE", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]
}
