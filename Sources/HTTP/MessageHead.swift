/// How the end of a request body is found (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    /// Bytes, from 1: what Content-Length says.
    case length(Int)
    case chunked
}

/// A request head that is grammatical, but not yet checked against what this server accepts.
package struct MessageHead: Sendable {
    /// Of the registry; what is not in it was refused with 501.
    package let method: Method
    /// The target's bytes, all of them visible ASCII.
    package let target: String
    /// By which persistence is decided: 1.1 stays open, 1.0 closes.
    package let version: HTTPVersion
    /// In the order in which they came.
    package let headers: Headers
    /// `none` for a declared length of 0 as well.
    package let framing: BodyFraming
    /// Codings before the final `chunked`, which this server does not decode.
    package let hasForeignCoding: Bool
    /// Whether the connection may serve another request after this one.
    package let keepAlive: Bool
}

extension MessageHead {
    /// Decides framing and persistence from the fields.
    init(
        method: Method, target: String, version: HTTPVersion, headers: Headers
    ) throws(RequestRefusal) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        var length: Int?
        var codings: [ArraySlice<UInt8>] = []
        var hasCoding = false
        var close = false
        var keep = false
        for field in headers.fields {
            let value = headers.text[headers.bytes(field.value)]
            // Lengths first: most fields are none of these.
            switch field.name.count {
            case 14 where headers.matches(field, .contentLength):
                guard length == nil else { throw .malformed("Content-Length twice") }
                length = try Self.contentLength(value)
            case 17 where headers.matches(field, .transferEncoding):
                hasCoding = true
                codings += value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    .map { $0.trimmingBlanks() }
            case 10 where headers.matches(field, .connection):
                for option in value.split(separator: UInt8(ascii: ",")) {
                    let option = option.trimmingBlanks()
                    if option.equalsIgnoringCase("close") { close = true }
                    if option.equalsIgnoringCase("keep-alive") { keep = true }
                }
            default: break
            }
        }
        if hasCoding {
            guard length == nil else { throw .malformed("Content-Length beside Transfer-Encoding") }
            guard version == .http11 else { throw .malformed("Transfer-Encoding in HTTP/1.0") }
            guard codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isToken) }),
                codings.last?.equalsIgnoringCase("chunked") == true,
                !codings.dropLast().contains(where: { $0.equalsIgnoringCase("chunked") })
            else { throw .malformed("Transfer-Encoding does not end in one chunked") }
            framing = .chunked
        } else {
            framing = length.map { $0 == 0 ? .none : .length($0) } ?? .none
        }
        hasForeignCoding = codings.count > 1
        keepAlive = version == .http11 ? !close : keep && !close
    }

    private static func contentLength(_ value: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else { throw .malformed("Content-Length is no number") }
        var length = 0
        for byte in value {
            let (product, tooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int(byte - 48))
            guard !tooLarge, !overflow else { throw .malformed("Content-Length is too large") }
            length = sum
        }
        return length
    }
}

extension ArraySlice<UInt8> {
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { other in
            zip(self, other).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
        }
    }
}
