/// A media type with its parameters (RFC 9110 §8.3.1).
package struct MediaType: Equatable, Sendable {
    /// Type and subtype in lower case: `text/html`.
    package let essence: String
    /// Names are in lower case, values without quotes.
    package let parameters: [NamedValue]

    /// Returns nil if the text does not match the grammar.
    package init?(_ text: String) {
        var scanner = ParameterScanner(Array(text.utf8))
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters()
        else { return nil }
        essence = (type + "/" + subtype).lowercased()
        self.parameters = parameters
    }

    /// The value of a parameter; its name must be in lower case, such as `charset`.
    package subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }
}

/// Parses tokens, quoted strings and `; name=value` lists.
struct ParameterScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func token() -> String? {
        let start = index
        while index < bytes.count, ASCII.isToken(bytes[index]) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == ASCII.space || bytes[index] == ASCII.tab { index += 1 }
    }

    /// Parses the remaining text as `; name=value` pairs, at most 16. Returns nil if the text has another form, if a
    /// name is repeated, or if a value is not UTF-8.
    mutating func parameters() -> [NamedValue]? {
        var result: [NamedValue] = []
        skipBlanks()
        while !isAtEnd {
            guard skip(";") else { return nil }
            skipBlanks()
            if isAtEnd { break }
            guard let name = token()?.lowercased(), skip("="), let value = value(),
                result.count < 16, !result.contains(where: { $0.name == name })
            else { return nil }
            result.append(NamedValue(name, value))
            skipBlanks()
        }
        return result
    }

    private mutating func value() -> String? {
        guard skip("\"") else { return token() }
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            // A backslash is an escape only before a quote or another backslash: browsers send paths such as C:\x
            // without escapes.
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
                bytes[index + 1] == UInt8(ascii: "\"") || bytes[index + 1] == UInt8(ascii: "\\")
            {
                index += 1
            }
            guard ASCII.isFieldValue(bytes[index]) else { return nil }
            value.append(bytes[index])
            index += 1
        }
        guard skip("\"") else { return nil }
        return String(validating: value, as: UTF8.self)
    }
}
