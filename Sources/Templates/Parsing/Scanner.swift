/// Splits a template into text and tags. A text token ends at a line break.
struct Scanner {
    enum Tag: Equatable {
        case variable, raw, section, inverted, close, partial, parent, block, comment, delimiters, text
    }

    enum Token {
        case text(ArraySlice<UInt8>)
        case tag(Tag, String, Location)

        var endsLine: Bool {
            if case .text(let bytes) = self { bytes.last == UInt8(ascii: "\n") } else { false }
        }
    }

    private let source: [UInt8]
    private let file: String
    private var position = 0
    private var line: Int
    private var column: Int
    private var openDelimiter = Array("{{".utf8)
    private var closeDelimiter = Array("}}".utf8)

    init(_ source: [UInt8], at start: Location) {
        self.source = source
        file = start.file
        line = start.line
        column = start.column
    }

    mutating func tokens() throws(TemplateError) -> [Token] {
        var tokens: [Token] = []
        while position < source.count {
            if source[position...].starts(with: openDelimiter) {
                tokens.append(try tag())
            } else {
                tokens.append(.text(text()))
            }
        }
        return tokens
    }

    private mutating func text() -> ArraySlice<UInt8> {
        let start = position
        while position < source.count {
            if source[position] == openDelimiter[0], source[position...].starts(with: openDelimiter) { break }
            position += 1
            if source[position - 1] == UInt8(ascii: "\n") { break }
        }
        return advance(from: start)
    }

    private mutating func tag() throws(TemplateError) -> Token {
        let location = Location(file: file, line: line, column: column)
        let start = position
        position += openDelimiter.count
        guard position < source.count else { throw TemplateError("unclosed tag", at: location) }
        let kind: Tag
        var ending = closeDelimiter
        switch source[position] {
        case UInt8(ascii: "{") where openDelimiter == Array("{{".utf8):
            kind = .raw
            ending = Array("}".utf8) + closeDelimiter
        case UInt8(ascii: "&"): kind = .raw
        case UInt8(ascii: "#"): kind = .section
        case UInt8(ascii: "^"): kind = .inverted
        case UInt8(ascii: "/"): kind = .close
        case UInt8(ascii: ">"): kind = .partial
        case UInt8(ascii: "<"): kind = .parent
        case UInt8(ascii: "$"): kind = .block
        case UInt8(ascii: "!"): kind = .comment
        case UInt8(ascii: "@"): kind = .text
        case UInt8(ascii: "="):
            kind = .delimiters
            ending = Array("=".utf8) + closeDelimiter
        default: kind = .variable
        }
        if kind != .variable { position += 1 }
        let contentStart = position
        while position < source.count, !source[position...].starts(with: ending) { position += 1 }
        guard position < source.count else { throw TemplateError("unclosed tag", at: location) }
        let content = source[contentStart..<position]
        position += ending.count
        _ = advance(from: start)
        let name = trimmed(content)
        switch kind {
        case .comment: break
        case .delimiters: try setDelimiters(name, at: location)
        default:
            guard !name.isEmpty else { throw TemplateError("empty tag", at: location) }
            guard !name.utf8.contains(where: { $0 <= 0x20 }) else {
                throw TemplateError("white space in a name: \(name)", at: location)
            }
            let components = name.split(separator: ".", omittingEmptySubsequences: false)
            if kind != .partial, kind != .parent, name != ".", components.contains("") {
                throw TemplateError("empty component in a dotted name: \(name)", at: location)
            }
        }
        return .tag(kind, name, location)
    }

    private mutating func setDelimiters(_ text: String, at location: Location) throws(TemplateError) {
        let parts = text.utf8.split { $0 <= 0x20 }
        guard parts.count == 2, !text.utf8.contains(UInt8(ascii: "=")) else {
            throw TemplateError("delimiters must be two words without =", at: location)
        }
        openDelimiter = Array(parts[0])
        closeDelimiter = Array(parts[1])
    }

    /// Advances line and column over the bytes read since `start`, and returns these bytes.
    private mutating func advance(from start: Int) -> ArraySlice<UInt8> {
        for byte in source[start..<position] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return source[start..<position]
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let front = bytes.drop { $0 <= 0x20 }
        guard let last = front.lastIndex(where: { $0 > 0x20 }) else { return "" }
        return String(decoding: front[...last], as: UTF8.self)
    }
}
