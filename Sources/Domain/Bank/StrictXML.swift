/// Reads a safe subset of XML into a tree: no document type, no entities except the five predefined ones, no processing
/// instructions. The text is therefore never longer than the file, and the file cannot refer to other files. Elements
/// must be closed in order.
package struct StrictXML {
    package struct Element: Sendable {
        /// The name without namespace prefix.
        package let name: String
        package fileprivate(set) var attributes: [String: String] = [:]
        package fileprivate(set) var children: [Element] = []
        /// The text of the element, without the text of its children.
        package fileprivate(set) var text = ""
        /// The line on which the element begins, from 1.
        package let line: Int

        package subscript(name: String) -> Element? { children.first { $0.name == name } }

        package func all(_ name: String) -> [Element] { children.filter { $0.name == name } }

        /// The element at the end of a path such as `Acct/Id/IBAN`.
        package func at(_ path: String) -> Element? {
            var found: Element? = self
            for name in path.split(separator: "/") { found = found?[String(name)] }
            return found
        }

        /// The text at the end of a path, without blanks around it; empty when it is missing.
        package func text(_ path: String) -> String {
            at(path).map { String($0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")) } ?? ""
        }
    }

    /// The maximum depth of nested elements.
    package static let maximumDepth = 32
    package static let maximumElements = 500_000
    static let maximumNameBytes = 100
    static let maximumTextBytes = 65_536
    static let maximumAttributes = 32

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var count = 0

    /// - Throws: `brokenXML`, `entities`, `tooLarge`.
    package static func read(_ text: String) throws(BankFileFailure) -> Element {
        var reader = StrictXML(Array(text.utf8))
        return try reader.document()
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() throws(BankFileFailure) -> Element {
        if starts(with: "\u{FEFF}") { skip(3) }
        if starts(with: "<?xml") {
            guard let end = find("?>", within: 200) else { throw broken }
            advance(to: end + 2)
        }
        try skipOutside()
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "<") else { throw broken }
        let root = try element(depth: 1)
        try skipOutside()
        guard position == bytes.endIndex else { throw broken }
        return root
    }

    private mutating func element(depth: Int) throws(BankFileFailure) -> Element {
        count += 1
        guard depth <= Self.maximumDepth, count <= Self.maximumElements else { throw .tooLarge }
        skip(1)
        let fullName = try name()
        var element = Element(name: Self.localName(fullName), line: line)
        while true {
            skipBlanks()
            if starts(with: "/>") {
                skip(2)
                return element
            }
            if starts(with: ">") {
                skip(1)
                break
            }
            let attribute = try name()
            skipBlanks()
            guard starts(with: "=") else { throw broken }
            skip(1)
            skipBlanks()
            guard position < bytes.endIndex, bytes[position] == 34 || bytes[position] == 39 else { throw broken }
            let quote = bytes[position]
            skip(1)
            let value = try text { $0 == quote || $0 == UInt8(ascii: "<") }
            guard position < bytes.endIndex, bytes[position] == quote else { throw broken }
            skip(1)
            guard element.attributes.count < Self.maximumAttributes,
                element.attributes.updateValue(value, forKey: Self.localName(attribute)) == nil
                    || attribute.contains(":")
            else { throw broken }
        }
        while true {
            element.text += try text { $0 == UInt8(ascii: "<") }
            guard element.text.utf8.count <= Self.maximumTextBytes else { throw .tooLarge }
            if starts(with: "</") {
                skip(2)
                guard try name() == fullName else { throw broken }
                skipBlanks()
                guard starts(with: ">") else { throw broken }
                skip(1)
                return element
            }
            if starts(with: "<!--") {
                try skipComment()
            } else if starts(with: "<![CDATA[") {
                guard let end = find("]]>", within: Self.maximumTextBytes) else { throw broken }
                element.text += String(decoding: bytes[(position + 9)..<end], as: UTF8.self)
                advance(to: end + 3)
            } else if starts(with: "<!") {
                throw .entities
            } else if starts(with: "<?") || position == bytes.endIndex {
                throw broken
            } else {
                element.children.append(try self.element(depth: depth + 1))
            }
        }
    }

    /// The text up to the first byte that satisfies `isEnd`. Entities and character references are replaced.
    private mutating func text(until isEnd: (UInt8) -> Bool) throws(BankFileFailure) -> String {
        var found: [UInt8] = []
        while position < bytes.endIndex, !isEnd(bytes[position]) {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&") {
                found += try reference()
                continue
            }
            guard byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 else { throw broken }
            found.append(byte)
            skip(1)
            guard found.count <= Self.maximumTextBytes else { throw .tooLarge }
        }
        return String(decoding: found, as: UTF8.self)
    }

    /// Reads an entity or a character reference such as `&amp;` or `&#228;`.
    private mutating func reference() throws(BankFileFailure) -> [UInt8] {
        guard let end = find(";", within: 12) else { throw .entities }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        advance(to: end + 1)
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [34]
        case "apos": return [39]
        default:
            guard name.hasPrefix("#") else { throw .entities }
            let digits = name.dropFirst()
            let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            guard let value, value >= 0x20 || value == 9 || value == 10 || value == 13,
                let scalar = Unicode.Scalar(value)
            else { throw broken }
            return Array(String(Character(scalar)).utf8)
        }
    }

    private mutating func name() throws(BankFileFailure) -> String {
        let first = position
        while position < bytes.endIndex, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > first, position - first <= Self.maximumNameBytes else { throw broken }
        return String(decoding: bytes[first..<position], as: UTF8.self)
    }

    /// Whether the byte may occur in a name.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 0x80...0xFF: true
        case UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The name without its namespace prefix.
    private static func localName(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// Skips white space and comments around the root.
    private mutating func skipOutside() throws(BankFileFailure) {
        while true {
            skipBlanks()
            if starts(with: "<!--") {
                try skipComment()
            } else if starts(with: "<!") {
                throw .entities
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(BankFileFailure) {
        guard let end = find("-->", within: Self.maximumTextBytes) else { throw broken }
        advance(to: end + 3)
    }

    private var broken: BankFileFailure { .brokenXML(line: line) }

    private func starts(with text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.endIndex else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Returns the position of the next occurrence of the text, at most `limit` bytes ahead; nil if there is none.
    private func find(_ text: String, within limit: Int) -> Int? {
        let pattern = Array(text.utf8)
        let end = min(bytes.endIndex - pattern.count, position + limit)
        guard position <= end else { return nil }
        return (position...end).first { start in
            pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.endIndex, [32, 9, 10, 13].contains(bytes[position]) { skip(1) }
    }

    /// Moves forward and counts lines.
    private mutating func advance(to end: Int) { while position < end { skip(1) } }

    private mutating func skip(_ count: Int) {
        for _ in 0..<count where position < bytes.endIndex {
            if bytes[position] == 10 { line += 1 }
            position += 1
        }
    }
}
