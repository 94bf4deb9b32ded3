/// Writes compact JSON into a byte buffer, for log lines and answers of the API.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///     json.member("id", receipt.id.description)
///     json.member("total", decimal: "12.90")
///     json.object("store") { json in json.member("name", "Hofer") }
///     json.array("lines") { json in for line in lines { json.object { line.write(&$0) } } }
/// }
/// ```
///
/// `<`, `>`, `&` and U+2028/2029 are escaped, so that the text is safe inside a script element. Unique names are the
/// caller's responsibility.
package struct JSONWriter {
    /// The bytes written so far, in UTF-8; valid JSON when every object and array is closed.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: bytes to reserve; the buffer grows as needed.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Writes an object whose members `body` writes.
    package init(object body: (inout JSONWriter) -> Void) {
        self.init()
        object(body)
    }

    /// `bytes` as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Ends a line, for the format JSON lines.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values, at the top or in an array

    /// Writes an object whose members `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }
    /// Writes an array whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

    /// Writes a string, escaped.
    package mutating func value(_ text: String) {
        separate()
        write(quoted: text)
    }

    /// Writes an integer.
    package mutating func value(_ number: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes `true` or `false`.
    package mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes an amount.
    ///
    /// - Parameter decimal: the amount exactly as it is to be written, such as `-12.90`. A text that is not a decimal
    ///   number is written as a string.
    package mutating func value(decimal: String) {
        guard isDecimal(decimal) else { return value(decimal) }
        separate()
        bytes.append(contentsOf: decimal.utf8)
    }

    /// Writes a value; numbers as they were read.
    package mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let flag): value(flag)
        case .string(let text): value(text)
        case .number(let text):
            separate()
            bytes.append(contentsOf: text.utf8)
        case .array(let values): array { for element in values { $0.value(element) } }
        case .object(let object): self.object { for member in object { $0.member(member.name, member.value) } }
        }
    }

    /// Writes an object that consists of the members of `text` and of those that `body` writes.
    ///
    /// - Parameter text: a valid JSON object without white space around it; nil for an empty one.
    package mutating func object(splicing text: [UInt8]?, _ body: (inout JSONWriter) -> Void) {
        nest("{", "}") { json in
            if let text, text.count > 2 {
                json.bytes.append(contentsOf: text[1..<(text.count - 1)])
                json.needsComma = true
            }
            body(&json)
        }
    }

    /// Writes text between values, such as the comma and line end between the rows of a feed.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = false
    }

    // MARK: Members of an object

    /// Writes the name of a member; the next value belongs to it.
    package mutating func name(_ name: String) { key(name) }

    /// Writes a member that is an object.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// Writes a member that is an array.
    package mutating func array(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        array(body)
    }

    /// Writes a member that is a string.
    package mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a member that is a string, or `null`.
    package mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Writes a member that is an integer.
    package mutating func member(_ name: String, _ number: some BinaryInteger) {
        key(name)
        value(number)
    }

    /// Writes a member that is an integer, or `null`.
    package mutating func member<Number: BinaryInteger>(_ name: String, _ number: Number?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// Writes a member that is `true` or `false`.
    package mutating func member(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    /// Writes a member that is an amount; see ``value(decimal:)``.
    package mutating func member(_ name: String, decimal: String) {
        key(name)
        value(decimal: decimal)
    }

    /// Writes a member that is any value.
    package mutating func member(_ name: String, _ json: JSONValue) {
        key(name)
        value(json)
    }

    /// Writes a member whose value `body` writes.
    package mutating func key(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        body(&self)
    }

    // MARK: Syntax

    private mutating func nest(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func key(_ name: String) {
        separate()
        write(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a comma if a value precedes.
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func write(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var runStart = 0
            for position in 0..<utf8.count {
                let byte = utf8[position]
                let isLineSeparator =
                    byte == 0xE2 && position + 2 < utf8.count && utf8[position + 1] == 0x80
                    && utf8[position + 2] & 0xFE == 0xA8
                guard needsEscape(byte) || isLineSeparator else { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<position]))
                if isLineSeparator {
                    bytes.append(contentsOf: (utf8[position + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
                    runStart = position + 3
                } else {
                    escape(byte)
                    runStart = position + 1
                }
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}

private func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F: true
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): true
    default: false
    }
}

/// Whether the text is a number without an exponent (RFC 8259 §6).
private func isDecimal(_ text: String) -> Bool {
    let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }.split(
        separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let minusSigns = text.utf8.count { $0 == UInt8(ascii: "-") }
    guard minusSigns <= 1, (1...2).contains(parts.count) else { return false }
    let areDigits = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
    guard areDigits else { return false }
    return parts[0].count == 1 || parts[0].first != UInt8(ascii: "0")
}

extension JSONValue {
    /// The value as compact JSON, as `JSONWriter` writes it.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
