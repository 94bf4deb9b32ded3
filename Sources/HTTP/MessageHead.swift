/// How the length of a request body is determined (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    /// The value of Content-Length, at least 1.
    case length(Int)
    case chunked
}

/// A grammatically correct request head. It is not yet checked for features that this server does not support.
package struct MessageHead: Sendable {
    /// A known method; others were refused with 501.
    package let method: Method
    /// Visible ASCII characters only.
    package let target: String
    /// Connections persist by default with 1.1 and close with 1.0.
    package let version: HTTPVersion
    /// In the order received.
    package let headers: Headers
    /// `none` if there is no body or its declared length is 0.
    package let framing: BodyFraming
    /// Whether there are transfer codings besides the final `chunked`. This server does not support them.
    package let hasUnsupportedCoding: Bool
    /// Whether the connection may serve another request after this one.
    package let keepAlive: Bool
}

extension MessageHead {
    /// Determines framing and persistence from the fields.
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
            // The lengths of the names are compared first, because most other names have another length.
            switch field.name.count {
            case 14 where headers.matches(field, .contentLength):
                guard length == nil else { throw .malformed("more than one Content-Length") }
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
            guard length == nil else { throw .malformed("Content-Length with Transfer-Encoding") }
            guard version == .http11 else { throw .malformed("Transfer-Encoding in HTTP/1.0") }
            guard codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isToken) }),
                codings.last?.equalsIgnoringCase("chunked") == true,
                !codings.dropLast().contains(where: { $0.equalsIgnoringCase("chunked") })
            else { throw .malformed("Transfer-Encoding does not end with a single chunked") }
            framing = .chunked
        } else {
            framing = length.map { $0 == 0 ? .none : .length($0) } ?? .none
        }
        hasUnsupportedCoding = codings.count > 1
        keepAlive = version == .http11 ? !close : keep && !close
    }

    private static func contentLength(_ value: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else {
            throw .malformed("Content-Length is not a number")
        }
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
