/// Percent-encoding (RFC 3986 §2.1). Decoding is strict: the result must be valid UTF-8.
package enum PercentCoding {
    /// Returns the decoded text; nil for a broken escape, NUL or invalid UTF-8 (such as overlong forms and surrogates).
    ///
    /// - Parameter plusIsSpace: whether `+` is a space, as in forms and queries.
    package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(ASCII.hexValue),
                    let low = iterator.next().flatMap(ASCII.hexValue), high | low != 0
                else { return nil }
                output.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: output.append(ASCII.space)
            case 0: return nil
            default: output.append(byte)
            }
        }
        return String(validating: output, as: UTF8.self)
    }

    /// Encodes all but unreserved characters (RFC 3986 §2.3), for a path segment or a query value.
    package static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if ASCII.isAlphanumeric(byte) || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}
