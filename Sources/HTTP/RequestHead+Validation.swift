extension RequestHead {
    private static let cookieBytes = 4096
    private static let queryPairs = 100

    /// Validates a grammatically correct head, which must only use features that this server supports.
    ///
    /// - Throws: 400 for invalid targets, hosts, queries and field values; 405 for TRACE and the target `*`; 415 for a
    ///   content coding other than gzip; 417 for an unknown expectation; 421 for another host; 431 for too many bytes
    ///   of cookies; 501 for CONNECT and for transfer codings other than chunked.
    package convenience init(
        validating message: MessageHead, id: RequestID, peer: PeerAddress, isSecure: Bool, hosts: AllowedHosts
    ) throws(RequestRefusal) {
        if message.hasUnsupportedCoding { throw RequestRefusal(.notImplemented, "unsupported transfer coding") }
        if message.method == .connect { throw RequestRefusal(.notImplemented, "CONNECT") }
        if message.method == .trace { throw RequestRefusal(.methodNotAllowed, "TRACE") }
        if message.target == "*" { throw RequestRefusal(.methodNotAllowed, "asterisk target") }
        if message.target.utf8.fastFirstIndex(of: UInt8(ascii: "#")) != nil {
            throw .malformed("fragment in the target")
        }
        try Self.checkFields(message.headers)
        let (target, authority) = try Self.split(message, hosts)
        let question = target.utf8.fastFirstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let query: [NamedValue]
        do {
            query = try FormFields(urlencoded: target.utf8[question...].dropFirst(), limit: Self.queryPairs).fields
        } catch {
            throw .malformed("invalid query")
        }
        self.init(
            id: id, method: message.method, target: message.target,
            segments: try Self.segments(target.utf8[..<question]), query: query, headers: message.headers,
            version: message.version, isSecure: isSecure, peer: peer, host: authority?.host ?? "",
            port: authority?.port)
    }

    private static func checkFields(_ headers: Headers) throws(RequestRefusal) {
        var cookies = 0
        let isASCII = headers.text.withUnsafeBufferPointer { text in text.allSatisfy { $0 < 128 } }
        for field in headers.fields {
            let value = headers.text[headers.bytes(field.value)]
            if !isASCII, value.contains(where: { $0 >= 128 }), String(validating: value, as: UTF8.self) == nil {
                throw .malformed("field value is not UTF-8")
            }
            switch field.name.count {
            case 6 where headers.matches(field, .cookie):
                cookies += value.count
                guard cookies <= cookieBytes else {
                    throw RequestRefusal(.requestHeaderFieldsTooLarge, "cookies too large")
                }
            case 6 where headers.matches(field, .expect):
                guard value.equalsIgnoringCase("100-continue") else {
                    throw RequestRefusal(.expectationFailed, "unknown expectation")
                }
            case 14 where headers.matches(field, .contentLength):
                // Some servers read 010 as octal 8, and no client writes leading zeros.
                guard value.count == 1 || value.first != UInt8(ascii: "0") else {
                    throw .malformed("Content-Length with leading zero")
                }
            case 16 where headers.matches(field, .contentEncoding):
                guard value.equalsIgnoringCase("identity") || value.equalsIgnoringCase("gzip") else {
                    throw RequestRefusal(.unsupportedMediaType, "unsupported content coding")
                }
            default: break
            }
        }
    }

    /// Determines the host of the request, and removes scheme and host from an absolute target (RFC 9112 §3.2.2).
    private static func split(
        _ message: MessageHead, _ hosts: AllowedHosts
    ) throws(RequestRefusal) -> (target: Substring, authority: Authority?) {
        guard message.headers.count(of: .host) <= 1 else { throw .malformed("more than one Host field") }
        var authority: Authority?
        if let field = message.headers[.host] {
            guard let parsed = Authority(field[...]) else { throw .malformed("invalid Host") }
            authority = parsed
        } else if message.version == .http11 {
            throw .malformed("Host field missing")
        }
        if let authority, !hosts.allows(authority.host) {
            throw RequestRefusal(.misdirectedRequest, "unknown host")
        }
        if message.target.utf8.first == UInt8(ascii: "/") { return (message.target[...], authority) }
        for scheme in ["http://", "https://"] where message.target.lowercased().hasPrefix(scheme) {
            let targetAfterScheme = message.target.dropFirst(scheme.count)
            let end = targetAfterScheme.firstIndex { $0 == "/" || $0 == "?" } ?? targetAfterScheme.endIndex
            guard let named = Authority(targetAfterScheme[..<end]) else { throw .malformed("invalid authority") }
            guard named.host == authority?.host, named.port == authority?.port else {
                throw RequestRefusal(.misdirectedRequest, "absolute target for another host")
            }
            return (targetAfterScheme[end...], authority)
        }
        throw .malformed("invalid target")
    }

    private static func segments(_ path: Substring.UTF8View) throws(RequestRefusal) -> [String] {
        guard path.count > 1 else { return [] }
        // Fast path: most paths need no decoding.
        if let plain = path.withContiguousStorageIfAvailable(plainSegments) ?? nil { return plain }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let isPlain = part.allSatisfy(ASCII.isUnreserved)
            guard let segment = isPlain ? String(Substring(part)) : PercentCoding.decode(part) else {
                throw .malformed("invalid path")
            }
            guard segment != ".", segment != "..",
                isPlain || !segment.utf8.contains(where: { $0 < 32 || $0 == 127 || "/\\".utf8.contains($0) })
            else { throw .malformed("forbidden path segment") }
            segments.append(segment)
        }
        return segments
    }

    /// Returns the segments of a path that has unreserved characters only, which is the usual case. Returns nil for
    /// other paths, and for paths with a segment that consists of dots.
    private static func plainSegments(_ path: UnsafeBufferPointer<UInt8>) -> [String]? {
        var segments: [String] = []
        var start = 1
        for index in 1...path.count {
            if index < path.count, path[index] != UInt8(ascii: "/") {
                guard ASCII.isUnreserved(path[index]) else { return nil }
                continue
            }
            let segment = UnsafeBufferPointer(rebasing: path[start..<index])
            guard !segment.allSatisfy({ $0 == UInt8(ascii: ".") }) || segment.isEmpty else { return nil }
            if segments.isEmpty { segments.reserveCapacity(4) }
            segments.append(String(decoding: segment, as: UTF8.self))
            start = index + 1
        }
        return segments
    }
}
